import { createSandbox, testCards } from 'payment-platform/sandbox';
import { afterAll, expect, test } from 'vitest';

const sandbox = createSandbox({
  now: '2026-01-01T00:00:00.000Z',
  features: { paas: true, split: true },
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

test('a payment of 100.00 BRL by credit_card', async () => {
  expect(await send('POST', '/v1/submerchants', {
    key: '00000000-0000-4000-8000-000000000000',
    form: { documentNumber: '11144477735' },
  })).toMatchObject({ status: 201 });

  expect(await send('POST', '/v1/submerchants', {
    key: '00000000-0000-4000-8000-000000000001',
    form: { documentNumber: '52998224725' },
  })).toMatchObject({ status: 201 });

  expect(await send('POST', '/v2/submerchants/onboarding/pf', {
    key: '00000000-0000-4000-8000-000000000009',
    form: {
      document: '12345678909',
      fullName: 'João da Silva',
      birthDate: '1990-02-28',
      phone: '+5511912345678',
      addressZipCode: '01310100',
      addressStreet: 'Avenida Paulista',
      addressNumber: '1000',
      addressNeighborhood: 'Bela Vista',
      addressCity: 'São Paulo',
      addressState: 'SP',
      bankAccount: '{"bankAccountType":"conta_corrente","bankName":"Banco Exemplo","bankCode":"999","bankAgency":"0001","bankAccount":"12345","bankAccountDv":"6","ispb":"00000000"}',
      cnhCompleta: new File([new Uint8Array(3)], "cnhCompleta.png", { type: "image/png" }),
      selfie: new File([new Uint8Array(3)], "selfie.png", { type: "image/png" }),
    },
  })).toMatchObject({ status: 202 });

  sandbox.control.onboarding.approve(sandbox.control.onboarding.list()[0].registration_id);

  expect(await send('POST', '/v1/payments', {
    body: {
      amount: 10000,
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
      subMerchant: { document: { number: '11144477735' } },
      split: [{ document: { number: '52998224725' }, percentage: 33.33 }],
    },
  })).toMatchObject({
    status: 201,
    body: { status: 'paid', amount: 10000, paymentMethod: 'credit_card' },
  });

  // Each payment was charged once.
  const charges = sandbox.ledger.charges.map(({ amount, status }) => [amount, status].join(' '));
  expect(charges).toEqual(['10000 paid']);
});
