import { once } from 'node:events';
import { PaymentPlatform } from 'payment-platform';
import { createDurablePayments, postgresPayments } from 'payment-platform/durable';
import { createReceiver, postgresDedupe, sign } from 'payment-platform/webhooks';
import { Pool, type PoolClient } from 'pg';
import { pix } from './payments.js';

/** A process of a shop whose database has a stricter default isolation level. */
export interface SerializableShop {
  readonly url: string;
  readonly schema: string;
  readonly isolation: string;
  readonly platform: { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string };
  readonly keys: readonly string[];
  readonly transaction: boolean;
}

/** The report that a process prints at its end. */
export interface ShopReport {
  readonly errors: readonly string[];
  readonly outcomes: readonly string[];
}

const { url, schema, isolation, platform, keys, transaction } = JSON.parse(
  process.argv[2] ?? '',
) as SerializableShop;
const secret = 'whsec_0123456789abcdef';
const pool = new Pool({
  connectionString: url,
  options: `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')}`,
});
const errors: string[] = [];
const onError = (error: unknown) => void errors.push(String(error));
const payments = createDurablePayments(new PaymentPlatform(platform), {
  store: postgresPayments(pool, { table: `${schema}.payments` }),
  onError,
});
const handle = (client: Pick<PoolClient, 'query'>, id: unknown) =>
  client.query(`INSERT INTO ${schema}.handled VALUES ($1)`, [id]);
const receiver = createReceiver<PoolClient>({
  secret,
  dedupe: postgresDedupe<PoolClient>(pool, {
    table: `${schema}.deliveries`,
    transaction: transaction as true,
  }),
  on: { 'transaction.paid': (event, delivery) => handle(delivery.transaction ?? pool, event.id) },
  onError,
});

/** Delivers a notification until it is acknowledged, because another process can be handling it. */
async function deliver(id: string): Promise<string> {
  const body = JSON.stringify({ event: 'transaction.paid', id });
  let outcome = '';
  for (let attempt = 0; attempt < 50; attempt++) {
    const result = await receiver.receive({ body, headers: sign({ body, secret }) });
    outcome = result.outcome;
    if (result.status < 300) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return outcome;
}

const create = (key: string) => payments.create(pix, { key }).catch(onError);

process.send?.('ready');
await once(process, 'message');
const controller = new AbortController();
const running = payments.run({ signal: controller.signal, pollInterval: 20 });
/** Runs the work for each key, ten keys at once, because the pool has ten connections. */
async function forEachKey<Result>(work: (key: string) => Promise<Result>): Promise<Result[]> {
  const waiting = [...keys];
  const results: Result[] = [];
  const next = async () => {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) results.push(await work(key));
  };
  await Promise.all(Array.from({ length: 10 }, next));
  return results;
}

const [outcomes] = await Promise.all([forEachKey(deliver), forEachKey(create)]);
controller.abort();
await running;
await pool.end();
process.send?.({ errors, outcomes } satisfies ShopReport, () => process.disconnect());
