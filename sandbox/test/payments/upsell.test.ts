import { describe, expect, test } from 'vitest';
import { type Sandbox, testCards, testCardTokens } from '../../index.js';
import { boleto, openCard, pay, pix, sandboxForTest, withCard } from '../support.js';

/** Pays with raw card data and returns the token from the response. */
async function payForToken(sandbox: Sandbox, key?: string): Promise<string> {
  const { body } = await pay(sandbox, openCard(), key);
  return (body.upsell as { token: string }).token;
}

const upsell = (upsellToken: string, more: object = {}) => withCard({ upsellToken }, more);

describe('an upsell token', () => {
  test('is issued for an approved payment with raw card data', async () => {
    expect(await payForToken(sandboxForTest())).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['a refused card', openCard(testCards.refused)],
    ['a card in analysis', openCard(testCards.inAnalysis)],
    ['a vault token', withCard({ cardTokenId: testCardTokens.approved })],
    ['a Pix', pix()],
    ['a boleto', boleto()],
  ])('is not issued for %s', async (_, body) => {
    const reply = await pay(sandboxForTest(), body);
    expect(reply.status).toBe(201);
    expect(reply.body).not.toHaveProperty('upsell');
  });

  test('is not issued for a wallet or an upsell payment', async () => {
    const sandbox = sandboxForTest();
    const { card: _, ...wallet } = openCard(testCards.approved, { wallet: {} });
    for (const body of [wallet, upsell(await payForToken(sandbox))]) {
      const reply = await pay(sandbox, body);
      expect(reply.body.status).toBe('paid');
      expect(reply.body).not.toHaveProperty('upsell');
    }
  });

  test('is not issued for the card testCards.withoutUpsell, although the payment is paid', async () => {
    const sandbox = sandboxForTest();
    for (const key of ['key', 'key', undefined]) {
      const reply = await pay(sandbox, openCard(testCards.withoutUpsell), key);
      expect(reply.body.status).toBe('paid');
      expect(reply.body).not.toHaveProperty('upsell');
    }
  });

  test('is issued when a payment in analysis is approved', async () => {
    const sandbox = sandboxForTest();
    const { body } = await pay(sandbox, openCard(testCards.inAnalysis));
    const paid = sandbox.control.payments.pay(String(body.id));
    expect(paid.upsell?.token).toBeTypeOf('string');
    expect((await pay(sandbox, upsell(paid.upsell?.token ?? ''))).status).toBe(201);
  });

  test('is the same in each replay of the payment, and is missing after it has expired', async () => {
    const sandbox = sandboxForTest();
    const token = await payForToken(sandbox, 'key');
    await sandbox.clock.advance('14m');
    expect(await payForToken(sandbox, 'key')).toBe(token);
    await sandbox.clock.advance('1m');
    expect((await pay(sandbox, openCard(), 'key')).body).not.toHaveProperty('upsell');
  });

  test('is missing from the response once the payment has been refunded', async () => {
    const sandbox = sandboxForTest();
    const { body } = await pay(sandbox, openCard(), 'key');
    expect(body.upsell).toEqual({ token: expect.any(String) });
    const refunded = sandbox.control.payments.refund(String(body.id));
    expect(refunded.status).toBe('refunded');
    expect(refunded).not.toHaveProperty('upsell');
    expect((await pay(sandbox, openCard(), 'key')).body).not.toHaveProperty('upsell');
  });
});

