import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Split } from '../../index.js';
import { divide, type SplitRule } from '../../payments/split.js';
import { keyNo, pay, pix, sandboxForTest, subAccount } from '../support.js';

const [seller, partner, stranger] = ['12345678000195', '98765432000198', '11222333000181'] as const;

/** Creates a merchant with the split feature and two active sub-accounts. */
async function marketplace() {
  const sandbox = sandboxForTest({ features: { split: true } });
  const ids = {
    seller: await subAccount(sandbox, seller, keyNo(1)),
    partner: await subAccount(sandbox, partner, keyNo(2)),
  };
  return { sandbox, ids };
}

const to = (number: string, share: object) => ({ document: { number }, ...share });
const owner = (number: string) => ({ document: { number, type: 'cnpj' } });

describe('a payment’s split', () => {
  test('gives each receiver a share in whole cents, and the merchant the rest', async () => {
    const { sandbox, ids } = await marketplace();
    const split = [to(seller, { percentage: 70 }), to(partner, { amount: 250 })];
    const { status, body } = await pay(sandbox, pix({ amount: 1_001, split }));
    expect(status).toBe(201);
    expect(body.split).toEqual({
      netAmount: 1_001,
      entries: [
        {
          role: 'receiver',
          internalId: ids.seller,
          document: { number: seller, type: 'cnpj' },
          amount: 701,
        },
        {
          role: 'receiver',
          internalId: ids.partner,
          document: { number: partner, type: 'cnpj' },
          amount: 250,
        },
        { role: 'owner', amount: 50 },
      ],
    });
    expect(body).not.toHaveProperty('subMerchant');
    expect(sandbox.control.payments.retrieve(String(body.id)).split).toEqual(body.split);
  });

  test.each([
    [0, 1_000],
    [1, 999],
    [399, 601],
    [1_000, 0],
    [5_000, 0],
  ])('with a fee of %i cents divides the remaining %i of 1000 cents', async (fee, netAmount) => {
    const sandbox = sandboxForTest({ features: { split: true }, fee });
    await subAccount(sandbox, seller);
    const { body } = await pay(sandbox, pix({ amount: 1_000, split: [to(seller, { percentage: 50 })] }));
    const split = body.split as Split;
    expect(body.amount).toBe(1_000);
    expect(split.netAmount).toBe(netAmount);
    expect(split.entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(netAmount);
  });

  test('cannot add up to more than the payment’s amount minus the fee', async () => {
    const sandbox = sandboxForTest({ features: { split: true }, fee: 100 });
    await subAccount(sandbox, seller);
    const withShare = (amount: number) => pix({ amount: 1_000, split: [to(seller, { amount })] });
    expect((await pay(sandbox, withShare(900))).status).toBe(201);
    const reply = await pay(sandbox, withShare(901));
    expect(reply.body.error?.issues).toEqual([
      { path: 'split', message: 'must not add up to more than the net amount' },
    ]);
  });

  test('gives the rest to the payment’s owner sub-account if the payment has one', async () => {
    const { sandbox, ids } = await marketplace();
    const more = { subMerchant: owner(seller), split: [to(partner, { percentage: 12.5 })] };
    const { body } = await pay(sandbox, pix({ amount: 1_000, ...more }));
    expect(body.subMerchant).toEqual({ internalId: ids.seller, document: owner(seller).document });
    expect(body.split).toMatchObject({
      entries: [
        { role: 'receiver', internalId: ids.partner, amount: 125 },
        { role: 'owner', internalId: ids.seller, amount: 875 },
      ],
    });
  });

  test('does not change if a receiver is deactivated later', async () => {
    const { sandbox, ids } = await marketplace();
    const body = pix({ split: [to(seller, { percentage: 50 })] });
    const first = await pay(sandbox, body, 'key');
    sandbox.control.submerchants.setStatus(ids.seller, 'inactive');
    sandbox.control.features.disable('split');
    const again = await pay(sandbox, body, 'key');
    expect([again.status, again.body]).toEqual([200, first.body]);
    sandbox.control.features.enable('split');
    expect((await pay(sandbox, body, 'other')).status).toBe(400);
  });

  test('is returned by the control method as a copy', async () => {
    const { sandbox } = await marketplace();
    const { body } = await pay(
      sandbox,
      pix({ subMerchant: owner(partner), split: [to(seller, { amount: 1 })] }),
    );
    const id = String(body.id);
    const shown = sandbox.control.payments.retrieve(id).split as { entries: unknown[] };
    shown.entries.length = 0;
    expect(sandbox.control.payments.retrieve(id).split).toEqual(body.split);
  });

  test.each([
    ['an unknown receiver', [to(stranger, { percentage: 1 })], ['split.0.document.number']],
    ['no document', [{ percentage: 1 }], ['split.0.document.number']],
    [
      'one receiver twice',
      [to(seller, { amount: 1 }), to('12.345.678/0001-95', { amount: 1 })],
      ['split.1.document.number'],
    ],
    ['a receiver without a share', [to(seller, {})], ['split.0']],
    ['an amount and a percentage', [to(seller, { amount: 1, percentage: 1 })], ['split.0']],
    ['half a cent', [to(seller, { amount: 0.5 })], ['split.0']],
    ['an amount of 0', [to(seller, { amount: 0 })], ['split.0']],
    ['a percentage of 0', [to(seller, { percentage: 0 })], ['split.0']],
    ['a percentage over 100', [to(seller, { percentage: 100.01 })], ['split.0']],
    ['three decimals', [to(seller, { percentage: 33.333 })], ['split.0']],
    ['percentages over 100', [to(seller, { percentage: 60 }), to(partner, { percentage: 40.01 })], ['split']],
    ['more than the amount', [to(seller, { amount: 1_991 })], ['split']],
    ['more than is left', [to(seller, { percentage: 50 }), to(partner, { amount: 996 })], ['split']],
    [
      'every problem',
      [to(stranger, {}), 7, to(seller, { percentage: '1' })],
      ['split.0.document.number', 'split.0', 'split.1', 'split.2'],
    ],
  ])('is rejected with a 400 if it has %s', async (_, split, paths) => {
    const { sandbox } = await marketplace();
    const reply = await pay(sandbox, pix({ split }));
    expect(reply.status).toBe(400);
    expect(new Set(reply.body.error?.issues.map(({ path }) => path))).toEqual(new Set(paths));
    expect(sandbox.ledger.charges).toEqual([]);
  });

  test('is rejected with a 400 if the payment’s owner is among the receivers', async () => {
    const { sandbox } = await marketplace();
    const reply = await pay(
      sandbox,
      pix({ subMerchant: owner(seller), split: [to(seller, { percentage: 1 })] }),
    );
    expect(reply.body.error?.issues).toEqual([
      { path: 'split.0.document.number', message: 'is the document of the owner, who gets the rest' },
    ]);
  });

  test.each([
    [{}, 403],
    [{ split: true, paas: false }, 403],
    [{ split: true }, 201],
  ])('requires the features paas and split: the option features %j causes a %i', async (features, status) => {
    const sandbox = sandboxForTest({ features });
    await subAccount(sandbox, seller);
    const reply = await pay(sandbox, pix({ split: [to(seller, { percentage: 1 })] }));
    expect(reply.status).toBe(status);
    if (status === 403) expect(reply.body.error?.code).toBe('feature_not_enabled');
  });
});

describe('a payment’s owner sub-account', () => {
  test('is found by its document, with or without punctuation, even if no feature is enabled', async () => {
    const sandbox = sandboxForTest({ features: { paas: false } });
    const internalId = await subAccount(sandbox, seller);
    for (const number of [seller, '12.345.678/0001-95']) {
      const { status, body } = await pay(sandbox, pix({ subMerchant: owner(number) }));
      expect([status, body.subMerchant]).toEqual([201, { internalId, document: owner(seller).document }]);
      expect(body).not.toHaveProperty('split');
    }
  });

  test.each([
    ['unknown', owner(stranger)],
    ['identified by an internalId', { internalId: 'x' }],
    ['without a number', { document: { type: 'cnpj' } }],
  ])('is rejected with a 400 if it is %s', async (_, subMerchant) => {
    const { sandbox } = await marketplace();
    const reply = await pay(sandbox, pix({ subMerchant }));
    expect(reply.status).toBe(400);
    expect(reply.body.error?.issues.map(({ path }) => path)).toEqual(['subMerchant.document.number']);
  });

  test('is the oldest active sub-account with the document in the request', async () => {
    const { sandbox, ids } = await marketplace();
    const younger = await subAccount(sandbox, seller, keyNo(3));
    const payAndReadOwner = async () =>
      (await pay(sandbox, pix({ subMerchant: owner(seller) }))).body.subMerchant;
    expect(await payAndReadOwner()).toMatchObject({ internalId: ids.seller });
    sandbox.control.submerchants.setStatus(ids.seller, 'inactive');
    expect(await payAndReadOwner()).toMatchObject({ internalId: younger });
    sandbox.control.submerchants.setStatus(younger, 'inactive');
    expect(await payAndReadOwner()).toBeUndefined();
  });
});

describe('divide', () => {
  test.each<[number, Pick<SplitRule, 'amount' | 'percentage'>[], number[] | undefined]>([
    // The exact shares are 33.33, 33.33 and 33.34 cents. The share with the largest remainder gets the extra
    // cent.
    [100, [{ percentage: 33.33 }, { percentage: 33.33 }], [33, 33, 34]],
    [101, [{ percentage: 50 }], [51, 50]],
    [1, [{ percentage: 50 }], [1, 0]],
    [1, [{ percentage: 49.99 }], [0, 1]],
    [10, [{ percentage: 25 }, { percentage: 25 }, { percentage: 25 }], [3, 3, 2, 2]],
    [100, [{ percentage: 100 }], [100, 0]],
    [100, [{ amount: 100 }], [100, 0]],
    [100, [{ amount: 50 }, { percentage: 50 }], [50, 50, 0]],
    [100, [{ amount: 51 }, { percentage: 50 }], undefined],
    [100, [{ percentage: 50 }, { percentage: 50.01 }], undefined],
  ])('splits %i cents by %j into %j', (net, rules, shares) => {
    expect(divide(net, rules)).toEqual(shares);
  });

  test('divides the whole amount, and rounds each share by less than a cent', () => {
    const rule = fc.oneof(
      fc.record({ percentage: fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100) }),
      fc.record({ amount: fc.integer({ min: 1, max: 15_000_000 }) }),
    );
    let divided = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 15_000_000 }),
        fc.array(rule, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 8 }),
        (net, drawn, part) => {
          // Random rules mostly exceed the total, so each rule is scaled down, which leaves a share for the
          // owner.
          const rules = drawn.map((share) =>
            'percentage' in share
              ? { percentage: Math.max(Math.floor((share.percentage * 100) / part / drawn.length), 1) / 100 }
              : { amount: Math.max(Math.floor((share.amount % net) / part / drawn.length), 1) },
          );
          const exact = rules.map((share) =>
            'percentage' in share ? (net * Math.round((share.percentage ?? 0) * 100)) / 10_000 : share.amount,
          );
          const shares = divide(net, rules);
          const value = exact.reduce((sum, share) => sum + share, 0);
          if (shares === undefined) {
            expect(value).toBeGreaterThan(net);
            return;
          }
          divided += 1;
          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(net);
          for (const [index, share] of shares.entries()) {
            expect(Number.isInteger(share) && share >= 0).toBe(true);
            expect(Math.abs(share - (exact[index] ?? net - value))).toBeLessThan(1);
            if ('amount' in (rules[index] ?? {})) expect(share).toBe(exact[index]);
          }
        },
      ),
      { numRuns: 3_000 },
    );
    expect(divided).toBeGreaterThan(1_000);
  });

  test('returns entries that add up to the net amount, for any amount and shares', async () => {
    const { sandbox } = await marketplace();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100, max: 15_000_000 }),
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 5_000 }),
        async (amount, one, other) => {
          const split = [to(seller, { percentage: one / 100 }), to(partner, { percentage: other / 100 })];
          const { body } = await pay(sandbox, pix({ amount, split }));
          const { netAmount, entries } = body.split as { netAmount: number; entries: { amount: number }[] };
          expect(netAmount).toBe(amount);
          expect(entries.reduce((sum, entry) => sum + entry.amount, 0)).toBe(netAmount);
        },
      ),
      { numRuns: 100 },
    );
  });
});
