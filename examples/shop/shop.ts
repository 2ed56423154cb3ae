// A shop that is paid by Pix, and loses no payment whenever its process is killed. How to start it: README.md
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
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL'); // who reads keeps nobody from writing
database.exec('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, paid_at TEXT)');
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
      const record = await payments.observe(event);
      if (record === undefined) return;
      // A process that dies before its answer gets the event again: the order is marked once.
      const mark = database.prepare('UPDATE orders SET paid_at = ? WHERE id = ? AND paid_at IS NULL');
      if (mark.run(new Date().toISOString(), record.key).changes > 0) console.log('ship', record.key);
    },
  },
});

const app = express();
app.post('/webhooks', toNodeHandler(receiver)); // above express.json(): the signature covers the bytes
app.use(express.json());

// The page of the shop makes the id, a UUID, and posts the order again with it until it has the Pix code.
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
    // Due again: `run` pursues it.
    if (!(error instanceof DurablePaymentError) || error.record?.dueAt === undefined) throw error;
    response.status(202).json({ id });
  }
});

const server = app.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}`));
const stop = new AbortController();
const running = payments.run({ signal: stop.signal });

process.once('SIGTERM', async () => {
  stop.abort();
  await Promise.all([running, once(server.close(), 'close')]);
  database.close();
});
