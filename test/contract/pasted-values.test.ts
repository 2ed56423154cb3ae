import { PaymentPlatform, type ValidationError } from 'payment-platform';
import { describe, expect, onTestFinished, test } from 'vitest';
import { certificate } from '../support/certificate.js';
import { catchError } from '../support/engines.js';
import { pix } from '../support/payments.js';

/** Creates a client whose requests all succeed, and collects the bodies that the client sends. */
function client(options: object = {}) {
  const sent: Record<string, unknown>[] = [];
  const platform = new PaymentPlatform({
    baseUrl: 'https://platform.example',
    clientId: 'client-id-1042',
    clientSecret: 'client-secret-1042',
    fetch: async (_, init) => {
      sent.push(JSON.parse(String(init?.body)));
      return Response.json({ id: 'p-1', status: 'paid', data: [] });
    },
    ...options,
  });
  onTestFinished(() => platform.close());
  return { platform, sent };
}

const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const catchIssues = async (call: Promise<unknown>) => (await catchError<ValidationError>(call)).issues;

describe('a webhook URL', () => {
  test.each([
    ' https://shop.example/hook',
    'https://shop.example/hook ',
    'https://shop.example/hook\n',
    'https://shop.example/ho\tok',
    'https://shop.example/ho ok',
    'https:shop.example',
    'https:/shop.example',
    'https:///shop.example',
    'https:\\\\shop.example\\hook',
    'https://shop.example/\u200bhook',
    'http://shop.example/hook',
    '//shop.example/hook',
    'shop.example/hook',
  ])('is rejected in create and update if it is %j', async (webhook_url) => {
    const { platform, sent } = client();
    const message = 'must be an HTTPS URL, without white space';
    for (const call of [
      platform.webhooks.create({ webhook_url, events: [] }),
      platform.webhooks.update(id, { webhook_url }),
    ])
      expect(await catchIssues(call)).toMatchObject([{ path: 'webhook_url', message }]);
    expect(sent).toEqual([]);
  });

  test.each(['https://shop.example/hook?a=1', 'https://SHOP.example:8443/olá', 'http://localhost:3000/hook'])(
    'is sent unchanged if it is %j',
    async (webhook_url) => {
      const { platform, sent } = client();
      await platform.webhooks.create({ webhook_url, events: [] });
      expect(sent).toMatchObject([{ webhook_url }]);
    },
  );
});

test.each(['whsec_0123456789abcdef\n', ' whsec_0123456789abcdef', 'whsec_0123456789abcdef\u00a0'])(
  'webhooks.create and webhooks.update reject the pasted secret %j',
  async (hmac_secret) => {
    const { platform, sent } = client();
    for (const call of [
      platform.webhooks.create({ webhook_url: 'https://shop.example', events: [], hmac_secret }),
      platform.webhooks.update(id, { hmac_secret }),
    ])
      expect(await catchIssues(call)).toMatchObject([
        { path: 'hmac_secret', message: expect.stringContaining('begins or ends with white space') },
      ]);
    expect(sent).toEqual([]);
  },
);

describe('the event name of a webhook', () => {
  test.each([
    'seller.approved',
    'transaction.settlement_completed',
    'payout.created',
    'withdrawal.paid',
    'pix.paid',
    'onboarding.status.updated',
    'transaction.created',
    'transaction.failed',
    'transaction.pending',
    'transaction.captured',
    'transaction.disputed',
    'transaction.partially_refunded',
  ])('is sent if it is %s, because the platform can add new events at any time', async (event) => {
    const { platform, sent } = client();
    await platform.webhooks.create({ webhook_url: 'https://shop.example', events: [event] });
    expect(sent).toMatchObject([{ events: [event] }]);
  });

  test.each([
    ['transaction.payed', 'transaction.paid'],
    ['transaction.expire', 'transaction.expired'],
    ['transaction.refund', 'transaction.refunded'],
    ['transaction.chargeback', 'transaction.chargedback'],
    ['transactions.paid', 'transaction.paid'],
    ['Transaction.Paid', 'transaction.paid'],
    ['transaction.paid ', 'transaction.paid'],
    ['paid', 'transaction.paid'],
    ['payment.paid', 'transaction.paid'],
    ['transaction.canceled', 'transaction.cancelled'],
    ['transaction.status_updated', 'transaction.status.updated'],
  ])('is rejected if it is %j, which resembles the documented event %s', async (event, meant) => {
    const { platform } = client();
    const call = platform.webhooks.create({ webhook_url: 'https://shop.example', events: [event] });
    expect(await catchIssues(call)).toMatchObject([
      { path: 'events.0', message: expect.stringContaining(`Did you mean ${meant}?`) },
    ]);
  });
});

