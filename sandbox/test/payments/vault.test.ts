import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Sandbox, testCards } from '../../index.js';
import { call, pay, sandboxForTest, withCard } from '../support.js';

const card = (number: unknown) => ({
  number,
  holderName: 'MARIA SILVA',
  expirationMonth: 12,
  expirationYear: 2030,
  cvv: 'canary-987',
});

const tokenize = (sandbox: Sandbox, body: object) => call(sandbox, '/v1/vault/tokenize', { body });

describe('POST /v1/vault/tokenize', () => {
  test('returns a new token for every card', async () => {
    const sandbox = sandboxForTest();
    const [one, other] = [
      await tokenize(sandbox, card('3782 822463 10005')),
      await tokenize(sandbox, card('3782 822463 10005')),
    ];
    expect([one.status, one.body]).toEqual([
      201,
      { cardTokenId: expect.stringMatching(/^[0-9a-f-]{36}$/), brand: 'amex', last4: '0005' },
    ]);
    expect(other.body.cardTokenId).not.toBe(one.body.cardTokenId);
    expect(Object.keys((await tokenize(sandbox, { number: '9999999999999995' })).body)).toEqual([
      'cardTokenId',
    ]);
  });

  test.each([[undefined], [''], ['4111'], [4111111111111111], ['4111-1111-1111-1111'], ['4'.repeat(20)]])(
    'returns a 400 for the card number %j',
    async (number) => {
      const reply = await tokenize(sandboxForTest(), card(number));
      expect([reply.status, reply.body.error?.issues.map(({ path }) => path)]).toEqual([400, ['number']]);
    },
  );

  test('stores neither the card number nor the CVV', async () => {
    const sandbox = sandboxForTest();
    await tokenize(sandbox, card(testCards.approved));
    expect(sandbox.journal.requests[0]?.body).toMatchObject({ number: '***', cvv: '***' });
    const shown =
      inspect(sandbox, { depth: 20, showHidden: true, customInspect: false }) +
      JSON.stringify(sandbox.journal.requests);
    for (const canary of [testCards.approved, 'canary']) expect(shown).not.toContain(canary);
  });
});

describe('a vault token', () => {
  test.each([
    ['approved', 'paid'],
    ['refused', 'refused'],
    ['inAnalysis', 'in_analysis'],
  ] as const)('for the test card "%s" leads to a payment with the status %s', async (name, status) => {
    const sandbox = sandboxForTest();
    const { body } = await tokenize(sandbox, card(testCards[name]));
    const { cardTokenId, ...stored } = body;
    const reply = await pay(sandbox, withCard({ cardTokenId }));
    expect(reply.body).toMatchObject({ status, card: stored });
    expect(reply.body).not.toHaveProperty('upsell');
  });

  test('for the test card "unknown" leads to a payment with an unknown outcome', async () => {
    const sandbox = sandboxForTest();
    const { body } = await tokenize(sandbox, card(testCards.unknown));
    expect((await pay(sandbox, withCard({ cardTokenId: body.cardTokenId }), 'key')).status).toBe(502);
  });
});
