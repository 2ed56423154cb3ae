import { newKey, uuid } from '../api.js';
import {
  checkFields,
  isOneOf,
  isRejected,
  isSuccess,
  isText,
  isTime,
  type Statement,
  seen,
} from '../statement.js';

import { create, items, openCard, pix, statuses } from './payment-bodies.js';

const section = 'Payments';
/**
 * Creates a statement about a payment that must be rejected. The payment is a Pix, so that nobody pays it if
 * the platform accepts it.
 */
const rejectPayment = (statement: string, more: object, key?: string): Statement => ({
  section,
  statement,
  expected: 'refused (4xx)',
  need: 'charge',
  check: async (api) =>
    isRejected(await api.send('POST /v1/payments', { body: pix(more), ...(key !== undefined && { key }) })),
});

export const paymentStatements: readonly Statement[] = [
  rejectPayment('The amount is at least 100 cents', { amount: 99 }),
  rejectPayment('The amount is at most 15000000 cents', { amount: 15_000_001 }),
  rejectPayment('The amount is an integer', { amount: 19.9 }),
  rejectPayment('A payment has at least one item', { items: [] }),
  rejectPayment('A Pix needs a customer', { customer: undefined }),
  rejectPayment('paymentMethod is pix, credit_card or boleto', { paymentMethod: 'cheque' }),
  rejectPayment('x-idempotency-key has at most 255 characters', {}, 'k'.repeat(256)),
  {
    section,
    statement: 'A Pix is created',
    expected: 'id, status, amount, paymentMethod, createdAt, externalReference, items',
    need: 'charge',
    check: async (api) => {
      const body = pix();
      return checkFields(await create(api, body, newKey()), {
        id: (value) => uuid.test(String(value)),
        status: isOneOf(...statuses),
        amount: isOneOf(1_990),
        paymentMethod: isOneOf('pix'),
        createdAt: isTime,
        externalReference: isOneOf(body.externalId),
        items: (value) => JSON.stringify(value) === JSON.stringify(items),
        card: isOneOf(undefined),
      });
    },
  },
  {
    section,
    statement: 'The response to a creation has the status 201',
    expected: '201',
    need: 'charge',
    isAssumed: true,
    check: async (api) => {
      const { status } = await create(api, pix(), newKey());
      return seen(status === 201, String(status));
    },
  },
  {
    section: 'Errors',
    statement: 'The same key and payload return the existing payment, without a new charge',
    expected: 'the same id',
    need: 'charge',
    check: async (api) => {
      const body = pix();
      const key = newKey();
      const [first, again] = [await create(api, body, key), await create(api, body, key)];
      const isSame = isText(first.body?.id) && first.body.id === again.body?.id;
      return seen(isSuccess(again) && isSame, `${first.status}, ${again.status}`);
    },
  },
  {
    section: 'Errors',
    statement: 'Without the header every request creates a new charge',
    expected: 'two ids',
    need: 'charge',
    check: async (api) => {
      const body = pix();
      const [first, second] = [await create(api, body), await create(api, body)];
      const differ = first.body?.id !== second.body?.id;
      return seen(isSuccess(first) && isSuccess(second) && differ, `${first.status}, ${second.status}`);
    },
  },
  {
    section,
    statement: 'A boleto is created, and its PDF is read',
    expected: 'application/pdf',
    need: 'charge',
    check: async (api) => {
      const { body } = await create(api, pix({ paymentMethod: 'boleto' }), newKey());
      const { status, headers } = await api.send(`GET /v1/payments/${body?.id}/boleto`);
      const type = headers.get('content-type') ?? '';
      return seen(status === 200 && type.startsWith('application/pdf'), `${status} ${type}`);
    },
  },
  {
    section,
    statement: 'A card in the response has brand and last4, and neither PAN, CVV, holder nor expiry',
    expected: 'brand, last4',
    need: 'charge',
    check: async (api) => {
      const { status, body } = await create(api, openCard(api), newKey());
      const { brand, last4, ...rest } = body?.card ?? {};
      const holds = isText(brand) && last4 === api.target.card.slice(-4) && Object.keys(rest).length === 0;
      return seen(holds, `${status} ${Object.keys(body?.card ?? {}).join(', ')}`);
    },
  },
  {
    section: 'Errors',
    statement:
      'Replaying the origin returns the same upsell.token; replaying its charge the same transaction',
    expected: 'one token, one payment',
    need: 'charge',
    check: async (api) => {
      const [origin, key, upsellKey] = [openCard(api), newKey(), newKey()];
      const first = await create(api, origin, key);
      const again = await create(api, origin, key);
      const upsellToken = first.body?.upsell?.token;
      if (upsellToken === undefined) return seen(false, 'no upsell.token');
      const charge = pix({ paymentMethod: 'credit_card', customer: undefined, card: { upsellToken } });
      const [paid, replayed] = [await create(api, charge, upsellKey), await create(api, charge, upsellKey)];
      const holds =
        again.body?.upsell?.token === upsellToken && isSuccess(paid) && paid.body.id === replayed.body?.id;
      return seen(holds, `${first.status}, ${again.status}, ${paid.status}, ${replayed.status}`);
    },
  },
  {
    section,
    statement: 'A charge on an upsell token has no customer',
    expected: 'refused (4xx)',
    need: 'charge',
    check: async (api) => {
      const { body } = await create(api, openCard(api), newKey());
      const card = { upsellToken: body?.upsell?.token };
      return isRejected(await create(api, pix({ paymentMethod: 'credit_card', card }), newKey()));
    },
  },
  {
    section,
    statement: 'POST /v1/vault/tokenize exists',
    expected: 'not 404 or 405',
    need: 'read',
    check: async (api) => {
      const { status } = await api.send('POST /v1/vault/tokenize', { body: {} });
      return seen(status !== 404 && status !== 405 && status < 500, String(status));
    },
  },
];
