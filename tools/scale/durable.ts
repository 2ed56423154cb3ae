import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { PaymentPlatform } from 'payment-platform';
import { createDurablePayments, type DurablePayments, type PaymentRecord } from 'payment-platform/durable';
import { createSandbox, type FaultRule, type Sandbox } from 'payment-platform/sandbox';
import { Pool } from 'pg';
import { openPlace, type PaymentPlace, paymentsSql } from '../../test/support/payment-place.js';
import { Servers } from '../../test/support/servers.js';
import { overStore } from './drive.js';

/** Milliseconds for the last payments to settle. */
const timeToSettle = 60_000;

/** The platform rejects one order of this number. */
const rejected = 25;

/** Faults of a payment, before and after its execution. */
const paymentFaults: readonly Pick<FaultRule, 'fault' | 'phase'>[] = [
  { fault: 'reset', phase: 'before-read' },
  { fault: 'reset', phase: 'before-commit' },
  { fault: 'reset', phase: 'after-commit' },
  { fault: 'reset', phase: 'mid-response' },
  { fault: 'hang', phase: 'before-commit' },
  { fault: 'hang', phase: 'after-commit' },
  { fault: 'truncate', phase: 'after-commit' },
  { fault: 'truncate', phase: 'mid-response' },
  { fault: 'invalid-json', phase: 'mid-response' },
  { fault: { status: 503 }, phase: 'before-commit' },
  { fault: { status: 503 }, phase: 'after-commit' },
  { fault: { status: 409 }, phase: 'before-commit' },
  { fault: { status: 409 }, phase: 'after-commit' },
  { fault: 'acquirer-unknown', phase: 'before-commit' },
];

/** Adds at least `count` faults, spread over the requests until all have hit. */
function addFaults({ faults: control }: Sandbox, count: number): void {
  const times = Math.ceil(count / paymentFaults.length);
  for (const fault of paymentFaults)
    control.add({ operation: 'payments.create', ...fault, times, rate: 0.03 });
}

/** Resolves unknown outcomes repeatedly. Returns a function that stops it. */
function resolveUnknown({ control: { payments } }: Sandbox, random: () => number): () => void {
  const timer = setInterval(() => {
    for (const { idempotencyKey } of payments.unresolved())
      payments.resolve(idempotencyKey, random() < 0.5 ? 'created' : 'not-created');
  }, 100);
  return () => clearInterval(timer);
}

/** Returns all records, as soon as no work is left. */
async function settled(payments: DurablePayments<unknown>): Promise<PaymentRecord[]> {
  const end = Date.now() + timeToSettle;
  for (;;) {
    const open = (await payments.counts()).filter(({ state }) => state !== 'failed' && state !== 'given_up');
    if (open.length === 0) break;
    assert.ok(Date.now() < end, `not settled in time: ${JSON.stringify(open)}`);
    await setTimeout(50);
  }
  const records: PaymentRecord[] = [];
  for (;;) {
    const page = await payments.list({ after: records.at(-1)?.key, limit: 1_000 });
    records.push(...page);
    if (page.length < 1_000) return records;
  }
}

/**
 * Checks that every order has its row, that every order that the platform accepts has exactly one charge, and
 * that the others have none. Returns the number of rows in each state.
 */
function judge(orders: number, records: readonly PaymentRecord[], sandbox: Sandbox) {
  const charged = new Map<string | undefined, string[]>();
  for (const { idempotencyKey, paymentId } of sandbox.ledger.charges)
    charged.set(idempotencyKey, [...(charged.get(idempotencyKey) ?? []), paymentId]);
  const found = new Map(records.map((record) => [record.key, record]));
  assert.equal(found.size, orders, 'each order has a row');
  const states: Record<string, number> = {};
  for (let order = 0; order < orders; order++) {
    const key = `order-${order}`;
    const isPossible = order % rejected !== rejected - 1;
    const { state, paymentId, inDoubt } = found.get(key) as PaymentRecord;
    assert.deepEqual(charged.get(key) ?? [], isPossible ? [paymentId] : [], `the charges of ${key}`);
    const hasEnded = isPossible ? 'settled' : inDoubt ? 'given_up' : 'failed';
    assert.equal(state, hasEnded, `the state of ${key}`);
    states[`rows, ${state}`] = (states[`rows, ${state}`] ?? 0) + 1;
  }
  assert.deepEqual(
    [...charged.keys()].filter((key) => !found.has(key ?? '')),
    [],
    'no other charges',
  );
  return states;
}

/** Waits for a server. A starting server listens before it responds. */
async function ready(pool: Pool): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    try {
      return void (await pool.query('SELECT'));
    } catch {
      await setTimeout(30);
    }
  }
  throw new Error('PostgreSQL does not respond.');
}

/**
 * Runs four processes over one PostgreSQL. They accept 10,000 orders, settle their payments, and are killed
 * at random, with faults of the platform and cut connections. The server crashes and recovers in the middle.
 * Each order is charged once.
 */
export const overDurable = overStore({
  name: 'durable',
  needs: ['postgres', 'initdb', 'pg_ctl'],
  tasks: 10_000,
  copies: 1,
  lease: 1_500,
  spacing: 20,
  least: { faults: 300, kills: 100 },
  async open(part, random) {
    const servers = new Servers();
    const server = await servers.postgres('payments');
    const url = `postgres://postgres@127.0.0.1:${server.port}/postgres`;
    const place: PaymentPlace = { kind: 'postgres', at: url, table: 'payments', application: 'scale' };
    const pool = new Pool({ connectionString: url });
    // The server crashes on purpose.
    pool.on('error', () => undefined);
    await ready(pool);
    await pool.query(`${paymentsSql(place)}; CREATE TABLE orders (key text PRIMARY KEY)`);
    const opened = openPlace({ ...place, application: 'judge' });
    const sandbox = createSandbox({ rateLimits: false });
    const platform = (await sandbox.listen()).clientOptions();
    addFaults(sandbox, 1_000 * part);
    const stopResolving = resolveUnknown(sandbox, random);
    let cuts = 0;
    const cut = async () => {
      const { rowCount } = await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'scale' ORDER BY random() LIMIT 1`,
      );
      cuts += rowCount ?? 0;
    };
    return {
      options: { kind: 'durable', url, durable: { place, platform, rejected } },
      // The server itself can be gone.
      faults: ['kill', () => cut().catch(() => undefined)],
      once: server.restart,
      async judge(orders) {
        const client = new PaymentPlatform(platform);
        const records = await settled(createDurablePayments(client, { store: opened.store }));
        const states = judge(orders, records, sandbox);
        const { rows } = await pool.query(`SELECT
          (SELECT count(*) FROM orders WHERE key NOT IN (SELECT key FROM payments))::int AS lost,
          (SELECT count(*) FROM orders)::int AS written`);
        const [{ lost, written }] = rows as [{ lost: number; written: number }];
        assert.equal(lost, 0, 'each order that a transaction has written has its payment');
        const { fired } = sandbox.faults;
        assert.ok(fired.length >= 1_000 * part, `only ${fired.length} faults of the platform`);
        const { requests, forgotten } = sandbox.journal;
        return {
          'faults of the platform': fired.length,
          requests: requests.length + forgotten,
          ...states,
          'orders in a transaction': written,
          'connections cut': cuts,
          'attempts of the payment that took most': Math.max(...records.map(({ attempts }) => attempts)),
        };
      },
      async close() {
        stopResolving();
        await sandbox.close();
        await opened.close();
        await pool.end();
        servers.close();
      },
    };
  },
});
