import { type Api, type ApiResponse, newKey } from '../api.js';
import {
  about,
  assumed,
  checkFields,
  isOneOf,
  isRejected,
  isSuccess,
  isText,
  isTime,
  isUuid,
  type Statement,
  seen,
} from '../statement.js';

const payments = about('Payments');
const errors = about('Errors');

const statuses = ['waiting_payment', 'paid', 'refused', 'refunded', 'in_analysis'];

const itemOf = (unitPrice: number) => [{ title: 'Conformance', quantity: 1, unitPrice }];
const customer = {
  name: 'Maria Silva',
  email: 'maria@example.com',
  document: { number: '52998224725', type: 'cpf' },
};

/** A Pix. Nobody pays it if the platform accepts it against a statement. */
export const pix = (more: object = {}) => ({
  externalId: `conformance-${newKey()}`,
  amount: 1_990,
  paymentMethod: 'pix',
  customer,
  items: itemOf(1_990),
  ...more,
});

const cardOf = (api: Api) => ({
  number: api.target.card,
  cvv: '123',
  holderName: 'MARIA SILVA',
  expirationMonth: 12,
  expirationYear: new Date().getUTCFullYear() + 3,
  installments: 1,
});
const openCard = (api: Api, more: object = {}) =>
  pix({ paymentMethod: 'credit_card', card: cardOf(api), ...more });
/** A charge on a token, without a customer. */
const charge = (card: object, more: object = {}) =>
  pix({ paymentMethod: 'credit_card', customer: undefined, card, ...more });

const create = (api: Api, body: object, key = newKey()) => api.send('POST /v1/payments', { body, key });

/** Bodies that must be rejected, each with its mistake. */
const refuses = (statement: string, bodies: (api: Api) => Readonly<Record<string, object>>): Statement =>
  payments.refuses('charge', statement, (api) =>
    Object.entries(bodies(api)).map(([label, body]) => [label, 'POST /v1/payments', { body, key: newKey() }]),
  );

const refusesPix = (statement: string, more: object) => refuses(statement, () => ({ payment: pix(more) }));

const accepts = (statement: string, bodies: () => readonly object[], key = newKey): Statement =>
  payments.charges(statement, '2xx', async (api) => {
    const responses: ApiResponse[] = [];
    for (const body of bodies()) responses.push(await create(api, body, key()));
    return seen(
      responses.every((response) => isSuccess(response) && isText(response.body?.id)),
      responses.map(({ status }) => status).join(', '),
    );
  });

const openFields = ['number', 'cvv', 'holderName', 'expirationMonth', 'expirationYear'];
const customerFields = ['name', 'email', 'phone', 'documentNumber', 'documentType', 'address'];