describe('a credit_card payment without a card or a wallet', () => {
  const { customer, items, amount } = pix;
  const order = { externalId: 'order-1042', amount, items, customer, paymentMethod: 'credit_card' };

  test.each([{}, { creditCard: { number: '4111111111111111' } }, { cartao: {} }, { card: undefined }])(
    'is rejected if its other fields are %j',
    async (others) => {
      const { platform, sent } = client();
      for (const call of [
        () => platform.payments.create({ ...order, ...others } as never),
        () => platform.payments.reconcile({ ...order, ...others } as never, { idempotencyKey: 'order-1042' }),
        async () => platform.payments.validate({ ...order, ...others } as never),
      ])
        expect(await catchIssues(call())).toMatchObject([{ path: 'card', check: 'payment.required' }]);
      expect(sent).toEqual([]);
    },
  );

  test('is rejected with an error that asks whether the unknown field creditCard should be card', async () => {
    const { platform } = client();
    const call = platform.payments.create({ ...order, creditCard: {} } as never);
    expect((await catchIssues(call))[0]?.message).toContain('Did you mean card instead of creditCard?');
  });

  test('is sent if extraBody contains a wallet, or if the check is turned off', async () => {
    for (const [options, others] of [
      [{}, { extraBody: { wallet: { token: 'a' } } }],
      [{ checks: { 'payment.required': false } }, {}],
      [{ checks: 'document' }, {}],
    ]) {
      const { platform, sent } = client(options);
      await platform.payments.create(order as never, { idempotencyKey: 'order-1042', ...others });
      expect(sent).toHaveLength(1);
    }
  });
});

describe('a certificate', () => {
  test.each([
    ['with the two characters \\n for each line break', (pem: string) => pem.replaceAll('\n', '\\n')],
    ['with \\r\\n for each line break', (pem: string) => pem.replaceAll('\n', '\\r\\n')],
    ['as base64 of its PEM', (pem: string) => btoa(pem)],
    ['as base64 of its PEM, in lines', (pem: string) => btoa(pem).replace(/.{76}/g, '$&\n')],
  ])('is accepted %s, and is sent as PEM', async (_, write) => {
    const { platform, sent } = client();
    await platform.certificates.activate(id, { certificate: write(certificate.cert) });
    expect(sent).toEqual([{ certificate: certificate.cert }]);
  });
});

test('length limits count characters, and not UTF-16 code units', async () => {
  const { platform, sent } = client();
  const name = '😀'.repeat(255);
  await platform.submerchants.update(id, { addressStreet: name });
  expect(sent).toEqual([{ addressStreet: name }]);
  const [issue] = await catchIssues(platform.submerchants.update(id, { addressStreet: `${name}!` }));
  expect(issue).toMatchObject({ message: 'must have at most 255 characters' });
  const short = '😀'.repeat(15);
  const webhook = { webhook_url: 'https://shop.example', hmac_secret: short };
  expect(await catchIssues(platform.webhooks.create(webhook))).toMatchObject([
    { message: 'must have at least 16 characters' },
  ]);
});

test('fieldNames accepts a name with brackets only for a query', async () => {
  const urls: string[] = [];
  const { platform } = client({
    fieldNames: { 'certificates.type': 'filter[type]' },
    fetch: async (url: unknown) => {
      urls.push(String(url instanceof Request ? url.url : url));
      return Response.json({ data: [] });
    },
  });
  await platform.certificates.list({ type: 'apple_pay_payment_processing' });
  expect(new URL(urls[0] ?? '').searchParams.get('filter[type]')).toBe('apple_pay_payment_processing');
  expect(() => client({ fieldNames: { 'payment.wallet': 'wallet[token]' } })).toThrow('payment.wallet');
});

test('webhooks.create without events is sent, because the API docs define it as a subscription to all events', async () => {
  const { platform, sent } = client();
  await platform.webhooks.create({ webhook_url: 'https://shop.example' });
  expect(sent).toEqual([{ webhook_url: 'https://shop.example' }]);
});
