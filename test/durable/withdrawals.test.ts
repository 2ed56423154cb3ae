import { inspect } from 'node:util';
import { PaymentPlatform } from 'payment-platform';
import {
  createDurablePayments,
  createDurableWithdrawals,
  type DurableFailure,
  type DurableRecord,
  DurableRequestError,
  type DurableRequestOptions,
  memoryPayments,
} from 'payment-platform/durable';
import { describe, expect, test } from 'vitest';
import { sandboxForTest, unknownId } from '../../sandbox/test/support.js';
import { computeMerchant } from '../../src/durable/merchant-store.js';
import type { NewRow, PaymentRow, RowChange } from '../../src/stores/payment-row.js';
import { order, rejection } from '../support/durable.js';
import { pf } from '../support/onboarding.js';
import { paymentStores } from '../support/payment-stores.js';

const key = 'withdrawal-1';
const encryptionKeys = new Uint8Array(32).fill(7);
const minute = 60_000;

/** A sandbox with an approved seller, and durable withdrawals with a clock that the test advances. */
async function setUp(options: Partial<DurableRequestOptions> = {}) {
  const sandbox = sandboxForTest({ rateLimits: false });
  const platform = new PaymentPlatform({ ...sandbox.clientOptions(), maxRetries: 0 });
  const { registration_id } = await platform.onboarding.submitPf(pf);
  sandbox.control.onboarding.approve(registration_id);
  const { internalId } = await platform.onboarding.status(registration_id);
  const clock = { now: Date.UTC(2026, 0, 1) };
  const reported = {
    settled: [] as DurableRecord[],
    failed: [] as DurableRecord[],
    inDoubt: [] as DurableRecord[],
    errors: [] as [unknown, DurableFailure][],
  };
  const store = options.store ?? memoryPayments({ now: () => clock.now });
  const open = (others: Partial<DurableRequestOptions> = {}, client = platform) =>
    createDurableWithdrawals(client, {
      encryptionKeys,
      onSettled: (record) => reported.settled.push(record),
      onFailed: (record) => reported.failed.push(record),
      onInDoubt: (record) => reported.inDoubt.push(record),
      onError: (error, failure) => reported.errors.push([error, failure]),
      ...options,
      ...others,
      store,
    });
  const body = { internalId: String(internalId), amount: 5_000 };
  const sent = () =>
    sandbox.journal.requests.filter(({ operation }) => operation === 'submerchants.withdrawals.create')
      .length;
  return { sandbox, platform, clock, reported, store, open, withdrawals: open(), body, sent };
}

/** A new row with the contents of another. */
const copyOf = (row: PaymentRow | undefined, change: Partial<NewRow>): NewRow => ({
  ...(row as PaymentRow),
  payload: row?.payload ?? '',
  dueIn: 0,
  deadlineIn: 86_400_000,
  refreshIn: 86_400_000,
  ...change,
});

