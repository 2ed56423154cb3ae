import { closestName, plainName } from '../validation/closest-name.js';
import type { RuntimeSchema } from './runtime-schema.js';
import { valueAt } from './wire-names.js';

/** Names of other payment APIs, of the API docs' prose and in Portuguese, with the fields that they mean. */
const otherNames: readonly (readonly [name: string, field: string])[] = [
  ['3ds', 'threeDSData'],
  ['addressnumber', 'addressStreetNumber'],
  ['addressstreetnumber', 'addressNumber'],
  ['applepay', 'wallet'],
  ['boletooptions', 'boleto'],
  ['buyer', 'customer'],
  ['client', 'customer'],
  ['cliente', 'customer'],
  ['cnpj', 'document.number'],
  ['cpf', 'document.number'],
  ['documentnumber', 'document.number'],
  ['documenttype', 'document.type'],
  ['duedate', 'expirationDate'],
  ['duedate', 'boleto.expirationDate'],
  ['expiration', 'expirationDate'],
  ['expiresin', 'expiration'],
  ['externalreference', 'externalId'],
  ['installmentscount', 'installments'],
  ['installmentsquantity', 'installments'],
  ['numberofinstallments', 'installments'],
  ['orderid', 'externalId'],
  ['parcelas', 'installments'],
  ['payer', 'customer'],
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
  ['vencimento', 'boleto.expirationDate'],
];

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
    ...otherNames.filter(([other]) => other === plainName(name)).map(([, field]) => field),
    closestName(name, Object.keys(fields).filter(isMissing)),
    nested.length === 1 ? nested[0] : undefined,
  ];
  return candidates.find((path) => path !== undefined && isMissing(path));
}
