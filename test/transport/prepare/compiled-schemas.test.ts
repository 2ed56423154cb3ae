import { expect, test } from 'vitest';
import { mismatches } from '../../../src/contract/schema-issues.js';
import { operationSchemas } from '../../../src/transport/prepare/schemas.js';
import { paid, pix } from '../../support/payments.js';

const wrong = [
  {},
  [],
  { ...pix, amount: 99 },
  { ...pix, amount: '1990' },
  { ...pix, items: [] },
  { ...pix, items: [{ title: 1, quantity: 1.5, unitPrice: 2 ** 53 }] },
  { ...pix, paymentMethod: 'cash', customer: { name: 7, document: { number: ' ' } } },
  { ...pix, card: { number: '', expirationMonth: 'May' }, metadata: [] },
];

test('a schema that was compiled, because it was used often, says the same as before', async () => {
  const { request, response } = await operationSchemas('payments.create');
  if (request === undefined || response === undefined) throw new Error('payments.create has no schemas');
  const said = () => [
    ...[pix, ...wrong].map((body) => mismatches(request, body)),
    ...[paid, {}, { ...paid, id: 'x', status: 7, added: 1 }].map((body) => mismatches(response, body)),
  ];
  const before = said();
  expect(before[0]).toEqual([]);
  expect(before.filter((issues) => issues.length > 0).length).toBeGreaterThanOrEqual(wrong.length);
  // More than it takes: nothing outside can tell when it is.
  for (let round = 0; round < 200; round++) expect(said()).toEqual(before);
});
