import { expect, test } from 'vitest';
import { shapes } from '../../src/contract/generated/shapes.js';
import { listSecretPaths, type RuntimeSchema } from '../../src/contract/runtime-schema.js';
import { MessageRedactor } from '../../src/redact/message-redactor.js';

/** Lists the dotted paths of a request's values. */
function leaves({ fields, entries }: RuntimeSchema, path: readonly string[] = []): (readonly string[])[] {
  const inner = Object.entries(fields);
  if (entries !== undefined) return leaves(entries, [...path, '0']);
  return inner.length === 0 ? [path] : inner.flatMap(([name, field]) => leaves(field, [...path, name]));
}

const value = 'Xavantina Quixeramobim';

function isHidden(path: readonly string[]): boolean {
  const body = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return new MessageRedactor({ named: body }).show(value) === '[redacted]';
}

const requests = Object.values(shapes).flatMap(({ request }) => (request === undefined ? [] : [request]));
const paths = [
  ...new Set(requests.flatMap((request) => leaves(request).map((path) => path.join('.')))),
].filter((path) => path !== '');

test.each(['comprador', 'destinatario', 'endereco', 'bairro', 'rua', 'passaporte'])(
  'messages hide the value of a merchant’s own field %s',
  (name) => {
    expect(isHidden(['metadata', name])).toBe(true);
  },
);

test('messages hide every secret field of a request', () => {
  const secret = requests.flatMap((request) => listSecretPaths(request)).filter((path) => path !== '');
  expect(secret.length).toBeGreaterThan(5);
  expect(secret.filter((path) => !isHidden(path.split('.')))).toEqual([]);
});

/** Files appear here without their names and bytes, which other tests cover. */
const visible = [
  'addressCountry',
  'addressState',
  'amount',
  'bankAccount.bankAccountType',
  'bankAccount.bankCode',
  'bankAccount.bankName',
  'boleto.expirationDate',
  'card.expirationMonth',
  'card.expirationYear',
  'card.installments',
  'certificate',
  'client_id',
  'cnhCompleta',
  'contratoSocial',
  'customer.document.type',
  'documentType',
  'documentoFrente',
  'documentoVerso',
  'domainName',
  'events.0',
  'externalId',
  'grant_type',
  'items.0.quantity',
  'items.0.title',
  'items.0.unitPrice',
  'metadata',
  'paymentMethod',
  'pix.expiration',
  'selfie',
  'split.0',
  'statementDescriptor',
  'subMerchant.document.type',
  'url',
  'webhook_url',
];

test('messages show only the listed fields of a request', () => {
  expect(paths.filter((path) => !isHidden(path.split('.'))).sort()).toEqual(visible);
});
