import Database from 'libsql';
import { createDurablePayments, sqlitePayments, sqlitePaymentsSql } from 'payment-platform/durable';
import { expect, test } from 'vitest';
import { durable, order, rejection } from '../support/durable.js';

/** Creates durable payments that share one connection with a merchant's transactions. */
function overOneConnection(busyTimeout = 5_000) {
  const database = new Database(':memory:');
  database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  database.exec(sqlitePaymentsSql());
  const errors: unknown[] = [];
  const { platform, sandbox } = durable();
  const store = sqlitePayments(database);
  const payments = createDurablePayments(platform, { store, onError: (error) => errors.push(error) });
  return { database, payments, sandbox, errors };
}

test.each(['COMMIT', 'ROLLBACK'])(
  'a durable payment waits for the %s of a SQLite transaction that another request has open',
  async (end) => {
    const { database, payments, sandbox } = overOneConnection();
    database.exec('BEGIN');
    const created = payments.create(order, { key: 'order-1' });
    await payments.enqueue(order, { key: 'order-2', client: database });
    database.exec(end);
    expect((await created).record.state).toBe('settled');
    expect((await payments.find('order-1'))?.state).toBe('settled');
    expect((await payments.find('order-2'))?.state).toBe(end === 'COMMIT' ? 'recorded' : undefined);
    expect(sandbox.ledger.charges).toHaveLength(1);
  },
);

test('durable payments work with a SQLite connection that returns integers as bigints', async () => {
  const database = new Database(':memory:');
  database.exec(`PRAGMA busy_timeout = 5000; ${sqlitePaymentsSql()}`);
  database.defaultSafeIntegers(true);
  const { platform } = durable();
  const payments = createDurablePayments(platform, { store: sqlitePayments(database) });
  expect((await payments.create(order, { key: 'order-1' })).record).toMatchObject({ state: 'settled' });
  expect(await payments.list()).toMatchObject([{ key: 'order-1', attempts: 1 }]);
});

test('SQLite transactions, create and run can work at the same time', async () => {
  const { database, payments, sandbox, errors } = overOneConnection();
  const stop = new AbortController();
  const running = payments.run({ signal: stop.signal, pollInterval: 1 });
  const keys = Array.from({ length: 50 }, (_, index) => `order-${index}`);
  const enqueue = async () => {
    for (const key of keys) {
      database.exec('BEGIN');
      await payments.enqueue(order, { key: `later ${key}`, client: database });
      database.exec('COMMIT');
      await new Promise(setImmediate);
    }
  };
  await Promise.all([enqueue(), ...keys.map((key) => payments.create(order, { key }))]);
  await expect.poll(() => payments.counts()).toEqual([]);
  stop.abort();
  await running;
  expect(errors).toEqual([]);
  expect(sandbox.ledger.charges).toHaveLength(2 * keys.length);
});

test('create sends nothing while a SQLite transaction stays open, and its error names the reason', async () => {
  const { database, payments, sandbox } = overOneConnection(20);
  database.exec('BEGIN');
  const error = await rejection(payments.create(order, { key: 'order-1' }));
  expect(error.cause).toMatchObject({ message: expect.stringContaining('A transaction is open') });
  expect(sandbox.journal.requests).toEqual([]);
});

test('enqueue and observe throw a StoreError with SQLite’s code if a statement in the transaction fails', async () => {
  const { database, payments } = overOneConnection();
  const { id } = (await payments.create(order, { key: 'order-1' })).payment;
  database.exec('PRAGMA query_only = 1; BEGIN');
  const event = { event: 'transaction.paid', id, amount: order.amount } as never;
  for (const act of [
    () => payments.enqueue(order, { key: 'order-2', client: database }),
    () => payments.observe(event, { client: database }),
  ])
    expect(await rejection(act())).toMatchObject({
      name: 'StoreError',
      code: 'SQLITE_READONLY',
      message: expect.stringMatching(
        /^A statement in your transaction failed: attempt to write a readonly .*\. Roll the transaction back\.$/,
      ),
    });
});
