import { closestName, plainName } from '../validation/closest-name.js';
import type { RuntimeSchema } from './runtime-schema.js';
import { valueAt } from './wire-names.js';

/** Names in other payment APIs and in Portuguese, with the fields of the API docs that hold the same. */
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
  ['secret', 'hmac_secret'],
  ['taxid', 'document.number'],
  ['token', 'cardTokenId'],
  ['url', 'webhook_url'],
  ['value', 'amount'],
  ['vencimento', 'expirationDate'],
]);

/**
 * Finds the field that an unknown name probably means, by its dotted path. Fields that the caller passed are left
 * out.
 */
export function findMeantField(name: string, { fields }: RuntimeSchema, value: unknown): string | undefined {
  const isMissing = (path: string) => {
    const [outer = '', inner] = path.split('.');
    const field = inner === undefined ? fields[outer] : fields[outer]?.fields[inner];
    return field !== undefined && valueAt(value, path.split('.')) === undefined;
  };
  // A field of an inner object that was written next to it: `installments` for `card.installments`.
  const nested = Object.keys(fields).flatMap((outer) =>
    Object.keys(fields[outer]?.fields ?? {})
      .filter((field) => plainName(field) === plainName(name))
      .map((field) => `${outer}.${field}`),
  );
  const candidates = [
    otherNames.get(plainName(name)),
    closestName(name, Object.keys(fields).filter(isMissing)),
    nested.length === 1 ? nested[0] : undefined,
  ];
  return candidates.find((path) => path !== undefined && isMissing(path));
}