describe('a durable withdrawal', () => {
  test('is sent once, and a second call with its key returns the recorded result', async () => {
    const { withdrawals, body, sent, reported } = await setUp();
    const { result, record } = await withdrawals.create(body, { key });
    expect(record).toMatchObject({ key, state: 'settled', result, inDoubt: false, dueAt: undefined });
    expect(result.withdraw_id).toBeGreaterThan(0);
    expect((await withdrawals.create(body, { key })).result).toEqual(result);
    expect(sent()).toBe(1);
    expect(reported.settled).toHaveLength(1);
  });

  test('from a sub-account that the platform does not know has failed, and is sent again only after retry', async () => {
    const { withdrawals, body, sent, reported, clock } = await setUp();
    const unknown = { ...body, internalId: unknownId };
    const error = await rejection(withdrawals.create(unknown, { key }));
    expect(error).toMatchObject({
      outcome: 'not-executed',
      record: { state: 'failed', inDoubt: false, error: { name: 'NotFoundError', status: 404 } },
    });
    expect(error.message).not.toContain('credentials');
    expect(reported.failed).toMatchObject([{ key, state: 'failed' }]);
    expect(reported.errors).toEqual([]);
    clock.now += 60 * minute;
    expect(await withdrawals.settleDue()).toBe(0);
    expect(sent()).toBe(1);
    expect(await withdrawals.retry(key)).toBe(true);
  });

  test.each(['before', 'after-commit', 'mid-response'] as const)(
    'becomes in doubt after a lost response (%s), and nothing is sent again until a person decides',
    async (phase) => {
      const { sandbox, withdrawals, body, sent, reported, clock } = await setUp();
      const fault = { operation: 'submerchants.withdrawals.create', fault: 'reset' } as const;
      sandbox.faults.add(phase === 'before' ? fault : { ...fault, phase });
      const error = await rejection(withdrawals.create(body, { key }));
      expect(error).toBeInstanceOf(DurableRequestError);
      expect(error).toMatchObject({ outcome: 'unknown', record: { state: 'in_doubt', inDoubt: true } });
      expect(error.message).toContain('confirm or dismiss');
      expect(reported.inDoubt).toMatchObject([{ key, state: 'in_doubt' }]);
      for (let day = 0; day < 3; day++, clock.now += 86_400_000) {
        expect(await withdrawals.settleDue()).toBe(0);
        await rejection(withdrawals.settle(key));
        await rejection(withdrawals.create(body, { key }));
      }
      expect(await withdrawals.retry(key)).toBe(false);
      expect(await withdrawals.cancel(key)).toBe(false);
      expect(await withdrawals.forget(key)).toBe(false);
      expect(sent()).toBe(1);
    },
  );

  test('that a person confirms is settled with the id of that person', async () => {
    const { sandbox, withdrawals, body, sent } = await setUp();
    sandbox.faults.add({
      operation: 'submerchants.withdrawals.create',
      phase: 'after-commit',
      fault: 'reset',
    });
    await rejection(withdrawals.create(body, { key }));
    const [made] = sandbox.control.withdrawals.list();
    expect(await withdrawals.confirm(key, { withdraw_id: Number(made?.withdraw_id) })).toBe(true);
    expect(await withdrawals.settle(key)).toMatchObject({ result: { withdraw_id: made?.withdraw_id } });
    expect(await withdrawals.confirm(key)).toBe(false);
    expect(await withdrawals.dismiss(key)).toBe(false);
    expect(sent()).toBe(1);
  });

  test('that a person dismisses is failed, and sent again only after retry', async () => {
    const { sandbox, withdrawals, body, sent, clock } = await setUp();
    sandbox.faults.add({ operation: 'submerchants.withdrawals.create', fault: 'reset' });
    await rejection(withdrawals.create(body, { key }));
    expect(await withdrawals.dismiss(key)).toBe(true);
    expect(await rejection(withdrawals.settle(key))).toMatchObject({ outcome: 'not-executed' });
    clock.now += 60 * minute;
    expect(await withdrawals.settleDue()).toBe(0);
    expect(sent()).toBe(1);
    expect(await withdrawals.retry(key)).toBe(true);
    expect(await withdrawals.settle(key)).toMatchObject({ record: { state: 'settled', inDoubt: false } });
    expect(sandbox.control.withdrawals.list()).toHaveLength(1);
  });

  test('that a dead process was sending is in doubt after its lease, and is not sent again', async () => {
    const { withdrawals, open, body, store, sent, clock, reported } = await setUp();
    const dying = open();
    const { update } = store;
    store.update = () => Promise.reject(new Error('dead'));
    await dying.create(body, { key });
    store.update = update;
    expect(await withdrawals.find(key)).toMatchObject({ state: 'sending' });
    expect(await withdrawals.settleDue()).toBe(0);
    clock.now += minute;
    expect(await withdrawals.settleDue()).toBe(1);
    expect(await withdrawals.find(key)).toMatchObject({ state: 'in_doubt', error: { code: 'process_died' } });
    expect(reported.inDoubt).toHaveLength(1);
    expect(sent()).toBe(1);
  });

  test('is sent again by run if it was certainly not executed', async () => {
    const { sandbox, withdrawals, body, sent, clock } = await setUp();
    sandbox.faults.add({ operation: 'submerchants.withdrawals.create', fault: { status: 429 } });
    expect(await rejection(withdrawals.create(body, { key }))).toMatchObject({
      record: { state: 'recorded', inDoubt: false },
    });
    clock.now += minute;
    expect(await withdrawals.settleDue()).toBe(1);
    expect(await withdrawals.find(key)).toMatchObject({ state: 'settled', attempts: 2 });
    expect(sent()).toBe(2);
    expect(sandbox.control.withdrawals.list()).toHaveLength(1);
  });

  test('that the platform rejects has failed', async () => {
    const { withdrawals, reported } = await setUp();
    const error = await rejection(withdrawals.create({ internalId: 'nobody', amount: -1 }, { key }));
    expect(error).toMatchObject({
      outcome: 'not-executed',
      record: { state: 'failed', error: { status: 400 } },
    });
    expect(reported.failed).toHaveLength(1);
  });

  test('is reported to onError if it is in doubt and no hook receives it', async () => {
    const { sandbox, body, open, reported } = await setUp();
    const withdrawals = open({ onInDoubt: undefined });
    sandbox.faults.add({ operation: 'submerchants.withdrawals.create', fault: 'reset' });
    await withdrawals.enqueue(body, { key });
    await withdrawals.settleDue();
    expect(reported.errors).toMatchObject([[{ name: 'DurableRequestError' }, { during: 'send', key }]]);
  });

  test('with the key of another body is rejected, and names the fields that differ', async () => {
    const { withdrawals, body, sent } = await setUp();
    await withdrawals.create(body, { key });
    const error = await rejection(withdrawals.create({ ...body, amount: 6_000 }, { key }));
    expect(error).toMatchObject({ name: 'IdempotencyConflictError' });
    expect(error.message).toContain('another amount');
    expect(sent()).toBe(1);
  });

  test.each([
    ['no body', undefined, { key }, 'must be an object'],
    ['a string', 'x', { key }, 'must be an object'],
    ['a list', [], { key }, 'must be a'],
    ['an amount that is undefined', { amount: undefined }, { key }, 'amount is undefined'],
    [
      'a nested amount that is undefined',
      { bank: [{ amount: undefined }] },
      { key },
      'bank.0.amount is undefined',
    ],
    ['no key', { amount: 1 }, {}, 'is required'],
    ['a key of a missing value', { amount: 1 }, { key: 'w-undefined' }, 'contains undefined'],
    ['a key with a line break', { amount: 1 }, { key: 'w\n1' }, 'ASCII'],
    ['a misplaced transaction', { amount: 1 }, { key, client: {} }, 'client'],
    ['an undefined transaction', { amount: 1 }, { key, client: undefined }, 'client'],
    ['a misspelt option', { amount: 1 }, { key, giveupafter: 1 }, 'giveUpAfter'],
  ])('is not recorded with %s', async (_, body, options, words) => {
    const { withdrawals, sent } = await setUp();
    const error = await rejection(withdrawals.create(body as never, options as never));
    expect(error).toMatchObject({ name: 'ValidationError' });
    expect(error.message).toContain(words);
    expect(await withdrawals.list()).toEqual([]);
    expect(sent()).toBe(0);
  });

  test('is checked for undefined fields as JSON shows it, and once for an object that occurs often', async () => {
    const { withdrawals, body } = await setUp();
    const moment = { utc: undefined, toJSON: () => '2026-01-01T00:00:00.000Z' };
    expect((await withdrawals.create({ ...body, at: moment }, { key })).record.state).toBe('settled');
    const hidden = { ...body, payout: { toJSON: () => ({ amount: undefined }) } };
    expect((await rejection(withdrawals.create(hidden, { key: 'hidden' }))).message).toContain(
      'payout.amount',
    );
    let shared: object = { amount: undefined };
    for (let depth = 0; depth < 40; depth++) shared = { a: shared, b: shared };
    const error = await rejection(withdrawals.create(shared, { key: 'shared' }));
    expect(error).toMatchObject({ name: 'ValidationError' });
  });

  test('is not enqueued with a transaction that is null', async () => {
    const { withdrawals, body } = await setUp();
    const error = await rejection(withdrawals.enqueue(body, { key, client: null as never }));
    expect(error).toMatchObject({ name: 'ValidationError', message: expect.stringContaining('not null') });
    expect(await withdrawals.list()).toEqual([]);
  });

  test.each([
    ['a text', { withdraw_id: 'abc' }],
    ['a fraction', { withdraw_id: 1.5 }],
    ['no object', 7],
    ['a list', { withdraw_id: ['5'] }],
    ['a negative number', { withdraw_id: -5 }],
    ['another name of the id', { withdrawId: 5 }],
  ])('is not confirmed with %s', async (_, withdrawal) => {
    const { withdrawals } = await setUp();
    await expect(withdrawals.confirm(key, withdrawal as never)).rejects.toThrow('withdrawal');
  });

  test('needs encryption keys, because the API docs show no field of its body', async () => {
    await expect(setUp({ encryptionKeys: undefined as never })).rejects.toThrow('encryptionKeys');
    const { store, body, withdrawals, platform } = await setUp();
    await withdrawals.create(body, { key });
    const row = await store.find(`${await computeMerchant(platform.merchant)}:withdrawals`, key);
    expect(row).toMatchObject({ payload: expect.any(String), payment: expect.any(String) });
    expect(row?.payload).not.toContain(body.internalId);
    expect(row?.payment).not.toContain('withdraw_id');
  });

  test.each([
    ['payload', { payload: '{"body":{"amount":9999999}}', digest: 'f'.repeat(64) }],
    ['payload of a payment', { payload: '{"payment":{"amount":1990}}' }],
  ])('is not sent if somebody wrote an unencrypted %s into its row', async (_, forged) => {
    const { withdrawals, body, store, sent, clock } = await setUp();
    await withdrawals.enqueue(body, { key });
    const claim = store.claim.bind(store);
    store.claim = async (request) => (await claim(request)).map((row) => ({ ...row, ...forged }));
    expect(await withdrawals.settleDue()).toBe(1);
    expect(await withdrawals.find(key)).toMatchObject({
      state: 'given_up',
      error: { code: 'payload_changed' },
    });
    clock.now += 10 * minute;
    expect(await withdrawals.settleDue()).toBe(0);
    expect(sent()).toBe(0);
  });

  test('that was settled is not sent again if somebody resets its state in the database', async () => {
    const { withdrawals, body, store, platform, sent } = await setUp();
    await withdrawals.create(body, { key });
    const merchant = `${await computeMerchant(platform.merchant)}:withdrawals`;
    const row = await store.find(merchant, key);
    const { payment, paymentId, revision } = row ?? { payment: null, paymentId: null, revision: 0 };
    const change = { state: 'recorded', payment, paymentId, error: null, inDoubt: false, dueIn: 0 } as const;
    await store.update({ merchant, key, revision }, change);
    expect(await withdrawals.settleDue()).toBe(1);
    expect(await withdrawals.find(key)).toMatchObject({ state: 'in_doubt' });
    expect(sent()).toBe(1);
  });

  test('that the platform rejects shows no value of its body in the error or in the row', async () => {
    const { sandbox, withdrawals, body, store, platform } = await setUp();
    const details = {
      favorecido: 'Rosa Lima',
      conta: '0011223-4',
      chave: '0b7e2b0a-6f0c-4a8e-9f0e-1c2d3e4f5a6b',
    };
    const message = `Conta 0011223-4 de Rosa Lima (${details.chave}) recusada`;
    sandbox.faults.add({
      operation: 'submerchants.withdrawals.create',
      fault: { status: 422, body: { message, errors: { favorecido: ['Rosa Lima'] } } },
    });
    const error = await rejection(withdrawals.create({ ...body, details }, { key }));
    const row = await store.find(`${await computeMerchant(platform.merchant)}:withdrawals`, key);
    for (const shown of [inspect(error), String(row?.error), JSON.stringify(await withdrawals.find(key))])
      for (const value of Object.values(details)) expect(shown).not.toContain(value);
  });

  test('is not confirmed by a process that cannot decrypt it', async () => {
    const { sandbox, withdrawals, open, body } = await setUp();
    sandbox.faults.add({ operation: 'submerchants.withdrawals.create', fault: 'reset' });
    await rejection(withdrawals.create(body, { key }));
    const stranger = open({ encryptionKeys: new Uint8Array(32).fill(9) });
    await expect(stranger.confirm(key, { withdraw_id: 7 })).rejects.toThrow('encrypted');
    expect(await withdrawals.find(key)).toMatchObject({ state: 'in_doubt' });
  });

  test('in doubt from create is reported to onError if no hook receives it, and as overdue', async () => {
    const { sandbox, body, open, reported, clock } = await setUp();
    const withdrawals = open({ onInDoubt: undefined });
    sandbox.faults.add({ operation: 'submerchants.withdrawals.create', fault: 'reset' });
    await rejection(withdrawals.create(body, { key }));
    expect(reported.errors).toMatchObject([[{ name: 'DurableRequestError' }, { during: 'send', key }]]);
    clock.now += 60 * minute;
    const controller = new AbortController();
    const overdue: unknown[] = [];
    await withdrawals.run({
      signal: controller.signal,
      pollInterval: 1,
      overdueAfter: minute,
      onOverdue: (found) => {
        overdue.push(found);
        controller.abort();
      },
    });
    expect(overdue).toMatchObject([{ state: 'in_doubt', count: 1, records: [{ key }] }]);
  });

  test.each([
    ['without a body', { status: 204 }],
    ['with an error', { status: 200, body: { error: { code: 'insufficient_balance' } } }],
    ['with another field', { status: 200, body: { success: false } }],
    ['with null as its id', { status: 201, body: { withdraw_id: null, status: 'rejected' } }],
  ])('is in doubt after a response %s, is not sent again, and can be dismissed', async (_, fault) => {
    const { sandbox, withdrawals, body, sent, reported } = await setUp();
    sandbox.faults.add({ operation: 'submerchants.withdrawals.create', fault });
    expect(await rejection(withdrawals.create(body, { key }))).toMatchObject({
      record: { state: 'in_doubt', inDoubt: true },
    });
    expect([reported.settled, await withdrawals.settleDue(), sent()]).toEqual([[], 0, 1]);
    expect(await withdrawals.dismiss(key)).toBe(true);
  });

  test('is settled by a response that is only its id', async () => {
    const { sandbox, withdrawals, body } = await setUp();
    const operation = 'submerchants.withdrawals.create';
    sandbox.faults.add({
      operation,
      fault: {
        status: 201,
        body: '7',
        headers: { 'content-type': 'application/json', 'content-length': '1' },
      },
    });
    await withdrawals.create(body, { key });
    expect(await withdrawals.find(key)).toMatchObject({ state: 'settled', result: { value: 7 } });
  });

  test.each([
    ['an empty body', '', 'text/plain'],
    ['plain text', '404 page not found', 'text/plain'],
    ['JSON without a code', '{"message":"no Route matched with those values"}', 'application/json'],
  ])('is blocked or in doubt, but not failed, after a 404 of a gateway with %s', async (_, text, type) => {
    const { sandbox, withdrawals, body } = await setUp();
    const fault = { status: 404, body: text, headers: { 'content-type': type } };
    sandbox.faults.add({ operation: 'submerchants.withdrawals.create', fault });
    const error = await rejection(withdrawals.create(body, { key }));
    expect(error).toMatchObject({ record: { state: expect.stringMatching(/^(?:blocked|in_doubt)$/) } });
  });

  test('keeps only its id and status after forget', async () => {
    const { withdrawals, body } = await setUp();
    const { result } = await withdrawals.create(body, { key });
    expect(await withdrawals.forget(key)).toBe(true);
    const { withdraw_id, status } = result;
    expect((await withdrawals.find(key))?.result).toEqual({ withdraw_id, status });
    expect((await withdrawals.create(body, { key })).result).toEqual({ withdraw_id, status });
  });
});

