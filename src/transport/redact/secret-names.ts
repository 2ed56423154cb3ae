/** Makes `client_secret`, `clientSecret` and `client-secret` the same name. */
export const normalizeName = (name: string) => name.replace(/[^0-9A-Za-z]/g, '').toLowerCase();

/** Names, and endings of names, of fields whose values are always secret. */
const secretName =
  /^(?:pan|cardnumber|creditcardnumber|cvv\d?|cvc\d?|pin|cryptogram|pwd|(?:proxy)?authorization|jwt|bearer|clientassertion|(?:card)?security(?:code|number)|cardcvv|cardcvc)$|(?:token|tokenid|secret|password|passwd|passphrase|apikey|accesskey|privatekey|secretkey|signingkey)s?$/;

/** Objects in which every value is secret: their fields are undocumented. */
const secretObject = /^(?:wallet|threedsdata|paymentdata|applepay|googlepay)$/;

/** Objects whose `number` is a CPF or a CNPJ, which the merchant needs to see. */
const documentName = /^(?:document|customerdocument|taxdocument)$/;

const taxName = /^(?:document|documentnumber|taxid|cpf|cnpj|representativecpf)$/;

/** Longer names are not checked: no known field has one, and the check takes longer the longer the name is. */
const maxNameLength = 64;

/** Whether a field holds a secret, by its name and the name of the object that contains it. */
export function isSecretName(name: string, parent = ''): boolean {
  if (name.length > maxNameLength) return false;
  const normalized = normalizeName(name);
  return normalized === 'number' ? !documentName.test(normalizeName(parent)) : secretName.test(normalized);
}

/** The number of a page, an installment or an invoice, and too short for that of a card. */
const count = /^\d{1,7}$/;

/** Whether what a field holds is secret. A `number` is not, if it is too short for a card and not in one. */
export function isSecretField(value: unknown, name: string, parent: string): boolean {
  if (!isSecretName(name, parent)) return false;
  const isCount = (typeof value === 'number' || typeof value === 'string') && count.test(String(value));
  return !(isCount && normalizeName(name) === 'number' && !/card|pan/.test(normalizeName(parent)));
}

/** Whether every value inside a field is secret. */
export const isSecretObject = (name: string) =>
  name.length <= maxNameLength && secretObject.test(normalizeName(name));

/** Whether a field holds a CPF or a CNPJ, whose digits may look like a PAN. */
export const isTaxNumberName = (name: string, parent: string) =>
  name.length <= maxNameLength &&
  (taxName.test(normalizeName(name)) ||
    (normalizeName(name) === 'number' && documentName.test(normalizeName(parent))));
