import { describe, expect, test } from 'vitest';
import { findSchemas } from '../../../src/contract/schemas.js';
import { testCards, testCardTokens } from '../../index.js';
import { boleto, openCard, pay, pix, sandboxForTest, startOfYear, withCard } from '../support.js';

describe('a new payment', () => {
  test('has the fields of the API docs and no others', async () => {
    const sandbox = sandboxForTest();
    for (const body of [
      pix({ externalId: 'order-1' }),
      boleto(),
      openCard(),
      withCard({ cardTokenId: testCardTokens.approved }),
    ]) {
      const reply = await pay(sandbox, body);
      expect(reply.status).toBe(201);
      expect(findSchemas('payments.create').response?.safeParse(reply.body).error).toBeUndefined();
    }
  });

  test('is pending and returns the fields of the request if it is a Pix', async () => {
    const { body } = await pay(sandboxForTest(), pix({ externalId: 'order-1' }));
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      status: 'waiting_payment',
      amount: 1_990,
      paymentMethod: 'pix',
      createdAt: startOfYear,
      externalReference: 'order-1',
      customer: {
        name: 'Maria Silva',
        email: 'maria@example.com',
        phone: null,
        documentNumber: '12345678909',
        documentType: 'cpf',
        address: null,
      },
      items: [{ title: 'Book', quantity: 1, unitPrice: 1_990 }],
    });
  });

  test('has null for customer values that were not sent', async () => {
    const { body } = await pay(sandboxForTest(), pix({ customer: {} }));
    expect(body.customer).toEqual({
      name: null,
      email: null,
      phone: null,
      documentNumber: null,
      documentType: null,
      address: null,
    });
  });

  test('is pending and has no digitable line if it is a boleto', async () => {
    const { body } = await pay(sandboxForTest(), boleto());
    expect(body.status).toBe('waiting_payment');
    expect(body).not.toHaveProperty('boleto');
    expect(body).not.toHaveProperty('card');
  });

  test.each([
    ['approved', 'paid', { brand: 'visa', last4: '1111' }],
    ['refused', 'refused', { brand: 'visa', last4: '0002' }],
    ['inAnalysis', 'in_analysis', { brand: 'mastercard', last4: '4444' }],
  ] as const)('with the card or the token "%s" is %s', async (name, status, card) => {
    const sandbox = sandboxForTest();
    for (const body of [openCard(testCards[name]), withCard({ cardTokenId: testCardTokens[name] })]) {
      const reply = await pay(sandbox, body);
      expect(reply.status).toBe(201);
      expect(reply.body).toMatchObject({ status, card });
      expect('refusalReason' in reply.body).toBe(status === 'refused');
    }
  });

  test('is approved with any other card number', async () => {
    const { body } = await pay(sandboxForTest(), openCard('3782 822463 10005'));
    expect(body).toMatchObject({ status: 'paid', card: { brand: 'amex', last4: '0005' } });
  });

  test('has no card in the response if the card’s brand is unknown', async () => {
    const { body } = await pay(sandboxForTest(), openCard('9999999999999995'));
    expect(body.status).toBe('paid');
    expect(body).not.toHaveProperty('card');
  });

  test('is rejected with a 400 for an unknown vault token', async () => {
    const reply = await pay(sandboxForTest(), withCard({ cardTokenId: 'unknown' }));
    expect(reply.status).toBe(400);
    expect(reply.body.error?.issues).toEqual([{ path: 'card.cardTokenId', message: expect.any(String) }]);
  });

  test('is approved if it uses a wallet, and its response contains only the wallet’s type', async () => {
    const { card: _, ...body } = openCard();
    const reply = await pay(sandboxForTest(), { ...body, wallet: { token: 'opaque' } });
    expect(reply.body).toMatchObject({ status: 'paid' });
    expect(reply.body.card).toEqual({ wallet: { type: 'apple_pay' } });
  });

  test('never returns PAN, CVV, holder or expiry', async () => {
    const sandbox = sandboxForTest();
    const { body } = await pay(sandbox, openCard());
    expect(body.card).toEqual({ brand: 'visa', last4: '1111' });
    const shown = JSON.stringify([body, sandbox.control.payments.list(), sandbox.ledger.charges]);
    for (const secret of [testCards.approved, '987', 'MARIA SILVA', '2030'])
      expect(shown).not.toContain(secret);
  });

  test('is rejected if it has a card or a card token, but its method is not credit_card', async () => {
    const { customer: _, ...withToken } = boleto({ card: { cardTokenId: testCardTokens.approved } });
    for (const body of [withToken, pix({ card: openCard(testCards.refused).card })])
      expect(await pay(sandboxForTest(), body)).toMatchObject({ status: 400 });
  });
});

