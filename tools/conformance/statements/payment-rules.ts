import { type Api, type ApiResponse, newKey } from '../api.js';
import {
  checkAllRejected,
  checkFields,
  isRejected,
  isSuccess,
  isText,
  type Statement,
  seen,
  type WrongRequest,
} from '../statement.js';
import { create, customer, openCard, pix } from './payment-bodies.js';

const section = 'Payments';
const request = 'POST /v1/payments';

/**
 * Bodies that must be rejected. They share an idempotency key, so that a platform that accepts them creates
 * at most one payment.
 */
const rejectBodies = (
  statement: string,
  bodies: (api: Api) => Readonly<Record<string, object>>,
): Statement => ({
  section,
  statement,
  expected: 'refused (4xx)',
  need: 'charge',
  check: (api) =>
    checkAllRejected(
      api,
      Object.entries(bodies(api)).map(
        ([label, body]): WrongRequest => [label, request, { body, key: newKey() }],
      ),
    ),
});

const accepted = (
  statement: string,
  bodies: (api: Api) => readonly object[],
  key: () => string = newKey,
): Statement => ({
  section,
  statement,
  expected: '2xx',
  need: 'charge',
  check: async (api) => {
    const responses: ApiResponse[] = [];
    for (const body of bodies(api)) responses.push(await create(api, body, key()));
    return seen(
      responses.every((response) => isSuccess(response) && isText(response.body?.id)),
      responses.map(({ status }) => status).join(', '),
    );
  },
});

const cardWithout = (api: Api, name: string) => {
  const { card } = createOpenCard(api);
  return openCard(api, { card: { ...card, [name]: undefined } });
};

const createOpenCard = (api: Api) => openCard(api) as unknown as { card: object };

const openFields = ['number', 'cvv', 'holderName', 'expirationMonth', 'expirationYear'];
const charge = (card: object, more: object = {}) =>
  pix({ paymentMethod: 'credit_card', customer: undefined, card, ...more });

