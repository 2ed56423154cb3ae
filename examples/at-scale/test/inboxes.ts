import { listDeadLetters } from '../boss.js';
import { ordersSql } from '../payments/orders.js';
import { type DeadLetter, type Delivery, toJobId, toJobUuid } from '../webhooks/delivery.js';
import { openDeadLetters, openEvents } from '../webhooks/queue.js';
import { eventsQueue } from '../webhooks-pg-boss/queue.js';
import { secret } from './deliveries.js';
import { emptyRedis, newDatabase } from './engines.js';

/** An inbox over one queue. */
export interface Inbox {
  readonly env: Readonly<Record<string, string>>;
  counts(): Promise<{ completed: number; failed: number; unfinished: number }>;
  deadLetters(): Promise<readonly DeadLetter[]>;
  /** Changes when a job was sent. */
  setTime(deliveryId: string, time: Date): Promise<unknown>;
  /** Counts the jobs that ran more than once, if the queue knows it. */
  repeated(): Promise<number>;
}

type Database = Awaited<ReturnType<typeof newDatabase>>;
type After = (close: () => unknown) => void;

const env = (database: Database) => ({
  POSTGRES_URL: database.url,
  WEBHOOK_SECRET: secret,
  PORT: '0',
  LEASE: '2000',
  RETRY_DELAY: '100',
});

async function openBullmq(database: Database, after: After): Promise<Inbox> {
  const { url, redis, remove } = await emptyRedis();
  after(remove);
  const [events, deadLetters] = [openEvents(redis), openDeadLetters(redis)];
  after(() => Promise.all([events.close(), deadLetters.close()]));
  return {
    env: { ...env(database), REDIS_URL: url, LOCK_DURATION: '1500', STALLED_INTERVAL: '500' },
    counts: async () => {
      const counts = await events.getJobCounts('completed', 'failed', 'wait', 'active', 'delayed');
      const { completed = 0, failed = 0, wait = 0, active = 0, delayed = 0 } = counts;
      return { completed, failed, unfinished: wait + active + delayed };
    },
    deadLetters: async () => (await deadLetters.getJobs()).map(({ data }) => data),
    setTime: (id, time) => redis.hset(events.toKey(toJobId(id)), 'timestamp', +time),
    repeated: async () =>
      (await events.getJobs('completed')).filter(({ attemptsStarted }) => attemptsStarted > 1).length,
  };
}

/** The programs create the queue, with their settings. */
async function openPgBoss(database: Database): Promise<Inbox> {
  const { pool } = database;
  const count = (condition: string) => `count(*) FILTER (WHERE ${condition})::int`;
  const counts = `SELECT ${count("state = 'completed'")} AS completed, ${count("state = 'failed'")} AS failed,
    ${count("state < 'completed'")} AS unfinished, ${count('retry_count > 0')} AS repeated
    FROM pgboss.job WHERE name = $1`;
  const read = async () => (await pool.query(counts, [eventsQueue])).rows[0];
  return {
    env: { ...env(database), JOB_EXPIRY: '2000', MAINTENANCE_INTERVAL: '1000', RETRY_LIMIT: '2' },
    counts: async () => {
      const { completed, failed, unfinished } = await read();
      return { completed, failed, unfinished };
    },
    deadLetters: async () =>
      (await listDeadLetters<Delivery>(pool, eventsQueue)).map(({ data, reason }) => ({ ...data, reason })),
    setTime: (id, time) =>
      pool.query('UPDATE pgboss.job SET created_on = $3 WHERE name = $1 AND id = $2', [
        eventsQueue,
        toJobUuid(id),
        time,
      ]),
    repeated: async () => (await read()).repeated,
  };
}

export const inboxes = [
  { name: 'BullMQ', folder: 'webhooks', needs: ['REDIS_URL', 'POSTGRES_URL'], open: openBullmq },
  { name: 'pg-boss', folder: 'webhooks-pg-boss', needs: ['POSTGRES_URL'], open: openPgBoss },
] as const;

/** Creates a database with the shop's tables and orders. */
export async function newShop(after: After, orders: number): Promise<Database> {
  const database = await newDatabase();
  after(database.remove);
  await database.pool.query(ordersSql);
  await database.pool.query(
    `INSERT INTO orders (id) SELECT 'order-' || number FROM generate_series(1, $1) AS number`,
    [orders],
  );
  return database;
}
