import { createSandbox } from 'payment-platform/sandbox';
import { afterAll, expect, test } from 'vitest';

const sandbox = createSandbox({
  now: '2026-11-22T18:47:26.355Z',
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

test('what happened in the sandbox', async () => {
  expect(await send('POST', '/v1/payments', {
    key: '00000000-0000-4000-8000-000000000001',
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
  })).toMatchObject({
    status: 201,
    body: { status: 'waiting_payment', amount: 1990, paymentMethod: 'pix' },
  });

  await sandbox.clock.advance(1200002);
  sandbox.control.payments.pay(payment(0));

  // Each payment was charged once.
  const charges = sandbox.ledger.charges.map(({ amount, status }) => [amount, status].join(' '));
  expect(charges).toEqual(['1990 paid']);
});
