import { describe, expect, test } from 'vitest';
import { testCards, testCardTokens } from '../../index.js';
import { boleto, openCard, pay, pix, sandboxForTest, withCard } from '../support.js';

describe('a payment’s idempotency key', () => {
  test('is optional, and each request without one makes a new charge', async () => {
    const sandbox = sandboxForTest();
    const first = await pay(sandbox, pix());
    const second = await pay(sandbox, pix());
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
    expect(sandbox.ledger.charges.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('returns the existing payment with its current status for a repeated request', async () => {
    const sandbox = sandboxForTest();
    const first = await pay(sandbox, pix(), 'key');
    sandbox.control.payments.pay(String(first.body.id));
    const replay = await pay(sandbox, pix(), 'key');
    expect(replay.status).toBe(200);
    expect(replay.body).toEqual({ ...first.body, status: 'paid' });
    expect(sandbox.ledger.chargesFor('key')).toHaveLength(1);
  });

  test('returns the existing payment for a repeated request with reordered properties', async () => {
    const sandbox = sandboxForTest();
    const { amount, ...rest } = pix({ metadata: { a: 1, b: [{ c: 2, d: 3 }] } });
    await pay(sandbox, { amount, ...rest }, 'key');
    const replay = await pay(sandbox, { ...rest, metadata: { b: [{ d: 3, c: 2 }], a: 1 }, amount }, 'key');
    expect(replay.status).toBe(200);
  });

  test('causes a 400 and no charge for a request with a different payload', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, pix(), 'key');
    const reply = await pay(sandbox, pix({ amount: 2_000 }), 'key');
    expect(reply.status).toBe(400);
    expect(reply.body.error?.code).toBe('idempotency_key_reused');
    expect(sandbox.ledger.charges).toHaveLength(1);
  });

  test('causes a 400 for a repeated request with a reordered list', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, pix({ metadata: { list: [1, 2] } }), 'key');
    expect((await pay(sandbox, pix({ metadata: { list: [2, 1] } }), 'key')).status).toBe(400);
  });

  test('makes 50 concurrent requests cause only one charge', async () => {
    const sandbox = sandboxForTest();
    const replies = await Promise.all(Array.from({ length: 50 }, () => pay(sandbox, openCard(), 'key')));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array(49).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect(sandbox.ledger.chargesFor('key')).toHaveLength(1);
  });

  test('can be used again if the first payload was rejected', async () => {
    const sandbox = sandboxForTest();
    expect((await pay(sandbox, pix({ amount: 1 }), 'key')).status).toBe(400);
    expect((await pay(sandbox, pix(), 'key')).status).toBe(201);
  });

  test('returns the existing payment even after the boleto’s due date has passed', async () => {
    const sandbox = sandboxForTest();
    const body = boleto({ boleto: { expirationDate: '2026-01-02' } });
    await pay(sandbox, body, 'key');
    await sandbox.clock.advance('3d');
    const replay = await pay(sandbox, body, 'key');
    expect(replay.status).toBe(200);
    expect(replay.body.status).toBe('expired');
  });
});

describe('a payment with an unknown outcome', () => {
  const unknown = openCard(testCards.unknown);

  test.each([
    ['a card payment', unknown],
    ['a token payment', withCard({ cardTokenId: testCardTokens.unknown })],
  ])('causes a 409 for its idempotency key until it is resolved: %s', async (_, body) => {
    const sandbox = sandboxForTest();
    expect((await pay(sandbox, body, 'key')).status).toBe(502);
    for (const retry of [body, body, { ...body, amount: 500 }]) {
      const reply = await pay(sandbox, retry, 'key');
      expect(reply.status).toBe(409);
      expect(reply.body.error?.code).toBe('payment_outcome_unknown');
    }
    expect(sandbox.ledger.charges).toEqual([]);
  });

  test("is returned for its idempotency key if it was resolved as 'created', and is charged once", async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, unknown, 'key');
    sandbox.control.payments.resolve('key', 'created');
    expect(sandbox.ledger.chargesFor('key')).toHaveLength(1);
    const replay = await pay(sandbox, unknown, 'key');
    expect(replay.status).toBe(200);
    expect(replay.body).toMatchObject({
      status: 'paid',
      card: { last4: '0119' },
      upsell: { token: expect.any(String) },
    });
    expect((await pay(sandbox, { ...unknown, amount: 500 }, 'key')).status).toBe(400);
    expect(sandbox.ledger.chargesFor('key')).toHaveLength(1);
  });

  test("is charged by the next request if it was resolved as 'not-created'", async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, unknown, 'key');
    sandbox.control.payments.resolve('key', 'not-created');
    expect(sandbox.ledger.charges).toEqual([]);
    const retry = await pay(sandbox, unknown, 'key');
    expect(retry.status).toBe(201);
    expect(retry.body.status).toBe('paid');
    expect(sandbox.ledger.chargesFor('key')).toHaveLength(1);
  });

  test('returns a 502 and charges nothing if it has no idempotency key', async () => {
    const sandbox = sandboxForTest();
    expect((await pay(sandbox, unknown)).status).toBe(502);
    expect((await pay(sandbox, unknown)).status).toBe(502);
    expect(sandbox.ledger.charges).toEqual([]);
  });

  test('is resolved for the merchant that is named, if two have it', async () => {
    const sandbox = sandboxForTest();
    const other = sandbox.addMerchant();
    for (const merchant of [sandbox, other]) await pay(merchant, unknown, 'key');
    const { resolve, unresolved } = sandbox.control.payments;
    const [first, second] = unresolved().map(({ clientId }) => clientId);
    expect(() => resolve('key', 'created')).toThrow(`Name one by its client id: ${first}, ${second}.`);
    const send = (body: object) =>
      sandbox.fetch('https://sandbox.test/_sandbox/payments/resolve', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ idempotencyKey: 'key', resolution: 'created', ...body }),
      });
    expect((await send({})).status).toBe(409);
    expect((await send({ clientId: second })).status).toBe(204);
    expect(unresolved()).toMatchObject([{ clientId: first }]);
    expect((await pay(other, unknown, 'key')).status).toBe(200);
    expect((await pay(sandbox, unknown, 'key')).status).toBe(409);
    resolve('key', 'not-created', { clientId: String(first) });
    expect(unresolved()).toEqual([]);
  });

  test('can be resolved only once, as created or not-created', async () => {
    const sandbox = sandboxForTest();
    const { resolve } = sandbox.control.payments;
    expect(() => resolve('key', 'created')).toThrow('No payment is left to resolve');
    await pay(sandbox, pix(), 'key');
    expect(() => resolve('key', 'created')).toThrow('No payment is left to resolve');
    await pay(sandbox, unknown, 'other');
    expect(() => resolve('other', 'maybe' as 'created')).toThrow(TypeError);
    resolve('other', 'created');
    expect(() => resolve('other', 'created')).toThrow('No payment is left to resolve');
  });
});
