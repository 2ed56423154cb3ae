import Database from 'libsql';
import { sqlitePayments, sqlitePaymentsSql } from 'payment-platform/durable';
import { expect, test } from 'vitest';

/** Runs a step of the store, and returns SQLite's plan for each of its statements. */
async function plansOf(step: (store: ReturnType<typeof sqlitePayments>) => unknown) {
  const database = new Database(':memory:');
  database.exec(sqlitePaymentsSql());
  const statements: string[] = [];
  const spied = Object.assign(Object.create(database), {
    exec: (text: string) => database.exec(text),
    prepare: (text: string) => {
      if (!text.startsWith('PRAGMA')) statements.push(text);
      return database.prepare(text);
    },
  });
  await step(sqlitePayments(spied));
  const plans = statements.map((text) => {
    const values = Array.from(text.matchAll(/\?/g), () => 1);
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[];
    return steps.map(({ detail }) => detail).join('; ');
  });
  database.close();
  return plans;
}

test.each([
  [
    'a claim',
    'due_at',
    (store: ReturnType<typeof sqlitePayments>) =>
      store.claim({ merchant: 'm', lease: 1, limit: 1, version: 1 }),
  ],
  ['counts', 'open', (store: ReturnType<typeof sqlitePayments>) => store.counts('m')],
  ['listErasable', 'erasable', (store: ReturnType<typeof sqlitePayments>) => store.listErasable('m', 1, 1)],
  [
    'listErasable after a key',
    'erasable',
    (store: ReturnType<typeof sqlitePayments>) => store.listErasable('m', 1, 1, 'order-1'),
  ],
] as const)('%s reads the index %s of SQLite, not all rows of the merchant', async (_, index, step) => {
  const plans = await plansOf(step);
  expect(plans).toHaveLength(1);
  expect(plans[0]).toMatch(new RegExp(`USING (?:COVERING )?INDEX payment_platform_payments_${index}\\b`));
  expect(plans[0]).not.toMatch(/\(merchant=\?\)/);
});
