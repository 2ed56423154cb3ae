import Database from 'libsql';
import { memoryPayments, postgresPayments, sqlitePayments } from 'payment-platform/durable';
import postgres from 'postgres';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { durable, order, rejection } from '../../support/durable.js';
import { eventually } from '../../support/eventually.js';
import { postgresPool, postgresUrl } from '../../support/postgres.js';

const key = 'order-1042';

const stores = [
  [
    'PostgreSQL over pg (needs POSTGRES_URL)',
    postgresUrl !== '',
    () => {
      const { pool, close } = postgresPool();
      onTestFinished(() => close());
      return postgresPayments(pool, { table: 'missing_payments' });
    },
    "Table missing_payments is in no schema of the connection's search_path. If it exists, pass table: 'schema.missing_payments'. Otherwise, run the SQL of postgresPaymentsSql('missing_payments') once. PostgreSQL: relation \"missing_payments\" does not exist (42P01).",
  ],
  [
    'PostgreSQL over postgres.js (needs POSTGRES_URL)',
    postgresUrl !== '',
    () => {
      const sql = postgres(postgresUrl);
      onTestFinished(() => sql.end());
      return postgresPayments(sql, { table: 'missing_payments' });
    },
    "Table missing_payments is in no schema of the connection's search_path. If it exists, pass table: 'schema.missing_payments'. Otherwise, run the SQL of postgresPaymentsSql('missing_payments') once. PostgreSQL: relation \"missing_payments\" does not exist (42P01).",
  ],
  [
    'SQLite',
    true,
    () => sqlitePayments(new Database(':memory:'), { table: 'missing_payments' }),
    "Table missing_payments does not exist. Run the SQL of sqlitePaymentsSql('missing_payments') once.",
  ],
] as const;

test.each(stores)(
  'an error of %s about a missing table names the function that returns the SQL for that table',
  async (_, isThere, open, message) => {
    if (!isThere) return;
    const { payments } = durable({ store: open() as never });
    expect(await rejection(payments.create(order, { key }))).toMatchObject({
      code: 'payment_store_failed',
      message: `${message} Call create again with the same key (${key}) and payload.`,
    });
    expect((await rejection(payments.find(key))).message).toBe(message);
    expect((await rejection(payments.settleDue())).message).toBe(message);
  },
);

test('the default onError prints the message about a missing table without a stack', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const store = sqlitePayments(new Database(':memory:'), { table: 'missing_payments' });
  const { payments } = durable({ store: store as never, onError: undefined as never });
  const controller = new AbortController();
  const running = payments.run({ signal: controller.signal });
  await eventually(() => expect(print).toHaveBeenCalled());
  controller.abort();
  await running;
  expect(print.mock.calls).toEqual([
    [
      'payment-platform: durable payments: claim failed:',
      "Table missing_payments does not exist. Run the SQL of sqlitePaymentsSql('missing_payments') once.",
    ],
  ]);
});

describe('a payment store that keeps failing', () => {
  test('is reported once by run, which then retries after longer and longer waits', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const store = memoryPayments();
    const claim = store.claim.bind(store);
    const { payments, reported, sandbox } = durable({ store });
    await payments.enqueue(order, { key });
    const looks: number[] = [];
    let message = 'the database is away';
    store.claim = () => {
      looks.push(performance.now());
      return Promise.reject(new Error(message));
    };
    const controller = new AbortController();
    const running = payments.run({ signal: controller.signal, pollInterval: 1 });
    await vi.advanceTimersByTimeAsync(300_000);
    expect(reported.errors).toHaveLength(1);
    // The delays are 1, 2, 4, 8, 16, 30, 30 … seconds, each with a jitter of half the delay.
    expect(looks.length).toBeLessThan(30);
    message = 'the disk is full';
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reported.errors).toHaveLength(2);
    store.claim = claim;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sandbox.ledger.charges).toHaveLength(1);
    controller.abort();
    await vi.advanceTimersByTimeAsync(1_000);
    await running;
  });
});
