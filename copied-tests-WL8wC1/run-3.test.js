import { createSandbox, testCards, testCardTokens } from 'payment-platform/sandbox';
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
    number: testCards.unknown,
    cvv: '123',
    holderName: 'MARIA SILVA',
    expirationMonth: 12,
    expirationYear: 2030,
  },
};

test('what happened in the sandbox', async () => {
  expect(await send('POST', '/v1/payments', {
    key: '00000000-0000-4000-8000-000000000001',
    body: {
      amount: 1990,
      items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
      paymentMethod: 'credit_card',
      customer: {
        name: 'Maria Silva',
        email: 'maria@example.com',
        document: { number: '12345678909', type: 'cpf' },
      },
      card: {
        number: testCards.insufficientFunds,
        cvv: '123',
        holderName: 'MARIA SILVA',
        expirationMonth: 12,
        expirationYear: 2030,
      },
    },
  })).toMatchObject({
    status: 201,
    body: { status: 'refused', amount: 1990, paymentMethod: 'credit_card' },
  });

  expect(await send('POST', '/v1/payments', {
    key: '00000000-0000-4000-8000-000000000002',
    body: {
      amount: 1990,
      items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
      paymentMethod: 'credit_card',
      customer: {
        name: 'Maria Silva',
        email: 'maria@example.com',
        document: { number: '12345678909', type: 'cpf' },
      },
      card: {
        number: testCards.inAnalysis,
        cvv: '123',
        holderName: 'MARIA SILVA',
        expirationMonth: 12,
        expirationYear: 2030,
      },
    },
  })).toMatchObject({
    status: 201,
    body: { status: 'in_analysis', amount: 1990, paymentMethod: 'credit_card' },
  });

  sandbox.control.payments.refuse(payment(1));

  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000003', body: body1 })).toMatchObject({ status: 502, body: { error: { code: 'acquirer_unavailable' } } });

  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000003', body: body1 })).toMatchObject({ status: 409, body: { error: { code: 'payment_outcome_unknown' } } });

  sandbox.control.payments.resolve('00000000-0000-4000-8000-000000000003', 'created');

  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000003', body: body1 })).toMatchObject({
    status: 200,
    body: { status: 'paid', amount: 1990, paymentMethod: 'credit_card' },
  });

  expect(await send('POST', '/v1/payments', {
    body: {
      amount: 1990,
      items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
      paymentMethod: 'credit_card',
      card: { cardTokenId: testCardTokens.approved },
    },
  })).toMatchObject({
    status: 201,
    body: { status: 'paid', amount: 1990, paymentMethod: 'credit_card' },
  });

  expect(await send('POST', '/v1/payments', {
    body: {
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
    },
  })).toMatchObject({
    status: 201,
    body: { status: 'paid', amount: 1990, paymentMethod: 'credit_card' },
  });

  expect(await send('POST', '/v1/payments', {
    body: {
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
    },
  })).toMatchObject({
    status: 201,
    body: { status: 'paid', amount: 1990, paymentMethod: 'credit_card' },
  });

  expect(await send('POST', '/v1/payments', {
    key: '00000000-0000-4000-8000-000000000002',
    body: {
      amount: 2000,
      items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
      paymentMethod: 'pix',
      customer: {
        name: 'Maria Silva',
        email: 'maria@example.com',
        document: { number: '12345678909', type: 'cpf' },
      },
    },
  })).toMatchObject({ status: 400, body: { error: { code: 'idempotency_key_reused' } } });

  // Each payment was charged once.
  const charges = sandbox.ledger.charges.map(({ amount, status }) => [amount, status].join(' '));
  expect(charges).toEqual([
    '1990 refused',
    '1990 refused',
    '1990 paid',
    '1990 paid',
    '1990 paid',
    '1990 paid',
  ]);
});
