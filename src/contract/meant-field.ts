import { closestName, plainName } from '../input/closest-name.js';
import { isRecord } from '../input/record.js';
import type { Shape } from './shape.js';

/** Names in other payment APIs and in Portuguese, with the fields of the API document that hold the same. */
const otherNames: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['addressnumber', 'addressStreetNumber'],
  ['addressstreetnumber', 'addressNumber'],
  ['cnpj', 'document.number'],
  ['cpf', 'document.number'],
  ['duedate', 'expirationDate'],
  ['expiresin', 'expiration'],
  ['externalreference', 'externalId'],
  ['parcelas', 'installments'],
  ['price', 'unitPrice'],
  ['taxid', 'document.number'],
  ['token', 'cardTokenId'],
  ['url', 'webhook_url'],
  ['value', 'amount'],
  ['vencimento', 'expirationDate'],
]);

type Fields = Readonly<Record<string, unknown>>;

/** The field that an unknown name of an object was probably meant to be, by its dotted path. One that the object has is not meant. */
export function meantField(name: string, { fields }: Shape, given: Fields): string | undefined {
  const isMissing = (path: string) => isKnown(path, fields) && !isGiven(path, given);
  const other = otherNames.get(plainName(name)) ?? '';
  const missing = Object.keys(fields).filter(isMissing);
  // A field of an inner object that was written beside it: `installments` for `card.installments`.
  const inner = Object.keys(fields).flatMap((outer) =>
    Object.keys(fields[outer]?.fields ?? {})
      .filter((field) => plainName(field) === plainName(name))
      .map((field) => `${outer}.${field}`),
  );
  return [other, closestName(name, missing) ?? '', inner.length === 1 ? (inner[0] ?? '') : ''].find(
    isMissing,
  );
}

function isKnown(path: string, fields: Shape['fields']): boolean {
  const [name = '', inner] = path.split('.');
  return inner === undefined ? fields[name] !== undefined : fields[name]?.fields[inner] !== undefined;
}

function isGiven(path: string, given: Fields): boolean {
  const [name = '', inner] = path.split('.');
  if (!Object.hasOwn(given, name)) return false;
  const value = given[name];
  return inner === undefined || (isRecord(value) && Object.hasOwn(value, inner));
}