describe.each(paymentStores.filter(({ isThere }) => isThere).map((store) => [store.name, store] as const))(
  'payments and withdrawals in one table of %s',
  (name, { open }) => {
    test('have the same key without seeing each other', async () => {
      const { store, close } = await open();
      try {
        const { withdrawals, platform, body, sandbox } = await setUp({ store });
        const foreign: unknown[] = [];
        const payments = createDurablePayments(platform, {
          store,
          onError: (error) => foreign.push(error),
        });
        await payments.enqueue(order, { key });
        await withdrawals.enqueue(body, { key });
        expect(await payments.settleDue()).toBe(1);
        expect(await withdrawals.find(key)).toMatchObject({ state: 'recorded', attempts: 0 });
        expect(await payments.counts()).toEqual([]);
        expect(await withdrawals.counts()).toMatchObject([{ state: 'recorded', count: 1 }]);
        expect(await withdrawals.settleDue()).toBe(1);
        expect(await payments.settleDue()).toBe(0);
        expect(await payments.list()).toMatchObject([{ key, state: 'settled', payment: { amount: 1990 } }]);
        expect(await withdrawals.list()).toMatchObject([{ key, state: 'settled' }]);
        expect(await payments.cancel(key)).toBe(false);
        expect(foreign).toEqual([]);
        expect(sandbox.ledger.chargesFor(key)).toHaveLength(1);
        expect(sandbox.control.withdrawals.list()).toHaveLength(1);
      } finally {
        await close();
      }
    });

    test('report the due withdrawals of another client as foreign only to withdrawals', async () => {
      const { store, close } = await open();
      try {
        const mine = await setUp({ store });
        const credentials = { clientId: 'another', clientSecret: 'secret-of-another' };
        const other = new PaymentPlatform({ ...mine.sandbox.clientOptions(), ...credentials });
        await mine.open({}, other).enqueue(mine.body, { key });
        const payments = createDurablePayments(mine.platform, { store });
        expect(await payments.counts()).toEqual([]);
        expect(await mine.withdrawals.counts()).toMatchObject([{ state: 'foreign', count: 1 }]);
        expect(await mine.withdrawals.settleDue()).toBe(0);
        expect(await mine.withdrawals.find(key)).toBeUndefined();
        expect(mine.sent()).toBe(0);
        expect(await mine.withdrawals.adopt({ clientId: 'another' })).toBe(1);
        expect(await mine.withdrawals.settleDue()).toBe(1);
      } finally {
        await close();
      }
    });

    test('cannot be read as each other, even if a row is moved to the other kind', async () => {
      const { store, close } = await open();
      try {
        const { withdrawals, platform, reported, sent } = await setUp({ store });
        const payments = createDurablePayments(platform, { store, encryptionKeys });
        await payments.enqueue(order, { key });
        const merchant = await computeMerchant(platform.merchant);
        const payment = await store.find(merchant, key);
        await store.insert(copyOf(payment, { merchant: `${merchant}:withdrawals` }));
        await withdrawals.settleDue();
        const unreadable = { message: expect.stringContaining('a key that this process does not have') };
        expect(reported.errors).toMatchObject([[unreadable, { during: 'read', key }]]);
        expect(sent()).toBe(0);
      } finally {
        await close();
      }
    });

    test('have different rules: a plain text is never the payload of a withdrawal', async () => {
      const { store, close } = await open();
      try {
        const { withdrawals, platform, body, sent } = await setUp({ store });
        await withdrawals.enqueue(body, { key });
        const merchant = `${await computeMerchant(platform.merchant)}:withdrawals`;
        const written = await store.find(merchant, key);
        await store.insert(copyOf(written, { key: 'forged', payload: JSON.stringify({ body }) }));
        const error = await rejection(withdrawals.settle('forged'));
        expect(error).toMatchObject({ record: { state: 'given_up', error: { code: 'payload_changed' } } });
        expect(sent()).toBe(0);
      } finally {
        await close();
      }
    });

    // No version kept rows without a merchant in memory.
    test.skipIf(name === 'memoryPayments')(
      'differ in who owns a row without a merchant: only payments do',
      async () => {
        const { store, close } = await open();
        try {
          const { withdrawals, platform, body, sent, sandbox } = await setUp({ store });
          const payments = createDurablePayments(platform, { store });
          await payments.enqueue(order, { key: 'other' });
          const payment = await store.find(await computeMerchant(platform.merchant), 'other');
          await store.insert(copyOf(payment, { key, merchant: '' }));
          expect(await withdrawals.find(key)).toBeUndefined();
          expect(await withdrawals.counts()).toEqual([]);
          expect(await withdrawals.settleDue()).toBe(0);
          await withdrawals.enqueue(body, { key });
          expect(await withdrawals.settleDue()).toBe(1);
          expect(await payments.settleDue()).toBe(2);
          expect(sent()).toBe(1);
          expect(sandbox.ledger.chargesFor(key)).toHaveLength(1);
        } finally {
          await close();
        }
      },
    );
  },
);