describe('the sandbox’s ledger', () => {
  test('contains one entry for each payment, with its current status', async () => {
    const sandbox = sandboxForTest();
    const { body } = await pay(sandbox, pix({ externalId: 'order-1' }), 'key');
    await sandbox.clock.advance('1m');
    await pay(sandbox, openCard(testCards.refused));
    sandbox.control.payments.pay(String(body.id));
    expect(sandbox.ledger.charges).toEqual([
      {
        paymentId: body.id,
        idempotencyKey: 'key',
        amount: 1_990,
        paymentMethod: 'pix',
        externalReference: 'order-1',
        status: 'paid',
        chargedAt: startOfYear,
      },
      {
        paymentId: expect.any(String),
        idempotencyKey: undefined,
        amount: 1_990,
        paymentMethod: 'credit_card',
        externalReference: undefined,
        status: 'refused',
        chargedAt: '2026-01-01T00:01:00.000Z',
      },
    ]);
    expect(sandbox.ledger.chargesFor('key').map(({ paymentId }) => paymentId)).toEqual([body.id]);
    expect(sandbox.ledger.chargesFor('other')).toEqual([]);
  });
});

describe('the expiry of a payment', () => {
  const statusAfter = async (body: object, duration: string) => {
    const sandbox = sandboxForTest();
    const reply = await pay(sandbox, body);
    await sandbox.clock.advance(duration);
    return sandbox.control.payments.retrieve(String(reply.body.id)).status;
  };

  test.each([
    ['Pix, by default after 1800 seconds', pix(), '1799s', '1800s'],
    ['Pix, after its expiration', pix({ pix: { expiration: 90 } }), '89s', '90s'],
    ['boleto, by default at the end of the 30th day', boleto(), '743h', '744h'],
    [
      'boleto, at the end of its due date',
      boleto({ boleto: { expirationDate: '2026-01-03' } }),
      '71h',
      '72h',
    ],
    [
      'boleto, due at a time',
      boleto({ boleto: { expirationDate: '2026-01-03T23:00:00-03:00' } }),
      '95h',
      '96h',
    ],
    ['boleto, due today', boleto({ boleto: { expirationDate: '2026-01-01' } }), '23h', '24h'],
  ])('changes the payment’s status at the exact time: %s', async (_, body, before, after) => {
    expect(await statusAfter(body, before)).toBe('waiting_payment');
    expect(await statusAfter(body, after)).toBe('expired');
  });

  test('does not change the status of a payment that was paid', async () => {
    const sandbox = sandboxForTest();
    const { body } = await pay(sandbox, pix());
    sandbox.control.payments.pay(String(body.id));
    await sandbox.clock.advance('1d');
    expect(sandbox.control.payments.retrieve(String(body.id)).status).toBe('paid');
  });

  test.each([
    ['pix.expiration', pix({ pix: { expiration: 0 } })],
    ['boleto.expirationDate', boleto({ boleto: { expirationDate: '2025-12-31' } })],
    ['boleto.expirationDate', boleto({ boleto: { expirationDate: '2026-02-30' } })],
    ['boleto.expirationDate', boleto({ boleto: { expirationDate: '01/02/2026' } })],
  ])('is rejected with a 400 if %s is invalid', async (path, body) => {
    const reply = await pay(sandboxForTest(), body);
    expect(reply.status).toBe(400);
    expect(reply.body.error?.issues.map((issue) => issue.path)).toEqual([path]);
  });
});
