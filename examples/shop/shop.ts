// A shop that takes Pix, and loses no payment if its process is killed. README.md explains how to start it.
import { once } from 'node:events';
import express from 'express';
import Database from 'libsql';
import { PaymentPlatform } from 'payment-platform';
import {
  createDurablePayments,
  DurablePaymentError,
  sqlitePayments,
  sqlitePaymentsSql,
} from 'payment-platform/durable';
import { createReceiver, toNodeHandler } from 'payment-platform/webhooks';

const { PORT = '3000', SHOP_DATABASE = 'shop.db', PAYMENT_TIMEOUT = '10000' } = process.env;
const price = 1990; // cents

const database = new Database(SHOP_DATABASE);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL'); // readers do not block writers
database.exec('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, paid_at TEXT, refunded_at TEXT)');
database.exec(sqlitePaymentsSql());

// Base URL and credentials come from PAYMENT_PLATFORM_BASE_URL, _CLIENT_ID and _CLIENT_SECRET.
const payments = createDurablePayments(new PaymentPlatform(), {
  store: sqlitePayments(database),
  timeout: Number(PAYMENT_TIMEOUT),
});

const receiver = createReceiver({
  secret: process.env.PAYMENT_PLATFORM_WEBHOOK_SECRET ?? '',
  on: {
    'transaction.paid': async (event) => {
      const { outcome, record } = await payments.observe(event);
      if (outcome !== 'applied') return; // refunded by now, another system's payment, or another amount
      // If the process dies before its response, the event arrives again. The order is marked once.
      const mark = database.prepare('UPDATE orders SET paid_at = ? WHERE id = ? AND paid_at IS NULL');
      if (mark.run(new Date().toISOString(), record.key).changes > 0) console.log('ship', record.key);
    },
    'transaction.refunded': async (event) => {
      const { outcome, record } = await payments.observe(event);
      if (outcome !== 'applied') return;
      const mark = database.prepare('UPDATE orders SET refunded_at = ? WHERE id = ?');
      mark.run(new Date().toISOString(), record.key);
    },
  },
});

const app = express();
app.post('/webhooks', toNodeHandler(receiver)); // before express.json(), because the signature covers the bytes
app.use(express.json());

// The shop's page creates the id, a UUID, and posts the order with this id until the page has the Pix code.
app.post('/orders', async ({ body }, response) => {
  const { id, name } = body ?? {};
  const isOrder = typeof id === 'string' && /^[\w-]{8,64}$/.test(id) && typeof name === 'string';
  if (!isOrder) return void response.sendStatus(400);
  database.prepare('INSERT OR IGNORE INTO orders (id) VALUES (?)').run(id);
  const items = [{ title: 'Café 500 g', quantity: 1, unitPrice: price }];
  const order = { amount: price, paymentMethod: 'pix' as const, customer: { name }, items };
  try {
    const { payment } = await payments.create(order, { key: id });
    const { qrCode } = (payment as { pix?: { qrCode?: string } }).pix ?? {};
    response.status(201).json({ id, status: payment.status, pix: qrCode });
  } catch (error) {
    // `run` retries the payment.
    if (!(error instanceof DurablePaymentError) || error.record?.dueAt === undefined) throw error;
    response.status(202).json({ id });
  }
});

app.get('/orders/:id', ({ params }, response) => {
  const order = database.prepare('SELECT * FROM orders WHERE id = ?').get(params.id);
  if (order === undefined) return void response.sendStatus(404);
  const { id, paid_at, refunded_at } = order as Record<string, string | null>;
  response.json({ id, status: refunded_at ? 'refunded' : paid_at ? 'paid' : 'open' });
});

const server = app.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}`));
const stop = new AbortController();
const running = payments.run({ signal: stop.signal });

process.once('SIGTERM', async () => {
  stop.abort();
  await Promise.all([running, once(server.close(), 'close')]);
  database.close();
});
