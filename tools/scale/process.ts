import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { isPaymentPlatformError, PaymentPlatform } from 'payment-platform';
import { createDurablePayments, type DurablePayment, DurablePaymentError } from 'payment-platform/durable';
import {
  createReceiver,
  type EventHandler,
  postgresDedupe,
  type Receiver,
  redisDedupe,
  sign,
  type WebhookEvent,
} from 'payment-platform/webhooks';
import { Pool, type PoolClient } from 'pg';
import { openPlace, type PaymentPlace } from '../../test/support/payment-place.js';
import { pix } from '../../test/support/payments.js';
import type { Reply } from './fleet.js';

/** The options of a process, which takes tasks until it is killed. */
export interface ProcessOptions {
  /**
   * The kind of work. With `redis`, every handler run is written to `log`, because a scenario makes the store
   * lose data.
   */
  readonly kind: 'redis' | 'postgres' | 'durable';
  /** The store's address. */
  readonly url: string;
  /** The folder with a file for every process, which records its runs. */
  readonly log?: string;
  /** The process's name, unique in the run. */
  readonly name: string;
  /** The lease of a claim, in milliseconds. */
  readonly lease: number;
  readonly durable?: DurableProcessOptions;
}

interface DurableProcessOptions {
  readonly place: PaymentPlace;
  readonly platform: { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string };
  /** The platform rejects one order of this number. */
  readonly rejected: number;
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

type Take = (task: number) => Promise<Reply>;

const { kind, url, log, name, lease, durable } = JSON.parse(process.argv[2] ?? '') as ProcessOptions;
const secret = 'whsec_0123456789abcdef';

/** Waits. Most waits are short, and some are longer than a lease. */
const work = () => setTimeout(Math.random() < 0.1 ? 2 * lease * Math.random() : 20 * Math.random());

/** Writes a line in one step, so that a dying process leaves only whole lines. */
function note(line: Omit<LogLine, 'at' | 'process'>): void {
  const text = JSON.stringify({ ...line, at: Date.now(), process: name });
  appendFileSync(join(log ?? '', `${name}.log`), `${text}\n`);
}

const commonOptions = { secret, lease, identity: ({ id }: WebhookEvent) => String(id) };

/** Passes the delivery of an event to a receiver. */
const toReceiver =
  (receiver: Receiver): Take =>
  async (task) => {
    const event = { event: 'transaction.paid', id: `event-${task}`, status: 'paid', amount: 1990 };
    const body = JSON.stringify(event);
    const headers = { ...sign({ body, secret }), 'content-type': 'application/json' };
    const { status, outcome } = await receiver.receive({ body, headers });
    return { outcome, isDone: status >= 200 && status < 300 };
  };

function receiveOverRedis(): Take {
  const redis = new Redis(url, { retryStrategy: () => 50 });
  redis.on('error', () => undefined);
  const store = redisDedupe(redis, { prefix: 'scale:' });
  let runs = 0;
  const receiver = createReceiver({
    ...commonOptions,
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
        const run = `${name}/${++runs}`;
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
  return toReceiver(receiver);
}

function receiveOverPostgres(): Take {
  const pool = new Pool({ connectionString: url, max: 40 });
  // Connections are cut on purpose.
  pool.on('error', () => undefined);
  const pay: EventHandler<WebhookEvent, PoolClient> = async ({ id }, { transaction }) => {
    await transaction.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
    // Counts every start, because a sequence is not affected by ROLLBACK.
    await transaction.query("SELECT nextval('starts')");
    await transaction.query('INSERT INTO effects VALUES ($1)', [id]);
    await work();
    // Many transactions increment the same counters. One of them commits, and the others fail as not
    // serializable.
    const counter = Math.floor(Math.random() * 16);
    await transaction.query('UPDATE counters SET effects = effects + 1 WHERE id = $1', [counter]);
  };
  const receiver = createReceiver<PoolClient>({
    ...commonOptions,
    dedupe: postgresDedupe(pool, { table: 'deliveries', transaction: true }),
    on: { 'transaction.paid': pay },
    onError: () => undefined,
  });
  return toReceiver(receiver);
}

interface Queries {
  query(text: string, values: string[]): Promise<unknown>;
}

/** Records orders and settles due payments. */
function payDurably(): Take {
  const { place, platform, rejected } = durable as DurableProcessOptions;
  const opened = openPlace(place);
  const client = new PaymentPlatform(platform);
  const options = {
    store: opened.store,
    timeout: 1_000,
    lease,
    retryDelay: 50,
    maxRetryDelay: 500,
    // The store fails on purpose.
    onError: () => undefined,
  };
  const possible = createDurablePayments(client, options);
  /**
   * Settles the orders that the platform rejects. If an earlier attempt has an unknown outcome, the rejection
   * proves nothing about that attempt, and the payment is retried until `giveUpAfter` is over.
   */
  const impossible = createDurablePayments(client, { ...options, giveUpAfter: 4_000 });
  const unknownCard: DurablePayment = {
    amount: pix.amount,
    items: pix.items,
    paymentMethod: 'credit_card',
    card: { cardTokenId: '99999999-9999-4999-8999-999999999999' },
  };
  void possible.run({ concurrency: 8, pollInterval: 50 });
  return async (task) => {
    const key = `order-${task}`;
    const isRejected = task % rejected === rejected - 1;
    const [payments, payment] = isRejected ? [impossible, unknownCard] : [possible, pix];
    const ways = [
      () => payments.create(payment, { key }),
      () => payments.enqueue(payment, { key }),
      () =>
        opened.inTransaction(async (client) => {
          await payments.enqueue(payment, { key, client });
          await (client as Queries).query('INSERT INTO orders VALUES ($1) ON CONFLICT DO NOTHING', [key]);
        }),
    ];
    try {
      await ways[task % ways.length]?.();
    } catch (error) {
      const isRecorded = error instanceof DurablePaymentError && error.record !== undefined;
      const isBroken = isPaymentPlatformError(error) && !(error instanceof DurablePaymentError);
      if (!isRecorded)
        return { outcome: 'again', isDone: false, ...(isBroken && { failure: String(error) }) };
    }
    return { outcome: 'recorded', isDone: true };
  };
}

const takers = { redis: receiveOverRedis, postgres: receiveOverPostgres, durable: payDurably };
const take = takers[kind]();

process.on('disconnect', () => process.exit());
process.on('message', async ({ id, task }: { readonly id: number; readonly task: number }) => {
  process.send?.({ id, ...(await take(task)) });
});
process.send?.('ready');
