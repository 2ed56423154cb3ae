import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { toDeadLetters } from '../boss.js';
import { tasks } from '../outbox/tasks.js';
import { Deliveries, deliver, secret, toBody } from './deliveries.js';
import { closesAfter, missing, size, until } from './engines.js';
import { newShop } from './inboxes.js';
import { Processes, run, runUntilStep } from './processes.js';

const copies = 3;

const environment = (url: string, services = '') => ({
  POSTGRES_URL: url,
  SERVICES_URL: services,
  SERVICE_TIMEOUT: '1000',
  WEBHOOK_SECRET: secret,
  PORT: '0',
  LEASE: '1000',
  RETRY_DELAY: '100',
  RETRY_LIMIT: '3',
  JOB_EXPIRY: '2000',
  MAINTENANCE_INTERVAL: '1000',
});

/** Orders whose state is neither `unpaid and without tasks` nor `paid and with one job per task`. */
const halfPaid = `
  SELECT orders.id FROM orders
  LEFT JOIN pgboss.job ON job.name IN ('mail', 'invoice', 'shipping') AND job.data->>'order' = orders.id
  GROUP BY orders.id, paid_at
  HAVING array_agg(job.name ORDER BY job.name)
    IS DISTINCT FROM CASE WHEN paid_at IS NULL THEN ARRAY[NULL] ELSE ARRAY['invoice', 'mail', 'shipping'] END`;

/** Services of others, which recognise a repeated request by its key. Some requests fail, or get no response. */
async function startServices(after: (close: () => unknown) => void) {
  const done = new Map<string, number>();
  const failing = new Set<string>();
  let requests = 0;
  const server = createServer(({ headers }, response) => {
    const key = String(headers['idempotency-key']);
    requests++;
    if (failing.has(key) || requests % 11 === 0) response.writeHead(500).end();
    else {
      done.set(key, (done.get(key) ?? 0) + 1);
      if (requests % 23 !== 0) response.writeHead(201).end(); // otherwise, the response is lost
    }
  }).listen(0);
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, done, failing, requests: () => requests };
}

const orders = size(1_000);

test(`${orders} paid orders get one mail, invoice and parcel each, although events arrive ${copies} times and processes are killed`, {
  skip: missing('POSTGRES_URL'),
}, async (t) => {
  const after = closesAfter(t);
  const { pool, url } = await newShop(after, orders);
  const services = await startServices(after);
  const env = environment(url, services.url);
  const receivers = new Processes('outbox/receiver.ts', env);
  const workers = new Processes('outbox/worker.ts', env);
  after(() => Promise.all([receivers.close(), workers.close()]));
  await Promise.all([receivers.start(2), workers.start(3)]);

  services.failing.add('invoice-order-1').add('invoice-order-2');
  const names = Array.from({ length: orders }, (_, index) => `order-${index + 1}`);
  const expected = names.flatMap((order) => tasks.map((task) => `${task}-${order}`)).sort();
  const deliveries = new Deliveries(names.map(toBody), copies, receivers);

  const counts = async () => {
    const { rows } = await pool.query(
      `SELECT count(*) FILTER (WHERE state = 'completed')::int AS completed,
         count(*) FILTER (WHERE state = 'failed')::int AS failed,
         count(*) FILTER (WHERE state < 'completed')::int AS unfinished
       FROM pgboss.job WHERE name = ANY($1)`,
      [tasks],
    );
    return rows[0] as { completed: number; failed: number; unfinished: number };
  };
  const counted = { sent: 0, done: 0 };
  const pause = 20 + orders / 20;
  await until(async () => {
    assert.deepEqual((await pool.query(halfPaid)).rows, []);
    if (
      deliveries.acknowledged - counted.sent > pause * Math.random() &&
      deliveries.acknowledged < deliveries.all
    ) {
      counted.sent = deliveries.acknowledged;
      receivers.kill();
    }
    if (
      services.done.size - counted.done > pause * Math.random() &&
      services.done.size < expected.length * 0.95
    ) {
      counted.done = services.done.size;
      workers.kill();
    }
    const { completed, failed } = await counts();
    return deliveries.acknowledged === deliveries.all && completed + failed === expected.length;
  }, counts);

  // Jobs that failed at every attempt are dead letters, and a replay repairs them. Kills also use up attempts.
  const failed = await pool.query(
    `SELECT name || '-' || (data->>'order') AS key FROM pgboss.job WHERE name = ANY($1) AND state = 'failed'`,
    [tasks],
  );
  const dead: string[] = failed.rows.map(({ key }) => key);
  assert.deepEqual(
    [...services.failing].filter((key) => !dead.includes(key)),
    [],
  );
  assert.deepEqual([...new Set([...services.done.keys(), ...dead])].sort(), expected);
  const list = await run('outbox/replay.ts', env, 'list');
  // The last attempt of a task can also have ended with its worker or with the time for a request.
  assert.match(list.output, /^order-1 {2}\S/m);
  assert.match(list.output, /^order-\d+ {2}Error: The \w+ of order-\d+ got a 500/m);
  const invoices = dead.filter((key) => key.startsWith('invoice-')).length;
  assert.match(list.output, new RegExp(`^invoice: ${invoices} dead letters$`, 'm'));
  services.failing.clear();
  const replay = await run('outbox/replay.ts', env, 'dead-letters');
  assert.match(replay.output, new RegExp(`^invoice: ${invoices} failed jobs run again\\.$`, 'm'));
  await until(async () => {
    const { completed, unfinished } = await counts();
    if (unfinished === 0 && completed < expected.length) await run('outbox/replay.ts', env, 'dead-letters');
    return completed === expected.length;
  }, counts);
  assert.deepEqual([...services.done.keys()].sort(), expected);
  const left = await pool.query('SELECT FROM pgboss.job WHERE name = ANY($1)', [tasks.map(toDeadLetters)]);
  assert.equal(left.rowCount, 0, 'dead letters');

  const repeated = [...services.done.values()].filter((count) => count > 1).length;
  assert.ok(receivers.kills >= orders / 100, `only ${receivers.kills} kills of receivers`);
  assert.ok(workers.kills >= orders / 100, `only ${workers.kills} kills of workers`);
  t.diagnostic(
    `${deliveries.all} deliveries, ${expected.length} jobs, ${receivers.kills + workers.kills} kills, ` +
      `${dead.length} dead letters, ${services.requests()} requests, ${repeated} keys used again`,
  );
});

