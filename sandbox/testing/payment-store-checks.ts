import type { NewRow, PaymentRow, PaymentStore, RowChange } from 'payment-platform/durable';

/** The format of the rows. A claim says which formats its process knows. */
const rowVersion = 1;

/** A rule that a payment store must follow. */
export interface StoreCheck {
  /** The rule as a statement. */
  readonly name: string;
  /** Rejects with the first broken rule. The store must be empty. Some rows stay in it afterwards. */
  run(store: PaymentStore<never>): Promise<void>;
}

const merchant = 'a'.repeat(32);
const otherMerchant = 'b'.repeat(32);

const newRow = (key: string, others: Partial<NewRow> = {}): NewRow => ({
  merchant,
  key,
  version: rowVersion,
  state: 'recorded',
  reference: `order of ${key}`,
  digest: 'digest',
  payload: '{"payment":{"title":"Café \\u0000 \\ud800 😀"}}',
  attempts: 0,
  dueIn: 0,
  deadlineIn: 3_600_000,
  refreshIn: 7_200_000,
  ...others,
});

/** Names a row with its revision. */
const at = (key: string, revision: number, owner = merchant) => ({ merchant: owner, key, revision });

const settled: RowChange = {
  state: 'settled',
  payment: '{"id":"p-1"}',
  paymentId: 'p-1',
  error: null,
  inDoubt: false,
  dueIn: null,
};

function equal(actual: unknown, expected: unknown, what: string): void {
  const [is, must] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== must) throw new Error(`${what} must be ${must}, and is ${is}.`);
}

function present<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`There must be ${what}.`);
  return value;
}

async function inserted(store: PaymentStore<never>, row: NewRow): Promise<PaymentRow> {
  return present(await store.insert(row), 'an inserted row');
}

const all = { merchant, lease: 60_000, limit: 100, version: rowVersion };
const listKeys = (rows: readonly PaymentRow[]) => rows.map(({ key }) => key).sort();

/**
 * Rules that any `PaymentStore` must follow. Run each in your test runner, with an empty store. The checks
 * never wait.
 *
 * @example
 * ```ts
 * for (const { name, run } of paymentStoreChecks) test(name, async () => run(await emptyStore()));
 * ```
 */
