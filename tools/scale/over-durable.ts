import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PaymentPlatform } from 'payment-platform';
import { createDurablePayments, type DurablePayments, type PaymentRecord } from 'payment-platform/durable';
import { createSandbox, type FaultRule, type Sandbox } from 'payment-platform/sandbox';
import { Pool } from 'pg';
import { openPlace, type PaymentPlace, paymentsSql } from '../../test/support/payment-place.js';
import { postgresUrl } from '../../test/support/postgres.js';
import { randomFrom, shuffle } from '../../test/support/random.js';
import { isInstalled, Servers } from '../../test/support/servers.js';
import { Fleet, type Life } from './fleet.js';
import type { Figures, Scenario } from './main.js';
import type { Order, Reply } from './payment-process.js';

/** Number of concurrent orders. */
const inFlight = 24;

/** Maximum milliseconds between sending an order to a process and killing the process. */
const longestLife = 40;

/** Milliseconds for the last payments to settle. */
const timeToSettle = 60_000;

/** The amounts of a load. */
interface Amounts {
  readonly orders: number;
  readonly processes: number;
  readonly kills: number;
  readonly faults: number;
}

/** The payments' database. */
interface Database {
  readonly place: PaymentPlace;
  readonly orders: string;
  /** Cuts a connection. Called as many times as there are kills (`Amounts.kills`). */
  readonly cut?: () => Promise<unknown>;
  /** Crashes and restarts the server, once, while orders arrive. */
  readonly crash?: (() => Promise<unknown>) | undefined;
}

/** The ways of paying an order. Only some stores have the last one. */
const ways: readonly Order['way'][] = ['create', 'enqueue', 'enqueue in a transaction'];

/** Creates orders. The platform rejects every 25th. */
const createOrders = (count: number, hasTransactions: boolean): Order[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `order-${index}`,
    way: ways[index % (hasTransactions ? 3 : 2)] as Order['way'],
    isPossible: index % 25 !== 24,
  }));

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

/** Selects the given number of orders at random. */
const chosen = (orders: readonly Order[], count: number, random: () => number) =>
  new Set(shuffle([...orders], random).slice(0, count));

/** Sends orders through processes that are killed, and compares the store with the ledger. */
async function load(
  database: Database,
  { orders: count, processes, kills, faults }: Amounts,
  random: () => number,
): Promise<Figures> {
  const { place } = database;
  const opened = openPlace({ ...place, application: 'judge' });
  await opened.execute(paymentsSql(place));
  const sandbox = createSandbox({ rateLimits: false });
  const server = await sandbox.listen();
  const platform = server.clientOptions();
  const script = new URL('./payment-process.ts', import.meta.url);
  const fleet = await Fleet.start(script, processes, { place, orders: database.orders, platform });
  const stopResolving = resolveUnknown(sandbox, random);
  try {
    addFaults(sandbox, faults);
    const orders = createOrders(count, place.kind === 'postgres');
    const { again, withoutResponse } = await send(orders, fleet, database, kills, random);
    const client = new PaymentPlatform(platform);
    const records = await settled(createDurablePayments(client, { store: opened.store }));
    const states = judge(orders, records, sandbox);
    assert.equal(fleet.kills, kills, 'each kill that was meant');
    const { fired } = sandbox.faults;
    assert.ok(fired.length >= faults, `only ${fired.length} faults`);
    const { requests, forgotten } = sandbox.journal;
    return {
      orders: count,
      kills: fleet.kills,
      'orders without a response when a process was killed': withoutResponse,
      'orders given again': again,
      'faults of the sandbox': fired.length,
      requests: requests.length + forgotten,
      charges: sandbox.ledger.charges.length,
      ...states,
      'attempts of the payment that took most': Math.max(...records.map(({ attempts }) => attempts)),
    };
  } finally {
    stopResolving();
    await fleet.close();
    await sandbox.close();
    await opened.close();
  }
}

/** Sends an order to a process. The outcome is undefined if the process dies first. */
const take = ({ child }: Life, order: Order) =>
  new Promise<Reply['outcome'] | undefined>((resolve) => {
    const end = (outcome?: Reply['outcome']) => {
      child.off('message', listen).off('exit', die);
      resolve(outcome);
    };
    const listen = (reply: Reply) => void (reply.key === order.key && end(reply.outcome));
    const die = () => end();
    child.on('message', listen).on('exit', die);
    child.send(order, () => undefined);
  });

/**
 * Kills a process after a time. If the process has already ended, kills another process, or else the next
 * process to start.
 */
async function killLater(fleet: Fleet, meant: Life, after: number): Promise<void> {
  await setTimeout(after);
  for (let life: Life | undefined = meant; life === undefined || !fleet.kill(life); [life] = fleet.up)
    if (fleet.up.length === 0) await fleet.next();
}

