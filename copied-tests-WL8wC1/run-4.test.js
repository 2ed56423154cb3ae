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
  paymentMethod: 'pix',
  customer: {
    name: 'Maria Silva',
    email: 'maria@example.com',
    document: { number: '12345678909', type: 'cpf' },
  },
};

test('what happened in the sandbox', async () => {
  sandbox.faults.add({ fault: 'reset', phase: 'before-commit', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000000', body: body1 })).toMatchObject({ status: undefined });

  sandbox.faults.add({ fault: 'reset', phase: 'before-read', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000000' })).toMatchObject({ status: undefined });

  sandbox.faults.add({ fault: 'reset', phase: 'mid-response', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000000', body: body1 })).toMatchObject({ status: 201 });

  sandbox.faults.add({ fault: 'truncate', phase: 'before-commit', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000001', body: body1 })).toMatchObject({ status: 200 });

  sandbox.faults.add({ fault: 'truncate', phase: 'before-read', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000001' })).toMatchObject({ status: 200 });

  sandbox.faults.add({ fault: 'truncate', phase: 'mid-response', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000001', body: body1 })).toMatchObject({ status: 201 });

  sandbox.faults.add({ fault: 'garbage', phase: 'before-commit', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000002', body: body1 })).toMatchObject({ status: 200 });

  sandbox.faults.add({ fault: 'garbage', phase: 'before-read', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000002' })).toMatchObject({ status: 200 });

  sandbox.faults.add({ fault: 'garbage', phase: 'mid-response', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000002', body: body1 })).toMatchObject({ status: 201 });

  sandbox.faults.add({ fault: 'empty', phase: 'before-commit', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000003', body: body1 })).toMatchObject({ status: 200 });

  sandbox.faults.add({ fault: 'empty', phase: 'before-read', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000003' })).toMatchObject({ status: 200 });

  sandbox.faults.add({
    fault: 'invalid-json',
    phase: 'before-commit',
    operation: 'payments.create',
  });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000004', body: body1 })).toMatchObject({ status: 200 });

  sandbox.faults.add({ fault: 'invalid-json', phase: 'before-read', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000004' })).toMatchObject({ status: 200 });

  sandbox.faults.add({ fault: 'invalid-json', phase: 'mid-response', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000004', body: body1 })).toMatchObject({ status: 201 });

  sandbox.faults.add({ fault: 'hang', phase: 'after-commit', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000010', body: body1, hangs: true })).toMatchObject({ status: undefined });

  sandbox.faults.add({ fault: { slow: 1 }, phase: 'after-commit', operation: 'payments.create' });
  expect(await send('POST', '/v1/payments', { key: '00000000-0000-4000-8000-000000000010', body: body1 })).toMatchObject({ status: 200 });

  sandbox.faults.add({
    fault: 'acquirer-unknown',
    phase: 'before-commit',
    operation: 'payments.create',
  });
  expect(await send('POST', '/v1/payments', {
    key: '00000000-0000-4000-8000-000000000011',
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
  })).toMatchObject({ status: 502, body: { error: { code: 'acquirer_unavailable' } } });

  sandbox.control.payments.resolve('00000000-0000-4000-8000-000000000011', 'not-created');

  // Each payment was charged once.
  const charges = sandbox.ledger.charges.map(({ amount, status }) => [amount, status].join(' '));
  expect(charges).toEqual([
    '1990 waiting_payment',
    '1990 waiting_payment',
    '1990 waiting_payment',
    '1990 waiting_payment',
    '1990 waiting_payment',
  ]);
});
