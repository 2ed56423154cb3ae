import { createSandbox } from 'payment-platform/sandbox';
import { afterAll, expect, test } from 'vitest';

const sandbox = createSandbox({
  now: '2026-01-01T00:00:00.000Z',
  features: { paas: true, split: false },
  rateLimits: false,
});

afterAll(() => sandbox.close());

/** Sends a request. Without an answer, both fields are undefined. */
async function send(method, path, { key, body, form, secret, hangs } = {}) {
  const { baseUrl, clientId, clientSecret } = sandbox.clientOptions();
  const headers = { 'client-id': clientId, 'client-secret': secret ?? clientSecret };
  if (key !== undefined) headers['x-idempotency-key'] = key;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const fields = new FormData();
  for (const [name, value] of Object.entries(form ?? {})) fields.append(name, value);
  const patience = new AbortController();
  if (hangs) setTimeout(() => patience.abort(), 100);
  try {
    const response = await sandbox.fetch(baseUrl + path, {
      method,
      headers,
      body: body === undefined ? (form && fields) : JSON.stringify(body),
      signal: patience.signal,
    });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  } catch {
    return { status: undefined, body: undefined };
  }
}

/** The id of a payment, by its place among the payments of this test. */
const payment = (index) => sandbox.control.payments.list()[index].id;

/** A receiver of webhooks. Its answers, by event and payment: statuses, and 0 for none. Otherwise it answers 200. */
const receiver = (answers) => async (request) => {
  const { event, id } = await request.json();
  const index = sandbox.control.payments.list().findIndex((one) => one.id === id);
  const status = answers[`${event} ${index}`]?.shift() ?? 200;
  if (status === 0) throw new Error('no answer');
  return new Response(null, { status });
};

const body1 = {
  amount: 1990,
  items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
  paymentMethod: 'pix',
  customer: {
    name: 'Maria Silva',
    email: 'maria@example.com',
    document: { number: '12345678909', type: 'cpf' },
  },
  externalId: 'd\'Ávila \u{2028} ${x} `\\',
};

test('a payment of 19.90 BRL by pix, d\'Ávila \u{2028} ${x} `\\', async () => {
  const endpoint1 = sandbox.webhooks.connect(receiver({}), {
    events: [
      'transaction.waiting_payment',
      'transaction.paid',
      'transaction.refused',
      'transaction.refunded',
      'transaction.chargedback',
      'transaction.cancelled',
      'transaction.expired',
      'transaction.in_analysis',
      'transaction.status.updated',
    ],
  });
  sandbox.faults.add({ fault: 'reset', phase: 'after-commit', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000002', body: body1 })).toMatchObject({ status: undefined });

  sandbox.faults.add({
    fault: { status: 503, headers: { 'retry-after': '1' } },
    phase: 'before-commit',
    operation: 'payments.create',
  });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000002', body: body1 })).toMatchObject({ status: 503 });

  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000002', body: body1 })).toMatchObject({
    status: 200,
    body: { status: 'waiting_payment', amount: 1990, paymentMethod: 'pix' },
  });

  await sandbox.clock.advance('5m');
  sandbox.control.payments.pay(payment(0));

  await sandbox.clock.advance('2h');
  sandbox.control.payments.refund(payment(0));

  // Each payment was charged once.
  const charges = sandbox.ledger.charges.map(({ amount, status }) => [amount, status].join(' '));
  expect(charges).toEqual(['1990 refunded']);

  // The deliveries, each with its state and the number of its attempts.
  await sandbox.webhooks.idle();
  const deliveries = sandbox.webhooks
    .list()
    .map(({ event, state, attempts }) => [event, state, attempts].join(' '));
  expect(deliveries).toEqual([
    'transaction.waiting_payment delivered 1',
    'transaction.status.updated delivered 1',
    'transaction.paid delivered 1',
    'transaction.status.updated delivered 1',
    'transaction.refunded delivered 1',
    'transaction.status.updated delivered 1',
  ]);
});
