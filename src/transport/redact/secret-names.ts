/** `client_secret`, `clientSecret` and `client-secret` are one name. */
const plain = (name: string) => name.replace(/[^0-9A-Za-z]/g, '').toLowerCase();

/** Names, and ends of names, of fields whose values are secret wherever they stand. */
const secretName =
  /^(?:pan|cardnumber|creditcardnumber|cvv\d?|cvc\d?|pin|cryptogram|pwd|authorization|jwt|bearer|clientassertion|(?:card)?security(?:code|number)|cardcvv|cardcvc)$|(?:token|tokenid|secret|password|passwd|passphrase|apikey|accesskey|privatekey|secretkey|signingkey)s?$/;

/** Objects that are secret as a whole: what is inside is not ours to know. */
const secretObject = /^(?:wallet|threedsdata|paymentdata|applepay|googlepay)$/;

/** Where the number of a document stands, a CPF or a CNPJ, which the merchant needs to see. */
const documentName = /^(?:document|customerdocument|taxdocument)$/;

const taxName = /^(?:document|documentnumber|taxid|cpf|cnpj|representativecpf)$/;

/** Longer names are of no field that we know, and cost the more the longer they are. */
const longestName = 64;

/** Whether a field holds a secret, by its name and the name of the object around it. */
export function isSecretName(name: string, parent = ''): boolean {
  if (name.length > longestName) return false;
  const bare = plain(name);
  return bare === 'number' ? !documentName.test(plain(parent)) : secretName.test(bare);
}

/** Whether everything inside a field is secret. */
export const isSecretObject = (name: string) => name.length <= longestName && secretObject.test(plain(name));

/** Whether a field holds a CPF or a CNPJ, whose digits may pass for those of a card. */
export const isTaxNumberName = (name: string, parent: string) =>
  name.length <= longestName &&
  (taxName.test(plain(name)) || (plain(name) === 'number' && documentName.test(plain(parent))));