describe('a withdrawal whose row was changed while its request was under way', () => {
  /** Runs `before` once, right before the response is stored. */
  async function changedBefore(before: (row: PaymentRow, change: RowChange) => RowChange | undefined) {
    const parts = await setUp();
    const update = parts.store.update.bind(parts.store);
    let isDone = false;
    parts.store.update = async (id, change) => {
      if (isDone || change.state !== 'settled') return update(id, change);
      isDone = true;
      const row = (await parts.store.find(id.merchant, id.key)) as PaymentRow;
      const other = before(row, change);
      if (other === undefined) return false;
      await update(id, other);
      return update(id, change);
    };
    return parts;
  }
  const conflicts = ({ errors }: { errors: [unknown, DurableFailure][] }) =>
    errors.filter(([, { during }]) => during === 'conflict');

  test.each([
    ['another id', (_: PaymentRow, change: RowChange) => ({ ...change, payment: null, paymentId: '999' }), 1],
    ['no id', (_: PaymentRow, change: RowChange) => ({ ...change, payment: null, paymentId: null }), 1],
    ['the same id', (_: PaymentRow, change: RowChange) => ({ ...change, payment: null }), 0],
    ['the same response', (_: PaymentRow, change: RowChange) => change, 0],
  ])('is compared with the response if it is settled already with %s', async (_, change, reports) => {
    const { withdrawals, body, reported, sent } = await changedBefore(change);
    const { result } = await withdrawals.create(body, { key }).catch(() => ({ result: undefined }));
    expect(conflicts(reported)).toHaveLength(reports);
    if (reports > 0)
      expect(conflicts(reported)).toMatchObject([
        [{ message: expect.stringContaining('settled with another response') }, { key }],
      ]);
    else expect(result).toBeDefined();
    expect(sent()).toBe(1);
    expect(await withdrawals.find(key)).toMatchObject({ state: 'settled' });
  });

  test('is settled by the response if another process has put it in doubt', async () => {
    const doubt = ({ payment, paymentId, error }: PaymentRow): RowChange => ({
      payment,
      paymentId,
      error,
      state: 'in_doubt',
      inDoubt: true,
      dueIn: null,
    });
    const { withdrawals, body, reported, sent } = await changedBefore(doubt);
    expect(await withdrawals.create(body, { key })).toMatchObject({ record: { state: 'settled' } });
    expect(await withdrawals.find(key)).toMatchObject({ state: 'settled', inDoubt: false });
    expect(conflicts(reported)).toEqual([]);
    expect(sent()).toBe(1);
  });

  test('is returned with its response even if the store rejects the change without a reason', async () => {
    const { withdrawals, body, sent } = await changedBefore(() => undefined);
    expect((await withdrawals.create(body, { key })).result.withdraw_id).toBeGreaterThan(0);
    expect(sent()).toBe(1);
  });

  test('is not changed again if the store rejects each change without a reason', async () => {
    const { withdrawals, body, store } = await setUp();
    const update = store.update.bind(store);
    let rejected = 0;
    store.update = async (id, change) => {
      if (change.state !== 'settled') return update(id, change);
      rejected++;
      return false;
    };
    expect((await withdrawals.create(body, { key })).result.withdraw_id).toBeGreaterThan(0);
    expect(rejected).toBe(1);
    expect(await withdrawals.find(key)).toMatchObject({ state: 'sending' });
  });

  const whole = { withdraw_id: 7, status: 'pending', holder: 'Ana Souza' };

  test('keeps the whole response', async () => {
    const { withdrawals, body, sandbox } = await changedBefore((_, change) => change);
    sandbox.faults.add({ operation: 'submerchants.withdrawals.create', fault: { status: 201, body: whole } });
    await withdrawals.create(body, { key });
    expect((await withdrawals.find(key))?.result).toEqual(whole);
  });

  test('keeps only its id and status if it was cancelled and erased before', async () => {
    const { withdrawals, body, store, sandbox } = await setUp();
    sandbox.faults.add({ operation: 'submerchants.withdrawals.create', fault: { status: 201, body: whole } });
    const update = store.update.bind(store);
    store.update = async (id, change) => {
      store.update = update;
      const { payment, paymentId, error } = change;
      await update(id, { payment, paymentId, error, state: 'failed', inDoubt: false, dueIn: null });
      await store.erase((await store.find(id.merchant, id.key)) as PaymentRow, null);
      return update(id, change);
    };
    expect((await withdrawals.create(body, { key })).result).toEqual(whole);
    expect(await withdrawals.find(key)).toMatchObject({ state: 'settled' });
    expect((await withdrawals.find(key))?.result).toEqual({ withdraw_id: 7, status: 'pending' });
  });
});

