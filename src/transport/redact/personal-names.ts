import { normalizeName } from './secret-names.js';

/** Names, and endings of names, of fields that hold personal data (LGPD, article 5), in English and in Portuguese. */
const personalName =
  /^(?:cardholder|surname|document|(?:customer|tax)document|cep|rg|passport|address|street|streetnumber|complement|neighborhood|bairro|logradouro|pixkey|chavepix|iban|agency|agencia|clientip|payerip|remoteip|ipaddress|titular|portador|devedor|pagador|accountholder|dob|tel|fone|msisdn|rua|endereco|cnh|conta|numeroconta|contacorrente)$|^(?:address|bankaccount|bankagency|bankbranch)|(?:(?:full|first|last|middle|social|mother|father|holder|representative|owner|customer|payer|buyer|recipient|contact|legal|beneficiary|debtor)s?name|nome|nomecompleto|nome(?:da)?mae|nome(?:do)?pai|nome(?:do)?titular|email|emailaddress|phone|phonenumber|mobile|telefone|celular|whatsapp|cpf|cnpj|cpfcnpj|documentnumber|taxid|birthdate|dateofbirth|birthday|data(?:de)?nascimento|zipcode|postalcode|accountnumber)s?$/;

/** Objects in which every value is personal. */
const personalObject = /^(?:\w{0,16}address|endereco|bank(?:account|data|details)?)$/;

/** Objects that describe a person: their `name` is personal, and that of anything else is not. */
const person =
  /^(?:customer|payer|buyer|holder|cardholder|owner|representative|person|client|recipient|beneficiary|user|seller|submerchant|partner|contact|shipping|billing)s?$/;

/** Objects whose `number` is a CPF or a CNPJ. */
const document = /^(?:customer|tax)?document$/;

/** A kind is nobody's: `documentType`, `bankAccountType`. */
const kind = /type$/;

/** Lists and objects of problems by the names of fields: what stands there is a message, such as `is required`. */
const problems = /^(?:errors|issues|violations|fielderrors|validationerrors|invalidparams|messages)$/;

/** Longer names are not checked: no known field has one. */
const maxNameLength = 64;

/** A message says something: `is required`, `não é um CPF`. A name or an address does not. */
const message =
  /(?<!\p{L})(?:is|are|must|has|have|not|cannot|should|invalid|required|missing|unknown|wrong|already|too|expected|failed|é|não|deve|devem|inválid[oa]s?|obrigatóri[oa]s?|já|ausente)(?!\p{L})/iu;

/** Messages are looked at up to here. */
const maxMessageLength = 200;

/** What the names around a value say about it. */
export type Place =
  | 'plain'
  /** Inside an object in which every value is personal. */
  | 'personal'
  /** Among messages about fields. */
  | 'problems'
  /** Among messages about fields of an object in which every value is personal. */
  | 'personal-problems';

const isAmongProblems = (place: Place) => place === 'problems' || place === 'personal-problems';
const isInPersonal = (place: Place) => place === 'personal' || place === 'personal-problems';

/** The place of what a field holds, from the place of the field. */
export function placeWithin(place: Place, name: string): Place {
  if (place === 'personal-problems' || name.length > maxNameLength) return place;
  const normalized = normalizeName(name);
  const inProblems = isAmongProblems(place) || problems.test(normalized);
  const inPersonal = isInPersonal(place) || personalObject.test(normalized);
  if (inProblems) return inPersonal ? 'personal-problems' : 'problems';
  return inPersonal ? 'personal' : 'plain';
}

/** Whether a field is one of personal data, by its name, the name of the object around it, and its place. */
function isPersonalName(name: string, parent: string, place: Place): boolean {
  if (name.length > maxNameLength) return false;
  const normalized = normalizeName(name);
  if (kind.test(normalized)) return false;
  if (isInPersonal(place) || personalName.test(normalized)) return true;
  if (parent.length > maxNameLength) return false;
  const around = normalizeName(parent);
  return (normalized === 'name' && person.test(around)) || (normalized === 'number' && document.test(around));
}

/** Whether the text or number of a field is personal. A message about a personal field is not. */
export function isPersonal(text: string, name: string, parent: string, place: Place): boolean {
  if (text === '' || !isPersonalName(name, parent, place)) return false;
  return !(isAmongProblems(place) && message.test(text.slice(0, maxMessageLength)));
}