export const paymentStoreChecks: readonly StoreCheck[] = [
  {
    name: 'keeps an inserted row byte for byte',
    async run(store) {
      const row = newRow('key-1', {
        payload: `{"long":"${'é'.repeat(300_000)}"}`,
        attempts: 1,
        state: 'sending',
      });
      const first = await inserted(store, row);
      const found = present(await store.find(merchant, 'key-1'), 'the row');
      for (const { key, version, state, reference, digest, payload, attempts, ...others } of [first, found]) {
        const { dueIn, deadlineIn, refreshIn, merchant: _, ...given } = row;
        equal(
          { key, version, state, reference, digest, payload, attempts },
          { ...given },
          'the inserted fields',
        );
        const { revision, payment, paymentId, error, inDoubt } = others;
        equal(
          { revision, payment, paymentId, error, inDoubt },
          { revision: 1, payment: null, paymentId: null, error: null, inDoubt: false },
          'the fields that are still empty',
        );
        // A store can read its clock once per column, so the times can differ slightly.
        const isDue = Math.abs((others.dueAt ?? 0) - others.createdAt - dueIn) < 2;
        equal(isDue, true, 'whether it is due at the given time');
        equal(
          Math.abs(others.deadline - others.createdAt - deadlineIn) < 2,
          true,
          'whether the deadline is in an hour',
        );
        equal(
          Math.abs((others.refreshUntil ?? 0) - others.createdAt - refreshIn) < 2,
          true,
          'whether it can be refreshed for two hours',
        );
        equal(others.merchant, merchant, 'the merchant');
        equal(
          others.now >= others.createdAt,
          true,
          'whether the clock is at or after the creation of the row',
        );
      }
      equal(await store.find(merchant, 'key-2'), undefined, 'a missing row');
    },
  },
  {
    name: 'keeps the first of two rows with one key',
    async run(store) {
      await inserted(store, newRow('key-1'));
      equal(await store.insert(newRow('key-1', { digest: 'another' })), undefined, 'the second row');
      equal((await store.find(merchant, 'key-1'))?.digest, 'digest', 'the digest');
      const both = await Promise.all([store.insert(newRow('key-2')), store.insert(newRow('key-2'))]);
      equal(both.filter((row) => row !== undefined).length, 1, 'the number of rows that were kept');
    },
  },
  {
    name: 'returns each due row to only one claim, the oldest first, and counts the attempt',
    async run(store) {
      for (const [key, dueIn] of [
        ['late', 3_600_000],
        ['b', -1_000],
        ['a', -2_000],
        ['c', -500],
      ] as const)
        await inserted(store, newRow(key, { dueIn }));
      const claims = await Promise.all([
        store.claim({ ...all, limit: 2 }),
        store.claim({ ...all, limit: 2 }),
      ]);
      equal(listKeys(claims.flat()), ['a', 'b', 'c'], 'the claimed rows');
      for (const { state, attempts, revision, inDoubt, dueAt, now } of claims.flat()) {
        equal(
          { state, attempts, revision, inDoubt },
          { state: 'sending', attempts: 1, revision: 2, inDoubt: false },
          'a claimed row',
        );
        equal((dueAt ?? 0) > now, true, 'whether the lease ends in the future');
      }
      equal(listKeys(await store.claim(all)), [], 'the remaining rows');
    },
  },
  {
    name: 'claims the row that has been due for longest first, at most `limit`, and for the given lease',
    async run(store) {
      for (const [key, dueIn] of [
        ['second', -1_000],
        ['first', -2_000],
        ['third', -500],
      ] as const)
        await inserted(store, newRow(key, { dueIn }));
      for (const [key, lease] of [
        ['first', 60_000],
        ['second', 7_200_000],
      ] as const) {
        const claimed = await store.claim({ ...all, lease, limit: 1 });
        equal(listKeys(claimed), [key], 'the claimed rows');
        const [{ dueAt, now } = { dueAt: 0, now: 0 }] = claimed;
        equal(Math.abs((dueAt ?? 0) - now - lease) < 1_000, true, `whether the lease is ${lease} ms`);
      }
    },
  },
  {
    name: 'puts a claimed row in doubt only if it was being sent, and keeps an earlier doubt',
    async run(store) {
      const change = { ...settled, payment: null, paymentId: null, dueIn: -1 } as const;
      for (const [key, state, inDoubt] of [
        ['blocked', 'blocked', false],
        ['doubtful', 'unknown', true],
        ['reopened', 'recorded', false],
      ] as const) {
        await inserted(store, newRow(key));
        await store.update(at(key, 1), { ...change, state, inDoubt });
      }
      const claimed = await store.claim(all);
      equal(
        claimed.map(({ key, inDoubt }) => `${key} ${inDoubt}`).sort(),
        ['blocked false', 'doubtful true', 'reopened false'],
        'the doubts of the claimed rows',
      );
    },
  },
  {
    name: 'makes a row due at once for 0, and never for null, and keeps its attempts',
    async run(store) {
      await inserted(store, newRow('key-1', { attempts: 3, dueIn: 3_600_000 }));
      const change = { ...settled, state: 'recorded', payment: null, paymentId: null } as const;
      await store.update(at('key-1', 1), { ...change, dueIn: 0, inDoubt: true });
      const row = present(await store.find(merchant, 'key-1'), 'the row');
      equal([row.attempts, row.inDoubt], [3, true], 'the attempts, and the doubt');
      equal(Math.abs((row.dueAt ?? 0) - row.now) < 1_000, true, 'whether the row is due now');
      await store.update(at('key-1', 2), { ...change, dueIn: null });
      const stopped = present(await store.find(merchant, 'key-1'), 'the row');
      equal(
        [stopped.dueAt, stopped.inDoubt],
        [null, false],
        'the time of a row that is never due, and its doubt',
      );
      equal(stopped.refreshUntil, row.refreshUntil, 'the end of `refresh`');
      equal(await store.claim(all), [], 'the claimed rows');
    },
  },
  {
    name: 'lists the rows that can be erased only for their merchant, at most `limit`, and the failed ones too',
    async run(store) {
      for (const [owner, key, state] of [
        [merchant, 'key-1', 'settled'],
        [merchant, 'key-2', 'failed'],
        [merchant, 'key-3', 'given_up'],
        [otherMerchant, 'key-4', 'settled'],
      ] as const) {
        await inserted(store, newRow(key, { merchant: owner }));
        await store.update(at(key, 1, owner), { ...settled, state });
      }
      equal(listKeys(await store.listErasable(merchant, -1_000, 10)), ['key-1', 'key-2'], 'the listed rows');
      equal((await store.listErasable(merchant, -1_000, 1)).length, 1, 'the number of rows with a limit');
      equal(await store.erase(at('key-2', 2), null), true, 'the erasure');
      const row = present(await store.find(merchant, 'key-2'), 'the row');
      equal([row.payload, row.payment], [null, null], 'the erased payload and payment');
    },
  },
  {
    name: 'lists the rows that can be erased from the oldest, and continues after the last key of a list',
    async run(store) {
      for (const key of ['key-3', 'key-1', 'key-2', 'key-4']) {
        await inserted(store, newRow(key));
        await store.update(at(key, 1), settled);
        // Each row is older than the next one.
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await inserted(store, newRow('key-3', { merchant: otherMerchant }));
      const listed = async (limit: number, after?: string) =>
        (await store.listErasable(merchant, -1_000, limit, after)).map(({ key }) => key);
      equal(await listed(2), ['key-3', 'key-1'], 'the first rows');
      equal(await listed(1, 'key-1'), ['key-2'], 'the next row');
      equal(await store.erase(at('key-1', 2), null), true, 'the erasure');
      equal(await listed(9, 'key-1'), ['key-2', 'key-4'], 'the rows after an erased row');
      equal(await listed(9, 'key-4'), [], 'the rows after the last one');
    },
  },
  {
    name: 'returns a row to another claim when its lease is over, and sets `inDoubt`',
    async run(store) {
      await inserted(store, newRow('key-1', { state: 'sending', attempts: 1, dueIn: -1 }));
      const [row] = await store.claim(all);
      equal([row?.state, row?.inDoubt, row?.attempts], ['sending', true, 2], 'the row');
    },
  },
  {
    name: 'lets a claim with a key end the pause of that row, but not the lease of another holder',
    async run(store) {
      await inserted(store, newRow('waiting', { dueIn: 3_600_000 }));
      await inserted(store, newRow('held', { state: 'sending', dueIn: 3_600_000 }));
      await inserted(store, newRow('other'));
      equal(
        listKeys(await store.claim({ ...all, limit: 1, key: 'waiting' })),
        ['waiting'],
        'the waiting row',
      );
      for (const key of ['waiting', 'held', 'missing'])
        equal(listKeys(await store.claim({ ...all, limit: 1, key })), [], `the claim of ${key}`);
    },
  },
  {
    name: 'does not let a claim take rows in a later format',
    async run(store) {
      await inserted(store, newRow('key-1', { version: rowVersion + 1 }));
      equal(await store.claim(all), [], 'the claimed rows');
      equal(await store.claim({ ...all, key: 'key-1' }), [], 'the row claimed by its key');
    },
  },
  {
    name: 'changes a row only if the caller has its revision',
    async run(store) {
      const { revision } = await inserted(store, newRow('key-1'));
      equal(await store.update(at('key-1', revision + 1), settled), false, 'a change with a wrong revision');
      equal((await store.find(merchant, 'key-1'))?.state, 'recorded', 'the state');
      const both = await Promise.all([
        store.update(at('key-1', revision), settled),
        store.update(at('key-1', revision), { ...settled, paymentId: 'p-2' }),
      ]);
      equal(both.filter(Boolean).length, 1, 'the number of changes');
      const row = present(await store.find(merchant, 'key-1'), 'the row');
      equal([row.state, row.revision, row.dueAt], ['settled', 2, null], 'the row');
      equal(await store.update(at('missing', 1), settled), false, 'a change of a missing row');
      equal(await store.claim({ ...all, key: 'key-1' }), [], 'the claim of a settled row');
    },
  },
  {
    name: 'keeps every field of a change, and moves the deadline only if the change has one',
    async run(store) {
      const { deadline } = await inserted(store, newRow('key-1'));
      const error = '{"message":"não \\u0000"}';
      const change = {
        ...settled,
        state: 'unknown',
        payment: null,
        paymentId: null,
        error,
        inDoubt: true,
        dueIn: 5_000,
      } as const;
      equal(await store.update(at('key-1', 1), change), true, 'the change');
      const row = present(await store.find(merchant, 'key-1'), 'the row');
      equal(
        [row.state, row.payment, row.paymentId, row.error, row.inDoubt],
        ['unknown', null, null, error, true],
        'the row',
      );
      equal(row.deadline, deadline, 'the deadline');
      equal(
        await store.update(at('key-1', 2), { ...change, deadlineIn: 7_200_000 }),
        true,
        'the change of the deadline',
      );
      equal(
        ((await store.find(merchant, 'key-1'))?.deadline ?? 0) > deadline,
        true,
        'whether the deadline is later',
      );
    },
  },
  {
    name: 'finds the rows with a payment’s id, then those with its reference and no id, and then others with its reference',
    async run(store) {
      for (const key of ['key-1', 'key-2', 'key-3'])
        await inserted(store, newRow(key, { reference: 'order-7' }));
      await store.update(at('key-1', 1), settled);
      const found = async (id: string, reference: string | undefined) =>
        listKeys(await store.findByPayment(merchant, id, reference));
      equal(await found('p-1', undefined), ['key-1'], 'the rows found by the id');
      equal(await found('p-9', 'order-7'), ['key-1', 'key-2', 'key-3'], 'the rows found by the reference');
      equal((await store.findByPayment(merchant, 'p-9', 'order-7')).at(-1)?.key, 'key-1', 'the last row');
      equal(await found('p-1', 'order-7'), ['key-1', 'key-2', 'key-3'], 'the rows found by both');
      const [first] = await store.findByPayment(merchant, 'p-1', 'order-7');
      equal(first?.key, 'key-1', 'the first row');
      equal(await found('p-9', 'key-2'), [], 'the rows of an unknown payment');
    },
  },
  {
    name: 'keeps merchants apart: each sees and claims only its own rows, also with the same key',
    async run(store) {
      await inserted(store, newRow('key-1'));
      await inserted(store, newRow('key-1', { merchant: otherMerchant, reference: 'theirs' }));
      await inserted(store, newRow('key-2', { merchant: otherMerchant }));
      equal((await store.find(merchant, 'key-1'))?.reference, 'order of key-1', 'the own row');
      equal(await store.find(merchant, 'key-2'), undefined, 'the row of another merchant');
      equal(await store.findByPayment(merchant, 'p-1', 'theirs'), [], 'the row of another merchant');
      equal(listKeys(await store.list({ merchant, limit: 10 })), ['key-1'], 'the listed rows');
      const counts = await store.counts(merchant);
      equal(
        counts.map(({ state, count }) => `${state} ${count}`).sort(),
        ['foreign 2', 'recorded 1'],
        'the counts',
      );
      equal(await store.claim({ ...all, key: 'key-2' }), [], 'the claim of another merchant’s row');
      const claimed = await store.claim(all);
      equal(
        claimed.map((row) => [row.merchant, row.key]),
        [[merchant, 'key-1']],
        'the claimed rows',
      );
    },
  },
  {
    name: 'gives a former merchant’s rows to another, except rows that are being sent and keys that it has',
    async run(store) {
      for (const key of ['key-1', 'key-2', 'key-4'])
        await inserted(store, newRow(key, { merchant: otherMerchant }));
      await store.update(at('key-4', 1, otherMerchant), settled);
      await inserted(
        store,
        newRow('key-3', { merchant: otherMerchant, state: 'sending', attempts: 1, dueIn: 60_000 }),
      );
      await inserted(store, newRow('key-2'));
      equal(await store.adopt(merchant, otherMerchant), 2, 'the number of adopted rows');
      equal((await store.find(merchant, 'key-1'))?.revision, 2, 'the revision');
      equal(
        (await store.find(merchant, 'key-1'))?.inDoubt,
        false,
        'the doubt about a payment that was not sent',
      );
      equal(listKeys(await store.list({ merchant, limit: 10 })), ['key-1', 'key-2', 'key-4'], 'the own rows');
      equal((await store.find(merchant, 'key-4'))?.inDoubt, true, 'the doubt about a settled payment');
      equal(
        listKeys(await store.list({ merchant: otherMerchant, limit: 10 })),
        ['key-2', 'key-3'],
        'the remaining rows',
      );
    },
  },
  {
    name: 'erases the payload of settled and failed rows only',
    async run(store) {
      await inserted(store, newRow('key-1'));
      equal(await store.erase(at('key-1', 1), null), false, 'an erasure before the end');
      await inserted(store, newRow('given-up'));
      await store.update(at('given-up', 1), {
        ...settled,
        state: 'given_up',
        payment: null,
        paymentId: null,
      });
      equal(
        await store.erase(at('given-up', 2), null),
        false,
        'an erasure of a payment that can be requested again',
      );
      await store.update(at('key-1', 1), settled);
      equal(listKeys(await store.listErasable(merchant, 3_600_000, 10)), [], 'the rows that are old enough');
      equal(
        listKeys(await store.listErasable(merchant, -1_000, 10)),
        ['key-1'],
        'the rows that can be erased',
      );
      equal(await store.erase(at('key-1', 1), '{}'), false, 'an erasure with a wrong revision');
      equal(await store.erase(at('key-1', 2), '{"id":"p-1"}'), true, 'the erasure');
      equal((await store.find(merchant, 'key-1'))?.revision, 3, 'the revision after the erasure');
      const row = present(await store.find(merchant, 'key-1'), 'the row');
      equal(
        [row.payload, row.payment, row.digest, row.state],
        [null, '{"id":"p-1"}', 'digest', 'settled'],
        'the row',
      );
      equal(
        listKeys(await store.listErasable(merchant, -1_000, 10)),
        [],
        'the rows that can be erased again',
      );
    },
  },
  {
    name: 'lists rows by state and age, in the order of their keys, and counts the rows that are not settled',
    async run(store) {
      for (const key of ['c', 'B', 'a', 'd']) await inserted(store, newRow(key));
      await store.update(at('d', 1), settled);
      const list = async (filter: Partial<Parameters<PaymentStore['list']>[0]>) =>
        (await store.list({ merchant, limit: 10, olderThan: -1_000, ...filter })).map(({ key }) => key);
      equal(await list({}), ['B', 'a', 'c', 'd'], 'all rows');
      equal(await list({ after: 'a', limit: 1 }), ['c'], 'the next row');
      equal(await list({ state: 'settled' }), ['d'], 'the settled rows');
      equal(await list({ olderThan: 3_600_000 }), [], 'the old rows');
      const [counted, ...others] = await store.counts(merchant);
      equal([counted?.state, counted?.count, others.length], ['recorded', 3, 0], 'the counts');
      equal((counted?.oldest ?? -1) >= 0, true, 'whether the oldest row has an age');
    },
  },
  {
    name: 'keeps the rows of another kind of the same merchant apart, and counts them for nobody else',
    async run(store) {
      const kind = `${merchant}:withdrawals`;
      await inserted(store, newRow('key-1'));
      await inserted(store, newRow('key-1', { merchant: kind, payload: 'of a withdrawal' }));
      await inserted(store, newRow('key-2', { merchant: `${otherMerchant}:withdrawals` }));
      const claim = async (of: string) =>
        (await store.claim({ ...all, merchant: of })).map((row) => row.payload === 'of a withdrawal');
      equal(await claim(merchant), [false], 'the claimed payments');
      equal(await claim(kind), [true], 'the claimed withdrawals');
      const counts = async (of: string) =>
        (await store.counts(of)).map(({ state, count }) => `${count} ${state}`).sort();
      equal(await counts(merchant), ['1 sending'], 'the payments that are counted');
      equal(await counts(kind), ['1 foreign', '1 sending'], 'the withdrawals that are counted');
      await store.update(at('key-1', 2, kind), { ...settled, state: 'in_doubt' });
      equal(
        (await store.claim({ ...all, merchant: kind, key: 'key-1' })).length,
        0,
        'claims of a row in doubt',
      );
      equal(await store.erase(at('key-1', 3, kind), null), false, 'an erasure of a row in doubt');
    },
  },
];