test('a withdrawal that the platform rejected can be forgotten', async () => {
  const { withdrawals, body, sandbox } = await setUp();
  sandbox.faults.add({ operation: 'submerchants.withdrawals.create', fault: { status: 422, body: {} } });
  await rejection(withdrawals.create(body, { key }));
  expect(await withdrawals.find(key)).toMatchObject({ state: 'failed' });
  expect(await withdrawals.forget(key)).toBe(true);
  expect(await withdrawals.findPayload(key)).toBeUndefined();
});

test('a process with another encryption key erases no withdrawal', async () => {
  const { withdrawals, open, body } = await setUp();
  await withdrawals.create(body, { key });
  const other = open({ encryptionKeys: new Uint8Array(32).fill(8) });
  await rejection(other.forget(key));
  expect(await withdrawals.findPayload(key)).toEqual(body);
  expect(await withdrawals.forget(key)).toBe(true);
  expect(await withdrawals.findPayload(key)).toBeUndefined();
  expect(Object.keys((await withdrawals.find(key))?.result ?? {}).sort()).toEqual(['status', 'withdraw_id']);
});

test('a withdrawal that a later version of the package wrote is not changed', async () => {
  const { withdrawals, sandbox, store, body } = await setUp();
  await withdrawals.create(body, { key: 'settled' });
  sandbox.faults.add({ operation: 'submerchants.withdrawals.create', fault: 'reset' });
  await rejection(withdrawals.create(body, { key: 'doubtful' }));
  const { find } = store;
  store.find = async (...values) => {
    const row = await find.apply(store, values);
    return row && { ...row, version: 2 };
  };
  const { confirm, dismiss, forget } = withdrawals;
  expect([await confirm('doubtful'), await dismiss('doubtful')]).toEqual([false, false]);
  expect([await forget('settled'), await withdrawals.findPayload('settled')]).toEqual([false, body]);
});

test('a withdrawal waits for its response no longer than `timeout`, although its lease is longer', async () => {
  const { sandbox, withdrawals, body } = await setUp({ timeout: 150, lease: 20_000 });
  sandbox.faults.add({ operation: 'submerchants.withdrawals.create', fault: { slow: 5_000 } });
  const error = await rejection(withdrawals.create(body, { key }));
  expect(error.message).toContain('150 ms');
});

test('a key that is missing during a rotation is a ConfigurationError that names the function', async () => {
  const { open } = await setUp();
  for (const missing of [undefined, null, 5])
    expect(() => open({ encryptionKeys: [encryptionKeys, missing] as never })).toThrow(
      'createDurableWithdrawals takes keys of 32 bytes, as bytes or base64.',
    );
});

test('a withdrawal in doubt is confirmed only with a status that is a string', async () => {
  const { withdrawals } = await setUp();
  const confirm = withdrawals.confirm(key, { withdraw_id: 5, status: { paid: false } } as never);
  await expect(confirm).rejects.toThrow('withdrawal must have a status that is a string');
});