/** Sends each order to processes until one has recorded it. Counts the repeats. */
async function send(
  orders: readonly Order[],
  fleet: Fleet,
  { cut, crash }: Database,
  kills: number,
  random: () => number,
): Promise<{ readonly again: number; readonly withoutResponse: number }> {
  const killing = chosen(orders, kills, random);
  const cutting = chosen(orders, kills, random);
  const midst = orders[Math.floor(orders.length / 2)];
  const befalling: (Promise<unknown> | undefined)[] = [];
  const waiting = [...orders];
  let again = 0;
  let withoutResponse = 0;
  /** Sends an order once, and returns whether it is recorded. */
  const isRecorded = async (order: Order) => {
    let life = fleet.pick(random());
    for (; life === undefined; life = fleet.pick(random())) await fleet.next();
    if (killing.delete(order)) befalling.push(killLater(fleet, life, random() * longestLife));
    const outcome = await take(life, order);
    if (typeof outcome === 'object') throw new Error(`${order.key}: ${outcome.failure}`);
    if (outcome === undefined) withoutResponse++;
    return outcome === 'recorded';
  };
  const next = async () => {
    for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) {
      if (cutting.has(order)) befalling.push(cut?.());
      if (order === midst) befalling.push(crash?.());
      while (!(await isRecorded(order))) {
        again++;
        await setTimeout(random() * 50);
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, next));
  await Promise.all(befalling);
  return { again, withoutResponse };
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
function judge(orders: readonly Order[], records: readonly PaymentRecord[], sandbox: Sandbox) {
  const charged = new Map<string | undefined, string[]>();
  for (const { idempotencyKey, paymentId } of sandbox.ledger.charges)
    charged.set(idempotencyKey, [...(charged.get(idempotencyKey) ?? []), paymentId]);
  const found = new Map(records.map((record) => [record.key, record]));
  assert.equal(found.size, orders.length, 'each order has a row');
  const states: Record<string, number> = {};
  for (const { key, isPossible } of orders) {
    const { state, paymentId, inDoubt } = found.get(key) as PaymentRecord;
    assert.deepEqual(charged.get(key) ?? [], isPossible ? [paymentId] : [], `the charges of ${key}`);
    const hasEnded = isPossible ? 'settled' : inDoubt ? 'given_up' : 'failed';
    assert.equal(state, hasEnded, `the state of ${key}`);
    states[`rows, ${state}`] = (states[`rows, ${state}`] ?? 0) + 1;
  }
  const possible = orders.filter(({ isPossible }) => isPossible).length;
  assert.equal(sandbox.ledger.charges.length, possible, 'as many charges as orders that are possible');
  return states;
}

const hasServer = isInstalled('postgres', 'initdb', 'pg_ctl');

/**
 * Runs four processes over one PostgreSQL. They accept 10,000 orders, settle their payments, and are killed
 * at random, with faults of the platform and cut connections. If PostgreSQL is installed, a private server
 * also crashes and recovers. Each order is charged once.
 */
export const overDurable: Scenario = {
  name: 'durable',
  needs: 'POSTGRES_URL, or postgres, initdb and pg_ctl',
  isThere: hasServer || postgresUrl !== '',
  async run({ part, seed }) {
    const random = randomFrom(seed);
    const servers = hasServer ? new Servers() : undefined;
    try {
      const own = await servers?.postgres('payments');
      const url = own === undefined ? postgresUrl : `postgres://postgres@127.0.0.1:${own.port}/postgres`;
      const amounts = { orders: 10_000 * part, processes: 4, kills: 300 * part, faults: 1_000 * part };
      return await overServer(url, own?.restart, amounts, random);
    } finally {
      servers?.close();
    }
  },
};

async function overServer(
  url: string,
  crash: (() => Promise<void>) | undefined,
  amounts: Amounts,
  random: () => number,
): Promise<Figures> {
  const space = `scale_${randomUUID().replaceAll('-', '')}`;
  const pool = new Pool({ connectionString: url });
  pool.on('error', () => undefined);
  try {
    await ready(pool);
    await pool.query(`CREATE SCHEMA ${space}; CREATE TABLE ${space}.orders (key text PRIMARY KEY)`);
    let cuts = 0;
    const cut = async () => {
      const { rowCount } = await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = $1 ORDER BY random() LIMIT 1`,
        [space],
      );
      cuts += rowCount ?? 0;
    };
    const database: Database = {
      place: { kind: 'postgres', at: url, table: `${space}.payments`, application: space },
      orders: `${space}.orders`,
      // The server itself can be gone.
      cut: () => cut().catch(() => undefined),
      crash,
    };
    const figures = await load(database, amounts, random);
    const { rows } = await pool.query(`SELECT
      (SELECT count(*) FROM ${space}.orders WHERE key NOT IN (SELECT key FROM ${space}.payments))::int AS lost,
      (SELECT count(*) FROM ${space}.orders)::int AS written`);
    const [{ lost, written }] = rows as [{ lost: number; written: number }];
    assert.equal(lost, 0, 'each order that a transaction has written has its payment');
    return {
      ...figures,
      'orders in a transaction': written,
      'connections cut': cuts,
      crashes: crash ? 1 : 0,
    };
  } finally {
    await pool.query(`DROP SCHEMA IF EXISTS ${space} CASCADE`);
    await pool.end();
  }
}

/** Waits for a server. A starting server listens before it responds. */
async function ready(pool: Pool): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    try {
      await pool.query('SELECT');
      return;
    } catch {
      await setTimeout(30);
    }
  }
  throw new Error('PostgreSQL does not respond.');
}

/**
 * Runs the same load with two processes over one file. Orders come without transactions, which would wait for
 * their own runs.
 */
export const overDurableFile: Scenario = {
  name: 'durable-file',
  needs: 'nothing',
  isThere: true,
  async run({ part, seed }) {
    const folder = mkdtempSync(join(tmpdir(), 'payments-scale-'));
    const place: PaymentPlace = { kind: 'sqlite', at: join(folder, 'payments.db'), table: 'payments' };
    const amounts = { orders: 2_000 * part, processes: 2, kills: 60 * part, faults: 200 * part };
    try {
      return await load({ place, orders: '' }, amounts, randomFrom(seed));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