describe('an upsell charge', () => {
  test('is approved, with the card and customer of the first payment', async () => {
    const sandbox = sandboxForTest();
    const reply = await pay(sandbox, upsell(await payForToken(sandbox), { amount: 500 }));
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      status: 'paid',
      amount: 500,
      card: { brand: 'visa', last4: '1111' },
      customer: { name: 'Maria Silva' },
    });
  });

  test('is declined if the first card was testCards.upsellRefused, and uses up its token', async () => {
    const sandbox = sandboxForTest();
    const origin = await pay(sandbox, openCard(testCards.upsellRefused));
    expect(origin.body.status).toBe('paid');
    const { token } = origin.body.upsell as { token: string };
    const reply = await pay(sandbox, upsell(token), 'key');
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      status: 'refused',
      card: { last4: '0341' },
      refusalReason: { code: 'refused_by_issuer', message: 'The issuer refused the payment.' },
    });
    const replay = await pay(sandbox, upsell(token), 'key');
    expect([replay.status, replay.body]).toEqual([200, reply.body]);
    expect((await pay(sandbox, upsell(token), 'other')).status).toBe(400);
  });

  test('is possible until exactly 15 minutes after the first payment', async () => {
    const sandbox = sandboxForTest();
    const [early, late] = [await payForToken(sandbox), await payForToken(sandbox)];
    await sandbox.clock.advance(15 * 60_000 - 1);
    expect((await pay(sandbox, upsell(early))).status).toBe(201);
    await sandbox.clock.advance(1);
    const reply = await pay(sandbox, upsell(late));
    expect(reply.status).toBe(400);
    expect(reply.body.error?.issues).toEqual([
      { path: 'card.upsellToken', message: expect.stringContaining('expired') },
    ]);
  });

  test('is rejected if another charge has already used its token', async () => {
    const sandbox = sandboxForTest();
    const token = await payForToken(sandbox, 'origin');
    expect((await pay(sandbox, upsell(token), 'first')).status).toBe(201);
    for (const key of ['second', undefined]) {
      const reply = await pay(sandbox, upsell(token), key);
      expect(reply.status).toBe(400);
      expect(reply.body.error?.issues).toEqual([{ path: 'card.upsellToken', message: 'was already used' }]);
    }
    expect(sandbox.ledger.charges).toHaveLength(2);
    expect((await pay(sandbox, openCard(), 'origin')).body).not.toHaveProperty('upsell');
  });

  test('is returned again for its idempotency key, even after its token has expired', async () => {
    const sandbox = sandboxForTest();
    const token = await payForToken(sandbox);
    const first = await pay(sandbox, upsell(token), 'key');
    await sandbox.clock.advance('1h');
    const replay = await pay(sandbox, upsell(token), 'key');
    expect(replay.status).toBe(200);
    expect(replay.body).toEqual(first.body);
  });

  test('is made only once if three concurrent requests use the same token', async () => {
    const sandbox = sandboxForTest();
    const token = await payForToken(sandbox);
    const replies = await Promise.all(['a', 'b', 'c'].map((key) => pay(sandbox, upsell(token), key)));
    expect(replies.map(({ status }) => status)).toEqual([201, 400, 400]);
  });

  test('cannot use a token that was never issued', async () => {
    const reply = await pay(sandboxForTest(), upsell('invented'));
    expect(reply.body.error?.issues).toEqual([
      { path: 'card.upsellToken', message: 'is not a token that was issued' },
    ]);
  });

  test.each([
    ['created', 400],
    ['not-created', 201],
  ] as const)(
    "blocks its token until its outcome is resolved: after '%s', a second charge gets a %i",
    async (resolution, status) => {
      const sandbox = sandboxForTest();
      const token = await payForToken(sandbox);
      sandbox.faults.add({ fault: 'acquirer-unknown' });
      expect((await pay(sandbox, upsell(token), 'key')).status).toBe(502);
      expect((await pay(sandbox, upsell(token), 'key')).status).toBe(409);
      expect((await pay(sandbox, upsell(token), 'other')).status).toBe(400);
      sandbox.control.payments.resolve('key', resolution);
      expect((await pay(sandbox, upsell(token), 'other')).status).toBe(status);
    },
  );

  test('is rejected with another payment method, and leaves its token unused', async () => {
    const sandbox = sandboxForTest();
    const token = await payForToken(sandbox);
    const { customer: _, ...body } = boleto({ card: { upsellToken: token } });
    expect((await pay(sandbox, body)).status).toBe(400);
    expect((await pay(sandbox, upsell(token))).status).toBe(201);
  });
});