export const paymentStatements: readonly Statement[] = [
  refusesPix('The amount is at least 100 cents', { amount: 99 }),
  refusesPix('The amount is at most 15000000 cents', { amount: 15_000_001 }),
  refusesPix('The amount is an integer', { amount: 19.9 }),
  refusesPix('A payment has at least one item', { items: [] }),
  refusesPix('A Pix needs a customer', { customer: undefined }),
  refusesPix('paymentMethod is pix, credit_card or boleto', { paymentMethod: 'cheque' }),
  payments.refuses('charge', 'x-idempotency-key has at most 255 characters', () => [
    ['256 characters', 'POST /v1/payments', { body: pix(), key: 'k'.repeat(256) }],
  ]),
  payments.charges(
    'A Pix is created',
    'id, status, amount, paymentMethod, createdAt, externalReference, items',
    async (api) => {
      const body = pix();
      return checkFields(await create(api, body), {
        id: isUuid,
        status: isOneOf(...statuses),
        amount: isOneOf(1_990),
        paymentMethod: isOneOf('pix'),
        createdAt: isTime,
        externalReference: isOneOf(body.externalId),
        items: (value) => JSON.stringify(value) === JSON.stringify(body.items),
        card: isOneOf(undefined),
      });
    },
  ),
  assumed(
    payments.charges('The response to a creation has the status 201', '201', async (api) => {
      const { status } = await create(api, pix());
      return seen(status === 201, status);
    }),
  ),
  errors.charges(
    'The same key and payload return the existing payment, without a new charge',
    'the same id',
    async (api) => {
      const [body, key] = [pix(), newKey()];
      const [first, again] = [await create(api, body, key), await create(api, body, key)];
      const isSame = isText(first.body?.id) && first.body.id === again.body?.id;
      return seen(isSuccess(again) && isSame, `${first.status}, ${again.status}`);
    },
  ),
  errors.charges('Without the header every request creates a new charge', 'two ids', async (api) => {
    const body = pix();
    const send = () => api.send('POST /v1/payments', { body });
    const [first, second] = [await send(), await send()];
    const differ = first.body?.id !== second.body?.id;
    return seen(isSuccess(first) && isSuccess(second) && differ, `${first.status}, ${second.status}`);
  }),
  payments.charges('A boleto is created, and its PDF is read', 'application/pdf', async (api) => {
    const { body } = await create(api, pix({ paymentMethod: 'boleto' }));
    const { status, headers } = await api.send(`GET /v1/payments/${body?.id}/boleto`);
    const type = headers.get('content-type') ?? '';
    return seen(status === 200 && type.startsWith('application/pdf'), `${status} ${type}`);
  }),
  payments.charges(
    'A card in the response has brand and last4, and neither PAN, CVV, holder nor expiry',
    'brand, last4',
    async (api) => {
      const { status, body } = await create(api, openCard(api));
      const { brand, last4, ...rest } = body?.card ?? {};
      const holds = isText(brand) && last4 === api.target.card.slice(-4) && Object.keys(rest).length === 0;
      return seen(holds, `${status} ${Object.keys(body?.card ?? {}).join(', ')}`);
    },
  ),
  errors.charges(
    'Replaying the origin returns the same upsell.token; replaying its charge the same transaction',
    'one token, one payment',
    async (api) => {
      const [origin, key, upsellKey] = [openCard(api), newKey(), newKey()];
      const [first, again] = [await create(api, origin, key), await create(api, origin, key)];
      const upsellToken = first.body?.upsell?.token;
      if (upsellToken === undefined) return seen(false, 'no upsell.token');
      const body = charge({ upsellToken });
      const [paid, replayed] = [await create(api, body, upsellKey), await create(api, body, upsellKey)];
      const isSame = again.body?.upsell?.token === upsellToken && paid.body?.id === replayed.body?.id;
      return seen(
        isSame && isSuccess(paid),
        [first, again, paid, replayed].map(({ status }) => status).join(', '),
      );
    },
  ),
  payments.charges('A charge on an upsell token has no customer', 'refused (4xx)', async (api) => {
    const { body } = await create(api, openCard(api));
    return isRejected(await create(api, charge({ upsellToken: body?.upsell?.token }, { customer })));
  }),
  payments.reads('POST /v1/vault/tokenize exists', 'not 404 or 405', async (api) => {
    const { status } = await api.send('POST /v1/vault/tokenize', { body: {} });
    return seen(status !== 404 && status !== 405 && status < 500, status);
  }),
  accepts('100 and 15000000 cents are accepted', () =>
    [100, 15_000_000].map((amount) => pix({ amount, items: itemOf(amount) })),
  ),
  accepts(
    'A key of 255 characters is accepted',
    () => [pix()],
    () => newKey().padEnd(255, 'k'),
  ),
  refuses('An item has a title, a quantity and a unitPrice', () => ({
    'no title': pix({ items: [{ quantity: 1, unitPrice: 1_990 }] }),
    'no quantity': pix({ items: [{ title: 'Conformance', unitPrice: 1_990 }] }),
    'no unitPrice': pix({ items: [{ title: 'Conformance', quantity: 1 }] }),
    'unitPrice with a fraction': pix({ items: itemOf(19.9) }),
  })),
  refuses('amount, paymentMethod and items are of their types', () => ({
    'amount as text': pix({ amount: '1990' }),
    'items as an object': pix({ items: {} }),
    'paymentMethod as a list': pix({ paymentMethod: ['pix'] }),
  })),
  refuses('An open card needs number, cvv, holderName, expirationMonth and expirationYear', (api) =>
    Object.fromEntries(
      openFields.map((name) => [
        `without ${name}`,
        openCard(api, { card: { ...cardOf(api), [name]: undefined } }),
      ]),
    ),
  ),
  refuses('An open card needs a customer', (api) => ({
    'without customer': openCard(api, { customer: undefined }),
  })),
  refuses('Card modes are never mixed', (api) => {
    const [card, upsellToken, cardTokenId] = [cardOf(api), newKey(), newKey()];
    return {
      'open and vault': openCard(api, { card: { ...card, cardTokenId } }),
      'open and upsell': openCard(api, { card: { ...card, upsellToken } }),
      'vault and upsell': charge({ cardTokenId, upsellToken }),
      'vault and cvv': charge({ cardTokenId, cvv: '123' }),
      'upsell and cvv': charge({ upsellToken, cvv: '123' }),
      'no mode': charge({}),
    };
  }),
  refuses('Unknown card tokens and upsell tokens are refused', () => ({
    'an unknown vault token': charge({ cardTokenId: newKey() }),
    'an unknown upsell token': charge({ upsellToken: newKey() }),
  })),
  assumed(
    payments.charges(
      'A vault charge needs no customer, and refuses one; it has no upsell token',
      '2xx without upsell; 4xx with a customer',
      async (api) => {
        const { body } = await api.send('POST /v1/vault/tokenize', { body: cardOf(api) });
        const token = { cardTokenId: body?.cardTokenId };
        const paid = await create(api, charge(token));
        const rejected = await create(api, charge(token, { customer }));
        const holds = isSuccess(paid) && paid.body?.upsell === undefined && isRejected(rejected).holds;
        return seen(holds, `${paid.status}, ${rejected.status}`);
      },
    ),
  ),
  refuses('boleto options are valid only with boleto', () => ({
    'on a Pix': pix({ boleto: { expirationDate: '2099-12-31' } }),
  })),
  refuses('The owner sub-account must be registered', () => ({
    'an unknown document': pix({ subMerchant: { document: { number: '11144477735' } } }),
  })),
  assumed(refuses('Split rules have at least one entry', () => ({ 'an empty list': pix({ split: [] }) }))),
  assumed(
    refuses('A wallet is sent alone, and only with credit_card', (api) => ({
      'on a Pix': pix({ wallet: { type: 'apple_pay', token: {} } }),
      'beside a card': openCard(api, { wallet: { type: 'apple_pay', token: {} } }),
    })),
  ),
  assumed(
    accepts('A Pix has an expiration in seconds, a boleto a due date', () => [
      pix({ pix: { expiration: 60 } }),
      pix({ paymentMethod: 'boleto', boleto: { expirationDate: '2099-12-31' } }),
    ]),
  ),
  payments.charges(
    'The customer in a response has every field, and an unknown one is null',
    `${customerFields.join(', ')}, if the payment has a customer`,
    async (api) => {
      const { body } = await create(api, pix());
      if (!isText(body?.id)) return seen(false, 'no payment');
      if (body.customer === undefined) return seen(true, 'no customer');
      const missing = customerFields.filter((name) => body.customer[name] === undefined);
      return seen(
        missing.length === 0,
        missing.length === 0 ? 'every field' : `without ${missing.join(', ')}`,
      );
    },
  ),
  payments.charges(
    'A Pix and a boleto have no card and no upsell, and no refusal',
    'neither',
    async (api) => {
      const responses = [await create(api, pix()), await create(api, pix({ paymentMethod: 'boleto' }))];
      const found = responses.flatMap(({ body }) =>
        ['card', 'upsell'].filter((name) => name in (body ?? {})),
      );
      const areThere = responses.every(({ body }) => isText(body?.id));
      return seen(areThere && found.length === 0, found.join(', ') || 'neither');
    },
  ),
  payments.charges('A charge with an upsell token gets no new upsell token', 'no upsell', async (api) => {
    const { body } = await create(api, openCard(api));
    const upsellToken = body?.upsell?.token;
    if (!isText(upsellToken)) return seen(isText(body?.id), 'no upsell.token: it is best effort');
    return checkFields(await create(api, charge({ upsellToken })), { upsell: isOneOf(undefined) });
  }),
  about('Limits').writes(
    'More than 30 calls of the vault a minute get a 429',
    '429 within 32 calls',
    async (api) => {
      for (let calls = 0; calls < 32; calls++) {
        const sent = await api.send('POST /v1/vault/tokenize', { body: {}, isLimited: true });
        if (sent.status === 429) return seen(true, `429 after ${calls} calls`);
      }
      return seen(false, 'no 429 within 32 calls');
    },
  ),
];
