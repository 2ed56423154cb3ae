import { createSandbox, testCards } from 'payment-platform/sandbox';
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

const body1 = {
  amount: 1990,
  items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
  paymentMethod: 'credit_card',
  customer: {
    name: 'Maria Silva',
    email: 'maria@example.com',
    document: { number: '12345678909', type: 'cpf' },
  },
  card: {
    number: testCards.approved,
    cvv: '123',
    holderName: 'MARIA SILVA',
    expirationMonth: 12,
    expirationYear: 2030,
  },
};

test('what happened in the sandbox', async () => {
  const answer1 = await send('POST', '/v1/payments', { body: body1 });
  expect(answer1).toMatchObject({
    status: 201,
    body: { status: 'paid', amount: 1990, paymentMethod: 'credit_card' },
  });

  const answer2 = await send('POST', '/v1/payments', { body: body1 });
  expect(answer2).toMatchObject({
    status: 201,
    body: { status: 'paid', amount: 1990, paymentMethod: 'credit_card' },
  });

  expect(await send('POST', '/v1/payments', {
    body: {
      amount: 500,
      items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
      paymentMethod: 'credit_card',
      card: { upsellToken: answer2.body.upsell.token },
    },
  })).toMatchObject({
    status: 201,
    body: { status: 'paid', amount: 500, paymentMethod: 'credit_card' },
  });

  // Each payment was charged once.
  const charges = sandbox.ledger.charges.map(({ amount, status }) => [amount, status].join(' '));
  expect(charges).toEqual(['1990 paid', '1990 paid', '500 paid']);
});
