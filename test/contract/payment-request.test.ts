import { describe, expect, test } from 'vitest';
import { getOperation, operations } from '../../src/contract/index.js';
import { limits } from '../../src/contract/limits.js';
import type { Fields } from '../../src/contract/operation.js';
import { paymentMethods } from '../../src/contract/payments/methods.js';
import { createPaymentRules } from '../../src/contract/payments/rules.js';
import { schemaDrift } from '../../src/contract/schema-drift.js';
import { findSchemas } from '../../src/contract/schemas.js';
import { openCard, pix } from '../support/payments.js';

const methods = paymentMethods.join(', ');

const { request: CreatePaymentSchema } = findSchemas('payments.create') as Required<
  ReturnType<typeof findSchemas>
>;
const { customer, card, ...order } = openCard;
const { customer: _, ...bare } = pix;
const vault = { ...order, card: { cardTokenId: 'tok' } };
const upsell = { ...order, card: { upsellToken: 'tok' } };
const wallet = { ...order, wallet: { paymentData: {} } };
const boleto = { ...bare, paymentMethod: 'boleto' };

/** Lists the problems as `path: message`. */
const problems = (payment: unknown) =>
  [...schemaDrift(CreatePaymentSchema, payment), ...createPaymentRules(payment as Fields)].map(
    ({ path, message }) => `${path}: ${message}`,
  );

describe('payments.create with a payment that the API docs allow', () => {
  const allowed: [string, object][] = [
    ['Pix', pix],
    ['Pix options with a fraction', { ...pix, pix: { expiration: 0.5 } }],
    ['a document without its type', { ...pix, customer: { document: { number: '1' } } }],
    ['Pix with its options', { ...pix, pix: { expiration: 60 } }],
    ['boleto without customer', boleto],
    ['boleto with a due date', { ...boleto, boleto: { expirationDate: '2026-12-01' } }],
    ['open card', openCard],
    ['open card in installments', { ...openCard, card: { ...card, installments: 12 } }],
    ['open card with 3DS', { ...openCard, threeDSData: { any: 'thing' } }],
    ['vault card', vault],
    ['vault card with 3DS', { ...vault, threeDSData: {} }],
    ['upsell', upsell],
    ['wallet', wallet],
    ['wallet with customer', { ...wallet, customer }],
    ['100 cents', { ...pix, amount: 100 }],
    ['15000000 cents', { ...pix, amount: 15_000_000 }],
    [
      'a split',
      {
        ...pix,
        split: [{ any: 'rule' }],
        subMerchant: { document: { number: '11222333000181', type: 'cnpj' } },
      },
    ],
    [
      'everything else',
      { ...pix, clientIp: '203.0.113.7', statementDescriptor: 'LOJA', metadata: { a: [1, null] } },
    ],
  ];
  test.each(allowed)('accepts %s', (_name, payment) => {
    expect(problems(payment)).toEqual([]);
  });

  const silent: [string, object][] = [
    ['no externalId', { ...pix, externalId: undefined }],
    ['a customer without any field', { ...pix, customer: {} }],
    [
      'an item of negative price, as a discount',
      { ...pix, items: [{ title: '', quantity: 1, unitPrice: -1 }] },
    ],
    ['items whose sum differs from the amount', { ...pix, amount: 5_000 }],
    [
      'a card number that a proxy replaces on its way',
      { ...openCard, card: { ...card, number: 'alias-1', cvv: 'alias-2' } },
    ],
    ['a passport', { ...pix, customer: { document: { number: '1', type: 'passport' } } }],
    ['unknown fields', { ...pix, colour: 'red' }],
    ['3DS data with a wallet', { ...wallet, threeDSData: {} }],
  ];
  test.each(silent)('is as permissive as the API docs about %s', (_name, payment) => {
    expect(problems(payment)).toEqual([]);
  });
});