const steps = 24;

test('an order is paid with three jobs or unpaid without one, at whichever step its receiver is killed', {
  skip: missing('POSTGRES_URL'),
}, async (t) => {
  const after = closesAfter(t);
  const { pool, url } = await newShop(after, steps + 1);
  const env = environment(url);
  const receivers = new Processes('outbox/receiver.ts', env);
  after(() => receivers.close());
  await receivers.start(1);

  const paid = async () => (await pool.query('SELECT FROM orders WHERE paid_at IS NOT NULL')).rowCount ?? 0;
  const results = { unpaid: 0, paid: 0, survived: 0 };
  for (let step = 1; step <= steps; step++) {
    const body = toBody(`order-${step}`);
    const hasDied = await runUntilStep('outbox/receiver.ts', env, { DIE_AT: String(step) }, (line) =>
      deliver(body, line),
    );
    assert.deepEqual((await pool.query(halfPaid)).rows, [], `killed at step ${step}`);
    results[hasDied ? ((await paid()) === step ? 'paid' : 'unpaid') : 'survived']++;
    // The platform resends the event, until another receiver acknowledges it.
    await until(() => deliver(body, receivers.anyOf()), paid);
    assert.equal(await paid(), step);
    assert.deepEqual((await pool.query(halfPaid)).rows, [], `resent after step ${step}`);
  }
  assert.ok(results.unpaid >= 10, `only ${results.unpaid} kills before the commit`);

  // A receiver that dies between the commit and the response gets the event again, and sends no more jobs.
  const body = toBody(`order-${steps + 1}`);
  const act = async (line: string) => assert.equal(await deliver(body, line), false);
  assert.equal(await runUntilStep('outbox/receiver.ts', env, { DIE_AFTER: 'COMMIT' }, act), true);
  assert.equal(await paid(), steps + 1);
  await until(() => deliver(body, receivers.anyOf()), paid);
  assert.deepEqual((await pool.query(halfPaid)).rows, []);
  t.diagnostic(JSON.stringify(results));
});

test('each task is done, with one key, at whichever step its worker is killed', {
  skip: missing('POSTGRES_URL'),
}, async (t) => {
  const kills = 10;
  const after = closesAfter(t);
  const { pool, url } = await newShop(after, kills);
  const services = await startServices(after);
  const env = environment(url, services.url);
  const receivers = new Processes('outbox/receiver.ts', env);
  const workers = new Processes('outbox/worker.ts', env);
  after(() => Promise.all([receivers.close(), workers.close()]));
  await receivers.start(1);
  const unfinished = async () =>
    (await pool.query(`SELECT FROM pgboss.job WHERE name = ANY($1) AND state < 'completed'`, [tasks]))
      .rowCount;
  let died = 0;
  for (let step = 1; step <= kills; step++) {
    const body = toBody(`order-${step}`);
    await until(() => deliver(body, receivers.anyOf()), unfinished);
    if (await runUntilStep('outbox/worker.ts', env, { DIE_AT: String(step) }, (_, death) => death)) died++;
  }
  assert.equal(died, kills);
  await workers.start(1);
  // A task that is replayed can fail at every attempt again.
  await until(async () => {
    if ((await unfinished()) !== 0) return false;
    const { output, code } = await run('outbox/replay.ts', env, 'dead-letters');
    assert.equal(code, 0);
    return !/: [1-9]/.test(output);
  }, unfinished);
  const expected = Array.from({ length: kills }, (_, index) =>
    tasks.map((task) => `${task}-order-${index + 1}`),
  );
  assert.deepEqual([...services.done.keys()].sort(), expected.flat().sort());
  t.diagnostic(`${died} kills, ${services.requests()} requests for ${services.done.size} tasks`);
});
