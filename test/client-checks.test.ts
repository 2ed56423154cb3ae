import {
  type PaymentPlatform,
  type PaymentPlatformError,
  sdkChecks,
  type ValidationError,
} from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { describe, expect, test } from 'vitest';
import { catchError, clientOn, onBothEngines } from './support/engines.js';
import { pf } from './support/onboarding.js';
import { id, openCard, paid, pix } from './support/payments.js';
import { formatResponse, rawServer } from './support/raw-server.js';
import { closedAfterEach } from './support/resources.js';

const opens = closedAfterEach();

/** Lists, for each check of a request, a call that the check rejects. `payment.reference` is about a response. */
const rejectedCalls: Record<
  Exclude<keyof typeof sdkChecks, 'payment.reference'>,
  (platform: PaymentPlatform) => Promise<unknown>
> = {
  'key.missingValue': (p) => p.payments.create(pix, { idempotencyKey: 'order-undefined' }),
  'key.misplaced': (p) => p.payments.create({ ...pix, metadata: { idempotency_key: '1' } }),
  'field.name': (p) => p.payments.create({ ...openCard, installments: 3 } as never),
  'field.undefined': (p) => p.submerchants.withdrawals.create({ internalId: id, amount: undefined }),
  'payment.required': (p) => p.payments.create({ ...pix, amount: undefined } as never),
  'payment.cardData': (p) => p.payments.create({ ...pix, card: openCard.card } as never),
  'customer.document': (p) =>
    p.payments.create({ ...pix, customer: { document: { number: ' ', type: 'cpf' } } }),
  'document.digits': (p) =>
    p.payments.create({ ...pix, customer: { document: { number: '11111111111', type: 'cpf' } } }),
  'item.values': (p) => p.payments.create({ ...pix, items: [{ title: 'Mug', quantity: 0, unitPrice: 1 }] }),
  'card.number': (p) =>
    p.payments.create({ ...openCard, card: { ...openCard.card, number: '4111111111111112' } }),
  'card.values': (p) => p.payments.create({ ...openCard, card: { ...openCard.card, installments: 0 } }),
  'person.birthDate': (p) => p.onboarding.submitPf({ ...pf, birthDate: '2190-02-28' }),
  'phone.plus': (p) => p.onboarding.submitPf({ ...pf, phone: '5511912345678' }),
  'file.empty': (p) => p.onboarding.resendDocuments(id, { selfie: new Uint8Array() }, { checkStatus: false }),
  'webhooks.event': (p) =>
    p.webhooks.create({ webhook_url: 'https://shop.example', events: ['transaction.payed'] }),
  'webhooks.secret': (p) =>
    p.webhooks.create({
      webhook_url: 'https://shop.example',
      events: [],
      hmac_secret: 'whsec_0123456789abcdef\n',
    }),
};
const checks = Object.keys(rejectedCalls) as (keyof typeof rejectedCalls)[];

test('every SDK check has a test', () =>
  expect([...checks, 'payment.reference'].sort()).toEqual(Object.keys(sdkChecks).sort()));

onBothEngines((engine) => {
  const platformWith = async (options: object) => {
    const server = opens(await rawServer(({ socket }) => socket.end(formatResponse(JSON.stringify(paid)))));
    return { platform: opens(clientOn(engine, server.url, options)), server };
  };

  describe.each(checks)('the SDK check %s', (check) => {
    test('rejects the mistake by default, before anything is sent', async () => {
      const { platform, server } = await platformWith({});
      const error = await catchError<ValidationError>(rejectedCalls[check](platform));
      expect(error).toMatchObject({ name: 'ValidationError', outcome: 'not-executed' });
      expect(error.issues).toHaveLength(1);
      expect(error.issues[0]).toMatchObject({ check });
      expect(server.requests).toEqual([]);
    });

    test.each([{ checks: 'document' }, { checks: { [check]: false } }])(
      'can be turned off with the option %j',
      async (options) => {
        const { platform, server } = await platformWith(options);
        await rejectedCalls[check](platform).catch((error: PaymentPlatformError) => {
          expect(error.name).not.toBe('ValidationError');
        });
        expect(server.requests).toHaveLength(1);
      },
    );
  });

  test('the option checks ignores values that it inherits from a prototype', async () => {
    const { platform } = await platformWith({ checks: Object.create({ 'key.missingValue': false }) });
    const error = await catchError<ValidationError>(rejectedCalls['key.missingValue'](platform));
    expect(error.issues).toMatchObject([{ check: 'key.missingValue' }]);
  });

  test('a misspelt field is sent if it is in extraBody, or if the correct field has the same value', async () => {
    const { platform } = await platformWith({});
    const { card } = openCard;
    for (const [order, extraBody] of [
      [openCard, { installments: 3 }],
      [openCard, { card: { ...card, parcelas: 3 } }],
      [{ ...openCard, card: { ...card, installments: 3, parcelas: 3 } }, undefined],
      [{ ...openCard, installments: undefined }, undefined],
      [{ ...pix, customer: { ...pix.customer, phone: '+5511912345678' } }, undefined],
    ] as const)
      expect(await platform.payments.create(order as never, { extraBody })).toMatchObject({ id: paid.id });
  });

  test('the sandbox rejects the same mistakes as the client, and clientOptions() contains its option checks', async () => {
    const body = { ...pix, card: openCard.card } as typeof pix;
    const strict = opens(createSandbox());
    const own = strict.clientOptions();
    const loose = opens(clientOn(engine, 'http://sandbox', { ...own, checks: 'document' }));
    expect(await catchError<PaymentPlatformError>(loose.payments.create(body))).toMatchObject({
      status: 400,
    });
    const open = opens(createSandbox({ checks: 'document' }));
    const client = opens(clientOn(engine, 'http://sandbox', open.clientOptions()));
    expect(await client.payments.create(body)).toMatchObject({ status: 'waiting_payment' });
  });
});

test.each([['nothing'], [null], [{ 'key.missing': false }], [{ 'key.missingValue': 'no' }]])(
  'the client’s constructor rejects the checks option %j',
  (input) => {
    expect(() => clientOn('node', 'http://127.0.0.1:9', { checks: input as never })).toThrow(/checks /);
  },
);

test('the sandbox rejects an empty file that the client did not check', async () => {
  const sandbox = opens(createSandbox());
  const client = opens(clientOn('ky', 'http://sandbox', { ...sandbox.clientOptions(), checks: 'document' }));
  const error = await catchError<PaymentPlatformError>(
    client.onboarding.submitPf({ ...pf, selfie: new Uint8Array() }),
  );
  expect(error).toMatchObject({ status: 400, message: expect.stringContaining('empty') });
});
