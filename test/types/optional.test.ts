import { expect, test } from 'vitest';
import { diagnose } from '../support/compile.js';

const order = "amount: 1990, items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }]";
const card =
  "number: '4111111111111111', cvv: '737', holderName: 'ANA', expirationMonth: 12, expirationYear: 2030";

const bodies: readonly (readonly [field: string, body: string])[] = [
  ['pix', `{ ${order}, paymentMethod: 'pix', customer: { name: 'Ana' }, pix: undefined }`],
  [
    'pix.expiration',
    `{ ${order}, paymentMethod: 'pix', customer: { name: 'Ana' }, pix: { expiration: undefined } }`,
  ],
  ['boleto', `{ ${order}, paymentMethod: 'boleto', boleto: undefined, customer: undefined }`],
  ['boleto.expirationDate', `{ ${order}, paymentMethod: 'boleto', boleto: { expirationDate: undefined } }`],
  [
    'every field that a charge with raw card data excludes',
    `{ ${order}, paymentMethod: 'credit_card', customer: { name: 'Ana' }, wallet: undefined, card: { ${card}, cardTokenId: undefined, upsellToken: undefined } }`,
  ],
  [
    'every field that a charge with a token excludes',
    `{ ${order}, paymentMethod: 'credit_card', wallet: undefined, customer: undefined, card: { cardTokenId: 't', number: undefined, cvv: undefined, holderName: undefined, upsellToken: undefined } }`,
  ],
  [
    'every field that a one-click charge excludes',
    `{ ${order}, paymentMethod: 'credit_card', wallet: undefined, customer: undefined, threeDSData: undefined, card: { upsellToken: 't', number: undefined, cvv: undefined, holderName: undefined, cardTokenId: undefined } }`,
  ],
  ['card', `{ ${order}, paymentMethod: 'credit_card', wallet: {}, card: undefined }`],
  ['threeDSData', `{ ${order}, paymentMethod: 'credit_card', wallet: {}, threeDSData: undefined }`],
];

const toPath = (index: number) => `test/types/body-${index}.ts`;
const printed = diagnose(
  Object.fromEntries(
    bodies.map(([, body], index) => [
      toPath(index),
      `import type { CreatePayment } from '../../src/index.js';\nexport const body: CreatePayment = ${body};`,
    ]),
  ),
  { exactOptionalPropertyTypes: true },
);

test.each(bodies.map(([field], index) => [field, index] as const))(
  '%s accepts undefined under exactOptionalPropertyTypes',
  (_, index) => {
    expect(printed[toPath(index)]).toBe('');
  },
);
