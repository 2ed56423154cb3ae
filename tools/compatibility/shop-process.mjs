// A shop and its sandbox in one process, which are killed together. The process keeps a state file, a table
// of deliveries and a token. It has twenty orders in total, over all its starts.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { encryptedTokenStore, PaymentPlatform, redisTokenStore } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { createReceiver, postgresDedupe, postgresDedupeSql, toNodeHandler } from 'payment-platform/webhooks';
import pg from 'pg';

const { REDIS_URL, POSTGRES_URL, SHOP_KILLED_IN, SHOP_PORT, SHOP_SCHEMA, SHOP_STATE } = process.env;
const secret = 'whsec_0123456789abcdef';
const orders = Array.from({ length: 20 }, (_, index) => `order-${index + 1}`);

const sandbox = createSandbox({
  seed: 7,
  stateFile: SHOP_STATE,
  rateLimits: false,
  httpWebhookHosts: ['127.0.0.1'],
});
const redis = new Redis(REDIS_URL);
const store = redisTokenStore(redis, { prefix: `${SHOP_SCHEMA}:` });
const platform = new PaymentPlatform({
  ...sandbox.clientOptions(),
  auth: 'oauth',
  oauth: { store: encryptedTokenStore(store, new Uint8Array(32).fill(7)) },
});

const pool = new pg.Pool({ connectionString: POSTGRES_URL });
const table = `${SHOP_SCHEMA}.deliveries`;
await pool.query(`CREATE TABLE IF NOT EXISTS ${SHOP_SCHEMA}.shipped (payment text)`);
await pool.query(postgresDedupeSql(table));
let events = 0;
const receiver = createReceiver({
  secret,
  dedupe: postgresDedupe(pool, { table, transaction: true }),
  lease: 2_000,
  on: {
    'transaction.paid': async (event, { transaction }) => {
      await transaction.query(`INSERT INTO ${SHOP_SCHEMA}.shipped VALUES ($1)`, [event.id]);
      events++;
      if (events !== Number(SHOP_KILLED_IN)) return;
      // The shop is killed before it commits.
      process.send?.({ events });
      await new Promise(() => undefined);
    },
  },
});
const server = createServer(toNodeHandler(receiver)).listen(Number(SHOP_PORT), '127.0.0.1');
await once(server, 'listening');
if (sandbox.webhooks.endpoints.length === 0)
  sandbox.webhooks.register({ url: `http://127.0.0.1:${SHOP_PORT}/`, secret });

for (const order of orders) {
  const customer = {
    name: 'Ana',
    email: 'ana@example.com',
    document: { number: '12345678909', type: 'cpf' },
  };
  const items = [{ title: 'Café', quantity: 1, unitPrice: 1990 }];
  const payment = { externalId: order, amount: 1990, paymentMethod: 'pix', customer, items };
  const { id } = await platform.payments.create(payment, { idempotencyKey: order });
  // The process may have died between the two steps.
  if (sandbox.control.payments.retrieve(id).status !== 'paid') sandbox.control.payments.pay(id);
  await sandbox.webhooks.idle();
}
// The sandbox's clock runs ahead of a dead process's lease, which is on PostgreSQL's clock.
const claims = `SELECT FROM ${table} WHERE digest IS NULL AND rank IS NULL AND expires_at > now()`;
while ((await pool.query(claims)).rowCount > 0) await setTimeout(50);
// Retries unacknowledged deliveries.
await sandbox.clock.advance('1d');
await sandbox.webhooks.idle();
const { rows } = await pool.query(
  `SELECT count(*)::integer AS all, count(DISTINCT payment)::integer AS payments FROM ${SHOP_SCHEMA}.shipped`,
);
process.send?.({
  done: true,
  charges: sandbox.ledger.charges.length,
  ordersCharged: orders.filter((order) => sandbox.ledger.chargesFor(order).length === 1).length,
  shipments: rows[0].all,
  ordersShipped: rows[0].payments,
  deliveryAttempts: sandbox.webhooks.deliveries.length,
  tokenRequests: sandbox.journal.requests.filter(({ path }) => path.includes('token')).length,
});
server.close();
await Promise.all([pool.end(), redis.quit(), sandbox.close()]);
process.disconnect?.();