export const paymentRuleStatements: readonly Statement[] = [
  accepted('100 and 15000000 cents are accepted', () => [
    pix({ amount: 100, items: [{ title: 'Conformance', quantity: 1, unitPrice: 100 }] }),
    pix({ amount: 15_000_000, items: [{ title: 'Conformance', quantity: 1, unitPrice: 15_000_000 }] }),
  ]),
  accepted(
    'A key of 255 characters is accepted',
    () => [pix()],
    () => newKey().padEnd(255, 'k'),
  ),
  rejectBodies('An item has a title, a quantity and a unitPrice', () => ({
    'no title': pix({ items: [{ quantity: 1, unitPrice: 1_990 }] }),
    'no quantity': pix({ items: [{ title: 'Conformance', unitPrice: 1_990 }] }),
    'no unitPrice': pix({ items: [{ title: 'Conformance', quantity: 1 }] }),
    'unitPrice with a fraction': pix({ items: [{ title: 'Conformance', quantity: 1, unitPrice: 19.9 }] }),
  })),
  rejectBodies('amount, paymentMethod and items are of their types', () => ({
    'amount as text': pix({ amount: '1990' }),
    'items as an object': pix({ items: {} }),
    'paymentMethod as a list': pix({ paymentMethod: ['pix'] }),
  })),
  rejectBodies('An open card needs number, cvv, holderName, expirationMonth and expirationYear', (api) =>
    Object.fromEntries(openFields.map((name) => [`without ${name}`, cardWithout(api, name)])),
  ),
  rejectBodies('An open card needs a customer', (api) => ({
    'without customer': openCard(api, { customer: undefined }),
  })),
  rejectBodies('Card modes are never mixed', (api) => {
    const { card } = createOpenCard(api);
    const upsellToken = newKey();
    const cardTokenId = newKey();
    return {
      'open and vault': openCard(api, { card: { ...card, cardTokenId } }),
      'open and upsell': openCard(api, { card: { ...card, upsellToken } }),
      'vault and upsell': charge({ cardTokenId, upsellToken }),
      'vault and cvv': charge({ cardTokenId, cvv: '123' }),
      'upsell and cvv': charge({ upsellToken, cvv: '123' }),
      'no mode': charge({}),
    };
  }),
  rejectBodies('Unknown card tokens and upsell tokens are refused', () => ({
    'an unknown vault token': charge({ cardTokenId: newKey() }),
    'an unknown upsell token': charge({ upsellToken: newKey() }),
  })),
  {
    section,
    statement: 'A vault charge needs no customer, and refuses one; it has no upsell token',
    expected: '2xx without upsell; 4xx with a customer',
    need: 'charge',
    isAssumed: true,
    check: async (api) => {
      const { card } = createOpenCard(api);
      const { body } = await api.send('POST /v1/vault/tokenize', { body: card });
      const token = { cardTokenId: body?.cardTokenId };
      const paid = await create(api, charge(token), newKey());
      const rejected = await create(api, charge(token, { customer }), newKey());
      const holds = isSuccess(paid) && paid.body?.upsell === undefined && isRejected(rejected).holds;
      return seen(holds, `${paid.status}, ${rejected.status}`);
    },
  },
  rejectBodies('boleto options are valid only with boleto', () => ({
    'on a Pix': pix({ boleto: { expirationDate: '2099-12-31' } }),
  })),
  rejectBodies('The owner sub-account must be registered', () => ({
    'an unknown document': pix({ subMerchant: { document: { number: '11144477735' } } }),
  })),
  {
    ...rejectBodies('Split rules have at least one entry', () => ({ 'an empty list': pix({ split: [] }) })),
    isAssumed: true,
  },
  {
    ...rejectBodies('A wallet is sent alone, and only with credit_card', (api) => ({
      'on a Pix': pix({ wallet: { type: 'apple_pay', token: {} } }),
      'beside a card': openCard(api, { wallet: { type: 'apple_pay', token: {} } }),
    })),
    isAssumed: true,
  },
  {
    ...accepted('A Pix has an expiration in seconds, a boleto a due date', () => [
      pix({ pix: { expiration: 60 } }),
      pix({ paymentMethod: 'boleto', boleto: { expirationDate: '2099-12-31' } }),
    ]),
    isAssumed: true,
  },
  {
    section,
    statement: 'The customer in a response has every field, and an unknown one is null',
    expected: 'name, email, phone, documentNumber, documentType, address, where there is a customer',
    need: 'charge',
    check: async (api) => {
      const { body } = await create(api, pix(), newKey());
      if (!isText(body?.id)) return seen(false, 'no payment');
      if (body.customer === undefined) return seen(true, 'no customer');
      const names = ['name', 'email', 'phone', 'documentNumber', 'documentType', 'address'];
      const missing = names.filter((name) => body.customer[name] === undefined);
      return seen(
        missing.length === 0,
        missing.length === 0 ? names.join(', ') : `without ${missing.join(', ')}`,
      );
    },
  },
  {
    section,
    statement: 'A Pix and a boleto have no card and no upsell, and no refusal',
    expected: 'neither',
    need: 'charge',
    check: async (api) => {
      const responses = [
        await create(api, pix(), newKey()),
        await create(api, pix({ paymentMethod: 'boleto' }), newKey()),
      ];
      const found = responses.flatMap(({ body }) =>
        ['card', 'upsell'].filter((name) => name in (body ?? {})),
      );
      const areThere = responses.every(({ body }) => isText(body?.id));
      return seen(areThere && found.length === 0, found.join(', ') || 'neither');
    },
  },
  {
    section,
    statement: 'A charge on an upsell token has no upsell token of its own',
    expected: 'no upsell',
    need: 'charge',
    check: async (api) => {
      const { body } = await create(api, openCard(api), newKey());
      const upsellToken = body?.upsell?.token;
      if (!isText(upsellToken)) return seen(isText(body?.id), 'no upsell.token: it is best effort');
      return checkFields(await create(api, charge({ upsellToken }), newKey()), {
        upsell: (value) => value === undefined,
      });
    },
  },
  {
    section: 'Limits',
    statement: 'More than 30 calls of the vault a minute get a 429',
    expected: '429 within 32 calls',
    need: 'write',
    check: async (api) => {
      let calls = 0;
      for (let status = 0; status !== 429 && calls < 32; calls++) {
        ({ status } = await api.send('POST /v1/vault/tokenize', { body: {}, isLimited: true }));
        if (status === 429) return seen(true, `429 after ${calls} calls`);
      }
      return seen(false, `no 429 within ${calls} calls`);
    },
  },
];
