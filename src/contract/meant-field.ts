import { closestName, plainName } from '../validation/closest-name.js';
import type { RuntimeSchema } from './runtime-schema.js';
import { valueAt } from './wire-names.js';

/** Maps names of other payment APIs and Portuguese names to the corresponding fields of the API docs. */
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
 * Finds the field that an unknown name probably means, by its dotted path. Skips fields that the caller
 * passed.
 */
export function findMeantField(name: string, { fields }: RuntimeSchema, value: unknown): string | undefined {
  const isMissing = (path: string) => {
    const [outer = '', inner] = path.split('.');
    const field = inner === undefined ? fields[outer] : fields[outer]?.fields[inner];
    return field !== undefined && valueAt(value, path.split('.')) === undefined;
  };
  // Nested fields are also candidates, such as `card.installments` for a top-level `installments`.
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
