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

test('what happened in the sandbox', async () => {
  sandbox.webhooks.faults.add({ fault: 'drop', event: 'transaction.waiting_payment', nth: 1 });

  expect(await send('POST', '/v1/payments', {
    key: '00000000-0000-4000-8000-000000000001',
    body: {
      amount: -1,
      items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
      paymentMethod: 'pix',
      customer: {
        name: 'Maria Silva',
        email: 'maria@example.com',
        document: { number: '12345678909', type: 'cpf' },
      },
    },
  })).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });

  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000002' })).toMatchObject({ status: 400, body: { error: { code: 'invalid_body' } } });

  expect(await send('POST', '/v1/payments', {
    key: '00000000-0000-4000-8000-000000000003',
    body: {
      amount: 1990,
      items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
      paymentMethod: 'pix',
      customer: {
        name: 'Maria Silva',
        email: 'maria@example.com',
        document: { number: '12345678909', type: 'cpf' },
      },
    },
    secret: 'wrong',
  })).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });

  expect(await send('GET', '/nowhere?token=***')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });

  expect(await send('GET', '/v1/payments/99999999-9999-4999-8999-999999999999/boleto')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });

  expect(await send('POST', '/v1/payments', {
    key: '00000000-0000-4000-8000-000000000004',
    body: {
      amount: 1990,
      items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
      paymentMethod: 'boleto',
      customer: {
        name: 'Maria Silva',
        email: 'maria@example.com',
        document: { number: '12345678909', type: 'cpf' },
      },
    },
  })).toMatchObject({
    status: 201,
    body: { status: 'waiting_payment', amount: 1990, paymentMethod: 'boleto' },
  });

  expect(await send('GET', `/v1/payments/${payment(0)}/boleto`)).toMatchObject({ status: 200 });

  expect(await send('POST', '/oauth/token', {
    body: {
      grant_type: 'client_credentials',
      client_id: sandbox.clientOptions().clientId,
      client_secret: sandbox.clientOptions().clientSecret,
    },
  })).toMatchObject({ status: 200 });

  // POST /v1/webhooks is left out: here the receivers are functions.

  const endpoint1 = sandbox.webhooks.connect(receiver({
    'transaction.status.updated 1': [0, 0],
    'transaction.waiting_payment 1': [0],
  }), {
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
  expect(await send('POST', '/v1/payments', {
    key: '00000000-0000-4000-8000-000000000005',
    body: {
      amount: 1990,
      items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
      paymentMethod: 'pix',
      customer: {
        name: 'Maria Silva',
        email: 'maria@example.com',
        document: { number: '12345678909', type: 'cpf' },
      },
      pix: { expiration: 60 },
    },
  })).toMatchObject({
    status: 201,
    body: { status: 'waiting_payment', amount: 1990, paymentMethod: 'pix' },
  });

  await sandbox.clock.advance('45s');
  await sandbox.webhooks.idle();
  sandbox.control.webhooks.setStatus(endpoint1.id, 'suspended');

  await sandbox.clock.advance('1d');
  sandbox.control.features.disable('paas');

  expect(await send('POST', '/v1/submerchants', { form: { documentNumber: '11144477735' } })).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });

  // Each payment was charged once.
  const charges = sandbox.ledger.charges.map(({ amount, status }) => [amount, status].join(' '));
  expect(charges).toEqual(['1990 waiting_payment', '1990 expired']);

  // The deliveries, each with its state and the number of its attempts.
  await sandbox.webhooks.idle();
  const deliveries = sandbox.webhooks
    .list()
    .map(({ event, state, attempts }) => [event, state, attempts].join(' '));
  expect(deliveries).toEqual([
    'transaction.waiting_payment failed 2',
    'transaction.status.updated failed 2',
  ]);
});
