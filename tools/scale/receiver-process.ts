import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import {
  createReceiver,
  type EventHandler,
  postgresDedupe,
  type Receiver,
  redisDedupe,
  type WebhookEvent,
} from 'payment-platform/webhooks';
import { Pool, type PoolClient } from 'pg';

/** The options of a receiver process. */
export interface ReceiverProcessOptions {
  /** The store. A scenario makes a `faulty` store lose data, so every handler run is written to `log`. */
  readonly store: 'postgres' | 'faulty redis' | 'faulty postgres';
  /** The store's address. */
  readonly url: string;
  /** The folder with a file for every process, which records its runs. */
  readonly log?: string;
  /** The process's name, unique in the run. */
  readonly name: string;
  /** The prefix of its Redis keys, or its PostgreSQL schema. */
  readonly space: string;
  /** The lease of a claim, in milliseconds. */
  readonly lease: number;
  readonly secret: string;
}

/** A line of the file `log`. Times are the system's, because all processes run on one machine. */
export interface LogLine {
  /**
   * The kind of line. `overtaken`: `onError` reported a lost claim. `unmarked`: marking the delivery as done
   * failed at least once.
   */
  readonly what: 'start' | 'effect' | 'overtaken' | 'unmarked';
  readonly at: number;
  readonly process: string;
  readonly event: string;
  /** The run, for a start or an effect. */
  readonly run?: string;
}

/**
 * Runs one process of a receiver. It sends its port. It responds to each delivery with the outcome and, if
 * the delivery was handled, with the name of the run.
 */
const {
  store: kind,
  url,
  log,
  name,
  space,
  lease,
  secret,
} = JSON.parse(process.argv[2] ?? '') as ReceiverProcessOptions;

let runs = 0;
const runByDelivery = new Map<string, string>();

/** Returns a run's name, which consists of this process's name and a number. */
function startRun(delivery: string): string {
  const run = `${name}/${++runs}`;
  runByDelivery.set(delivery, run);
  return run;
}

const common = { secret, lease, identity: ({ id }: WebhookEvent) => String(id) };

const receiver = kind === 'faulty redis' ? overFaultyRedis() : overPostgres();

/** Writes a line in one step, so that a dying process leaves only whole lines. */
function note(line: Omit<LogLine, 'at' | 'process'>): void {
  appendFileSync(
    join(log ?? '', `${name}.log`),
    `${JSON.stringify({ ...line, at: Date.now(), process: name })}\n`,
  );
}

/** Waits. Most waits are short, and some are longer than a lease. */
const work = () => setTimeout(Math.random() < 0.1 ? 2 * lease * Math.random() : 20 * Math.random());

function overFaultyRedis(): Receiver {
  const redis = new Redis(url, { retryStrategy: () => 50 });
  redis.on('error', () => undefined);
  const store = redisDedupe(redis, { prefix: `${space}:` });
  return createReceiver({
    ...common,
    dedupe: {
      ...store,
      complete: async (id, ...more) => {
        try {
          return await store.complete(id, ...more);
        } catch (error) {
          note({ what: 'unmarked', event: JSON.parse(id) });
          throw error;
        }
      },
    },
    on: {
      'transaction.paid': async ({ id }) => {
        const event = String(id);
        const run = startRun(event);
        note({ what: 'start', event, run });
        await work();
        note({ what: 'effect', event, run });
      },
    },
    onError: (error, { event }) => {
      if (String(error).includes('claimed by another process'))
        note({ what: 'overtaken', event: String(event?.id) });
    },
  });
}

function overPostgres(): Receiver {
  const isFaulty = kind === 'faulty postgres';
  const pool = new Pool({ connectionString: url, application_name: space, max: isFaulty ? 40 : 10 });
  // Connections are cut on purpose.
  pool.on('error', () => undefined);
  const pay: EventHandler<WebhookEvent, PoolClient> = async ({ id }, { transaction }) => {
    const run = startRun(String(id));
    if (isFaulty) await transaction.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
    // Counts every start, because a sequence is not affected by ROLLBACK.
    await transaction.query(`SELECT nextval('${space}.starts')`);
    await transaction.query(`INSERT INTO ${space}.effects VALUES ($1, $2)`, [id, run]);
    if (!isFaulty) return void (await transaction.query('SELECT'));
    await work();
    // Many transactions increment the same counters. One of them commits, and the others fail as not
    // serializable.
    await transaction.query(`UPDATE ${space}.counters SET effects = effects + 1 WHERE id = $1`, [
      Math.floor(Math.random() * 16),
    ]);
  };
  return createReceiver<PoolClient>({
    ...common,
    dedupe: postgresDedupe(pool, { table: `${space}.deliveries`, transaction: true }),
    on: { 'transaction.paid': pay },
    onError: () => undefined,
  });
}

process.on('disconnect', () => process.exit());
const server = createServer(async (request, response) => {
  const { status, outcome, event } = await receiver.receive({
    body: request,
    headers: request.headers,
    url: request.url,
  });
  const run = outcome === 'handled' ? runByDelivery.get(String(event?.id)) : undefined;
  response.writeHead(status, { 'x-outcome': outcome, ...(run !== undefined && { 'x-run': run }) }).end();
});
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
