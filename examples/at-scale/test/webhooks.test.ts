import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sign } from 'payment-platform/webhooks';
import { ordersSql } from '../payments/orders.js';
import { openDeadLetters, openEvents } from '../webhooks/queue.js';
import { closesAfter, emptyRedis, missing, newDatabase, size, until } from './engines.js';
import { Processes } from './processes.js';

const secret = 'whsec_0123456789abcdef';
const orders = size(2_000);
const copies = 3;
const poisoned = 5;

test(`${orders} orders are shipped once each, although their events arrive ${copies} times and processes are killed`, {
  skip: missing('REDIS_URL', 'POSTGRES_URL'),
}, async (t) => {
  const after = closesAfter(t);
  const database = await newDatabase();
  after(database.remove);
  const { pool } = database;
  const { url, redis, remove } = await emptyRedis();
  after(remove);
  const [events, deadLetters] = [openEvents(redis), openDeadLetters(redis)];
  after(() => Promise.all([events.close(), deadLetters.close()]));
  await pool.query(ordersSql);
  await pool.query(
    `INSERT INTO orders (id) SELECT 'order-' || number FROM generate_series(1, $1) AS number`,
    [orders],
  );

  const env = {
    POSTGRES_URL: database.url,
    REDIS_URL: url,
    WEBHOOK_SECRET: secret,
    PORT: '0',
    LEASE: '2000',
    RETRY_DELAY: '100',
    LOCK_DURATION: '1500',
    STALLED_INTERVAL: '500',
  };
  const receivers = new Processes('webhooks/receiver.ts', env);
  const workers = new Processes('webhooks/worker.ts', env);
  after(() => Promise.all([receivers.close(), workers.close()]));
  await Promise.all([receivers.start(2), workers.start(4)]);

  const bodies = Array.from({ length: orders + poisoned }, (_, index) =>
    JSON.stringify({
      event: 'transaction.paid',
      id: randomUUID(),
      status: 'paid',
      // The last events belong to no order of this shop, so their jobs fail at every attempt.
      externalReference: index < orders ? `order-${index + 1}` : `foreign-${index}`,
    }),
  );
  const queue = Array.from({ length: copies }, () => bodies)
    .flat()
    .sort(() => Math.random() - 0.5);

  /** Sends deliveries until they are acknowledged. Unlike the platform, it never gives up. */
  let acknowledged = 0;
  async function send(): Promise<void> {
    for (let body = queue.pop(); body !== undefined; body = queue.pop()) {
      const port = /\d+$/.exec(receivers.anyOf() ?? '')?.[0];
      const headers = { ...sign({ body, secret }), 'content-type': 'application/json' };
      const isAcknowledged =
        port !== undefined &&
        (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers }).then(
          (response) => response.ok,
          () => false,
        ));
      if (isAcknowledged) acknowledged++;
      else {
        await setTimeout(50);
        queue.unshift(body);
      }
    }
  }
  const all = queue.length;
  const sending = Promise.all(Array.from({ length: 16 }, send));

  const state = async () => {
    const { rows } = await pool.query('SELECT count(*)::int AS shipped FROM shipments');
    const counts = await events.getJobCounts('completed', 'failed', 'wait', 'active', 'delayed');
    const { completed = 0, failed = 0, wait = 0, active = 0, delayed = 0 } = counts;
    const shipped: number = rows[0].shipped;
    return { completed, failed, unfinished: wait + active + delayed, shipped };
  };
  let seen = 0;
  const pause = 40 + orders / 20;
  await until(async () => {
    const { shipped, completed, failed } = await state();
    if (shipped - seen > pause * (0.3 + Math.random()) && shipped < orders * 0.95) {
      seen = shipped;
      workers.kill();
      if (acknowledged < all) receivers.kill();
    }
    return acknowledged === all && completed + failed >= orders + poisoned;
  }, state);
  await sending;

  assert.deepEqual(await state(), { completed: orders, failed: poisoned, unfinished: 0, shipped: orders });
  const dead = await deadLetters.getJobs();
  assert.deepEqual(
    dead.map(({ data }) => data.event.externalReference).sort(),
    bodies
      .slice(orders)
      .map((body) => JSON.parse(body).externalReference)
      .sort(),
  );
  for (const { data } of dead) assert.match(data.reason, /foreign key/);
  assert.ok(workers.kills >= orders / 100, `only ${workers.kills} kills`);

  const jobs = await events.getJobs('completed');
  const again = jobs.filter(({ attemptsStarted }) => attemptsStarted > 1).length;
  t.diagnostic(
    `${all} deliveries, ${orders} jobs, ${workers.kills + receivers.kills} kills, ` +
      `${again} jobs run again, ${dead.length} dead letters`,
  );
});