describe('payments.create with a payment that the API docs rule out', () => {
  const rejected: [string, object, string[]][] = [
    ['99 cents', { ...pix, amount: 99 }, ['amount: must be at least 100 cents']],
    ['15000001 cents', { ...pix, amount: 15_000_001 }, ['amount: must be at most 15000000 cents']],
    [
      'half a cent',
      { ...pix, amount: 100.5 },
      ['amount: must be an integer in cents, got 100.5. Did you mean 10050 (R$ 100,50)?'],
    ],
    ['no amount', { ...pix, amount: undefined }, ['amount: is required']],
    ['no method', { ...pix, paymentMethod: undefined }, [`paymentMethod: is required: one of ${methods}`]],
    ['another method', { ...pix, paymentMethod: 'cash' }, [`paymentMethod: must be one of ${methods}`]],
    ['no items', { ...pix, items: [] }, ['items: must have at least one item']],
    [
      'an item without title',
      { ...pix, items: [{ quantity: 1, unitPrice: 1 }] },
      ['items.0.title: is required'],
    ],
    ['Pix without customer', bare, ["customer: is required with paymentMethod 'pix'"]],
    ['open card without customer', { ...order, card }, ['customer: is required with raw card data']],
    [
      'vault card with customer',
      { ...vault, customer },
      ['customer: must be absent for a vault-token payment (cardTokenId)'],
    ],
    [
      'upsell with customer',
      { ...upsell, customer },
      ['customer: must be absent for an upsell-token payment (upsellToken)'],
    ],
    [
      'upsell with 3DS',
      { ...upsell, threeDSData: {} },
      ['threeDSData: must be absent for an upsell-token payment (upsellToken)'],
    ],
    [
      'card and wallet',
      { ...openCard, wallet: {} },
      ['wallet: card and wallet cannot be combined. Send one of them'],
    ],
    ['wallet with Pix', { ...pix, wallet: {} }, ["wallet: is only allowed with paymentMethod 'credit_card'"]],
    [
      'wallet with boleto',
      { ...boleto, wallet: {} },
      ["wallet: is only allowed with paymentMethod 'credit_card'"],
    ],
    [
      'boleto options with Pix',
      { ...pix, boleto: {} },
      ["boleto: is only allowed with paymentMethod 'boleto'"],
    ],
    [
      'boleto options with a card',
      { ...vault, boleto: {} },
      ["boleto: is only allowed with paymentMethod 'boleto'"],
    ],
    ['an empty split', { ...pix, split: [] }, ['split: must have at least one rule']],
    [
      'a token and a PAN',
      { ...vault, card: { cardTokenId: 't', number: card.number } },
      [expect.stringContaining('card: must have raw card data, cardTokenId or upsellToken')],
    ],
    [
      'two tokens',
      { ...vault, card: { cardTokenId: 't', upsellToken: 'u' } },
      [expect.stringContaining('card: must have raw card data, cardTokenId or upsellToken')],
    ],
    [
      'an empty card',
      { ...order, card: { installments: 2 } },
      [expect.stringContaining('card: must have raw card data, cardTokenId or upsellToken')],
    ],
    [
      'an open card without CVV',
      { ...openCard, card: { ...card, cvv: undefined } },
      ['card.cvv: is required with raw card data'],
    ],
    [
      'an open card with only its number',
      { ...openCard, card: { number: '42' } },
      ['cvv', 'holderName', 'expirationMonth', 'expirationYear'].map(
        (name) => `card.${name}: is required with raw card data`,
      ),
    ],
    [
      'a month as a string',
      { ...openCard, card: { ...card, expirationMonth: '12' } },
      ['card.expirationMonth: must be a number, not a string'],
    ],
  ];
  test.each(rejected)('rejects %s', (_name, payment, expected) => {
    expect(problems(payment)).toEqual(expected);
  });

  const onlyForCards = "is only allowed with paymentMethod 'credit_card'";
  const crossed: [string, object, string[]][] = [
    ['a card with Pix', { ...pix, card }, [`card: ${onlyForCards}`]],
    ['a card with a boleto', { ...boleto, card, customer }, [`card: ${onlyForCards}`]],
    ['3DS data with Pix', { ...pix, threeDSData: {} }, [`threeDSData: ${onlyForCards}`]],
    ['3DS data with a boleto', { ...boleto, threeDSData: {} }, [`threeDSData: ${onlyForCards}`]],
    ['a vault card with Pix', { ...pix, card: { cardTokenId: 't' } }, [`card: ${onlyForCards}`]],
    [
      'a card with an unknown payment method',
      { ...openCard, paymentMethod: 'cash' },
      [`paymentMethod: must be one of ${methods}`],
    ],
    [
      'a card with Pix, without customer',
      { ...bare, card },
      [`card: ${onlyForCards}`, "customer: is required with paymentMethod 'pix'"],
    ],
    ['a card with a boleto, without customer', { ...boleto, card }, [`card: ${onlyForCards}`]],
    ['a card that is a string', { ...openCard, card: 'x' }, ['card: must be an object, not a string']],
    ['a card that is a list', { ...openCard, card: [] }, ['card: must be an object, not an array']],
    [
      'an empty card number',
      { ...openCard, card: { ...card, number: ' ' } },
      ['card.number: must not be empty'],
    ],
    [
      'an open card and an upsell token',
      { ...openCard, card: { ...card, upsellToken: 'u' } },
      [expect.stringContaining('card: must have raw card data, cardTokenId or upsellToken')],
    ],
    [
      'an open card without its number',
      { ...openCard, card: { ...card, number: undefined } },
      ['card.number: is required with raw card data'],
    ],
  ];
  test.each(crossed)('rejects the combination %s', (_name, payment, expected) => {
    expect(problems(payment)).toEqual(expected);
  });

  test('lists all problems of a payment in one error', () => {
    expect(
      problems({ amount: 1, paymentMethod: 'pix', items: [], wallet: {}, boleto: {}, split: [] }),
    ).toHaveLength(6);
  });
});

describe('the contract’s operations', () => {
  test('have unique ids, methods and paths', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length);
    for (const operation of operations) {
      expect(getOperation(operation.id)).toBe(operation);
      expect(Object.isFrozen(operation)).toBe(true);
    }
  });

  test('allow a retry without a key only if a repetition is harmless according to the API docs', () => {
    const harmless = operations.filter(({ method, replay }) => replay === 'natural' && method !== 'GET');
    // According to the API docs, these operations set the same fields, return the existing record or issue a
    // new token.
    expect(harmless.map(({ id }) => id)).toEqual([
      'submerchants.update',
      'domains.register',
      'certificates.revoke',
      'webhooks.update',
      'oauth.token',
    ]);
    for (const { replay, idempotencyKey } of operations) {
      if (replay === 'keyed') expect(idempotencyKey).not.toBe('none');
    }
  });

  test('have the limits that the API docs state', () => {
    expect(limits).toEqual({
      paymentAmountCents: { min: 100, max: 15_000_000 },
      idempotencyKeyLength: 255,
      oauthTokenSeconds: 3600,
      domainNameLength: 255,
      requestsPerMinute: { submerchants: 10, onboarding: 10, vault: 30 },
      earlierSubmerchantsPerMinute: 5,
      pixExpirationSeconds: 1800,
      boletoDueDays: 30,
      upsellTokenMinutes: 15,
      webhookEndpointsPerOrganization: 3,
      webhookTimeoutSeconds: 30,
      webhookResends: 3,
      webhookToleranceSeconds: 300,
      webhookSecretLength: { min: 16, max: 256 },
    });
  });
});
