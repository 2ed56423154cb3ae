import { closeNames, plainName } from '../validation/closest-name.js';
import type { RuntimeSchema } from './runtime-schema.js';
import { valueAt } from './wire-names.js';

/**
 * Maps other names to the fields that they mean. The names come from other payment APIs, from the prose of
 * the API docs, and from Portuguese.
 */
const otherNames: readonly (readonly [name: string, field: string])[] = [
  ['3ds', 'threeDSData'],
  ['addressnumber', 'addressStreetNumber'],
  ['addressstreetnumber', 'addressNumber'],
  ['applepay', 'wallet'],
  ['boletoexpiration', 'boleto.expirationDate'],
  ['boletoexpirationdate', 'boleto.expirationDate'],
  ['boletooptions', 'boleto'],
  ['buyer', 'customer'],
  ['client', 'customer'],
  ['cliente', 'customer'],
  ['cnpj', 'document.number'],
  ['cpf', 'document.number'],
  ['cpfcnpj', 'document.number'],
  ['documentnumber', 'document.number'],
  ['documenttype', 'document.type'],
  ['dueat', 'expirationDate'],
  ['duedate', 'expirationDate'],
  ['expiration', 'expirationDate'],
  ['expirationseconds', 'expiration'],
  ['expires', 'expiration'],
  ['expires', 'expirationDate'],
  ['expiresin', 'expiration'],
  ['externalreference', 'externalId'],
  ['installment', 'installments'],
  ['installmentcount', 'installments'],
  ['installmentscount', 'installments'],
  ['installmentsquantity', 'installments'],
  ['merchantorderid', 'externalId'],
  ['numberofinstallments', 'installments'],
  ['numinstallments', 'installments'],
  ['orderid', 'externalId'],
  ['ordernumber', 'externalId'],
  ['parcela', 'installments'],
  ['parcelas', 'installments'],
  ['payer', 'customer'],
  ['pixexpiration', 'pix.expiration'],
  ['pixoptions', 'pix'],
  ['price', 'unitPrice'],
  ['qtdparcelas', 'installments'],
  ['receivers', 'split'],
  ['reference', 'externalId'],
  ['referenceid', 'externalId'],
  ['repasse', 'split'],
  ['rules', 'split'],
  ['secret', 'hmac_secret'],
  ['splitrule', 'split'],
  ['splitrules', 'split'],
  ['taxid', 'document.number'],
  ['threeds', 'threeDSData'],
  ['threedsecure', 'threeDSData'],
  ['token', 'cardTokenId'],
  ['ttl', 'expiration'],
  ['url', 'webhook_url'],
  ['value', 'amount'],
  ['vencimento', 'expirationDate'],
];

/**
 * Caches, for each schema and unknown name, the fields that the name can mean. Merchants send the same names
 * in each call.
 */
const knownCandidates = new WeakMap<RuntimeSchema, Map<string, readonly string[]>>();
const maxKnownNames = 1_000;

/**
 * Finds the field that an unknown name probably means. Returns its dotted path. Skips fields that the caller
 * passed.
 */
export function suggestField(name: string, schema: RuntimeSchema, value: unknown): string | undefined {
  const { fields } = schema;
  return candidatesFor(name, schema).find((path) => {
    const [outer = '', inner] = path.split('.');
    const field = inner === undefined ? fields[outer] : fields[outer]?.fields[inner];
    return field !== undefined && valueAt(value, path.split('.')) === undefined;
  });
}

/**
 * Finds a field that the caller passed under its own name and, with another value, under a misspelt one:
 * `installments` for `instalments`. The names differ in case, separators, or a letter that is missing, added
 * or swapped. A plural or a digit can be a field of the merchant's contract. Any other name for `installments`
 * also counts, because the number of instalments changes the customer's payment.
 */
export function findPassedField(name: string, schema: RuntimeSchema, value: unknown): string | undefined {
  const other = valueAt(value, [name]);
  return candidatesFor(name, schema).find((path) => {
    const passed = valueAt(value, path.split('.'));
    return (
      passed !== undefined &&
      passed !== other &&
      (path.endsWith('installments') || plainName(name) === plainName(path) || isTypo(name, path))
    );
  });
}

function isTypo(name: string, field: string): boolean {
  const [one, other] = [plainName(name), plainName(field)];
  const isPlural = one === `${other}s` || other === `${one}s`;
  if (one.length < 5 || /\d/.test(one) || isPlural || closeNames(one, [other], 1).length === 0) return false;
  return one.length !== other.length || sortLetters(one) === sortLetters(other);
}

const sortLetters = (name: string) => [...name].sort().join('');

function candidatesFor(name: string, schema: RuntimeSchema): readonly string[] {
  const known = knownCandidates.get(schema) ?? new Map<string, readonly string[]>();
  knownCandidates.set(schema, known);
  const candidates = known.get(name) ?? listCandidates(name, schema);
  if (known.size < maxKnownNames) known.set(name, candidates);
  return candidates;
}

function listCandidates(name: string, { fields }: RuntimeSchema): string[] {
  const plain = plainName(name);
  const meant = otherNames.filter(([other]) => other === plain).map(([, field]) => field);
  // Nested fields are also candidates, such as `card.installments` for a top-level `installments`.
  const nested = Object.keys(fields).flatMap((outer) =>
    Object.keys(fields[outer]?.fields ?? {})
      .filter((field) => plainName(field) === plain || meant.includes(field))
      .map((field) => `${outer}.${field}`),
  );
  return [...meant, ...closeNames(name, Object.keys(fields)), ...(nested.length === 1 ? nested : [])];
}
