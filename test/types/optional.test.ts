import { expect, test } from 'vitest';
import { diagnose } from '../support/compile.js';

const order = "amount: 1990, items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }]";

test.each([
  ['pix', `{ ${order}, paymentMethod: 'pix', customer: { name: 'Ana' }, pix: undefined }`],
  [
    'pix.expiration',
    `{ ${order}, paymentMethod: 'pix', customer: { name: 'Ana' }, pix: { expiration: undefined } }`,
  ],
  ['boleto', `{ ${order}, paymentMethod: 'boleto', boleto: undefined, customer: undefined }`],
  ['boleto.expirationDate', `{ ${order}, paymentMethod: 'boleto', boleto: { expirationDate: undefined } }`],
  ['threeDSData', `{ ${order}, paymentMethod: 'credit_card', wallet: {}, threeDSData: undefined }`],
])('%s accepts undefined under exactOptionalPropertyTypes', (_field, body) => {
  const source = `import type { CreatePayment } from '../../src/index.js';\nexport const body: CreatePayment = ${body};`;
  expect(diagnose({ 'test/types/body.ts': source }, { exactOptionalPropertyTypes: true })).toEqual({
    'test/types/body.ts': '',
  });
});
