// A shop that takes Pix and cards, and loses no payment if its process is killed. README.md explains how to start it.
import { once } from 'node:events';
import express from 'express';
import Database from 'libsql';
import {
  IdempotencyConflictError,
  PaymentPlatform,
  type TransactionEvent,
  ValidationError,
} from 'payment-platform';
import {
  createDurablePayments,
  DurablePaymentError,
  type PaymentRecord,
  sqlitePayments,
  sqlitePaymentsSql,
} from 'payment-platform/durable';
import { createReceiver, toNodeHandler } from 'payment-platform/webhooks';

const { PORT = '3000', SHOP_DATABASE = 'shop.db', PAYMENT_TIMEOUT = '10000' } = process.env;
const price = 1990; // cents

const database = new Database(SHOP_DATABASE);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL'); // readers do not block writers
database.exec('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, status TEXT NOT NULL)');
database.exec(sqlitePaymentsSql());

const find = database.prepare('SELECT id, status FROM orders WHERE id = ?');
const pay = database.prepare(
  "UPDATE orders SET status = 'paid' WHERE id = ? AND status NOT IN ('paid', 'refunded')",
);
const close = database.prepare("UPDATE orders SET status = ? WHERE id = ? AND status = 'open'");
const refund = database.prepare("UPDATE orders SET status = 'refunded' WHERE id = ?");

// Responses and events can come twice and in any order, so each status changes only the orders that it can follow.
function show({ key, state, payment }: PaymentRecord): void {
  if (state === 'failed') close.run('rejected', key); // the platform rejected it
  const status = payment?.status;
  if (status === 'paid' && pay.run(key).changes > 0) console.log('ship', key);
  if (status === 'refused' || status === 'expired' || status === 'cancelled') close.run(status, key);
  if (status === 'refunded' || status === 'chargedback') refund.run(key);
}

// Base URL and credentials come from PAYMENT_PLATFORM_BASE_URL, _CLIENT_ID and _CLIENT_SECRET.
const payments = createDurablePayments(new PaymentPlatform(), {
  store: sqlitePayments(database),
  timeout: Number(PAYMENT_TIMEOUT),
  onSettled: show,
  onFailed: show,
});

async function observe(event: TransactionEvent): Promise<void> {
  const { outcome, record } = await payments.observe(event);
  // The record of an outdated event has the later status. Other events are another system's, or have another amount.
  if (outcome === 'applied' || outcome === 'outdated') show(record);
}

const receiver = createReceiver({
  secret: process.env.PAYMENT_PLATFORM_WEBHOOK_SECRET ?? '',
  dedupe: false, // `show` has its effects once, however often an event arrives
  on: {
    'transaction.paid': observe,
    'transaction.refused': observe,
    'transaction.expired': observe,
    'transaction.cancelled': observe,
    'transaction.refunded': observe,
    'transaction.chargedback': observe,
  },
});

const app = express();
app.post('/webhooks', toNodeHandler(receiver)); // before express.json(), because the signature covers the bytes
app.use(express.json());

// The shop's page creates the id, a UUID, and posts the order with this id until the page has the Pix code.
app.post('/orders', async ({ body }, response) => {
  const { id, name, cardToken } = body ?? {};
  const isOrder = typeof id === 'string' && /^[\w-]{8,64}$/.test(id) && typeof name === 'string';
  if (!isOrder) return void response.sendStatus(400);
  database.prepare("INSERT OR IGNORE INTO orders VALUES (?, 'open')").run(id);
  const items = [{ title: 'Café 500 g', quantity: 1, unitPrice: price }];
  const order =
    typeof cardToken === 'string'
      ? {
          amount: price,
          paymentMethod: 'credit_card' as const,
          card: { cardTokenId: cardToken, installments: 1 },
          items,
        }
      : { amount: price, paymentMethod: 'pix' as const, customer: { name }, items };
  try {
    const { payment, record } = await payments.create(order, { key: id });
    show(record); // a process can die after it settles the payment, before `onSettled`
    const { qrCode } = (payment as { pix?: { qrCode?: string } }).pix ?? {};
    const { status } = find.get(id) as { status: string };
    response.status(201).json({ id, status, ...(status === 'open' && { pix: qrCode }) });
  } catch (error) {
    // The order exists with another payment, such as another card. A customer who pays again makes a new order.
    if (error instanceof IdempotencyConflictError) return void response.sendStatus(409);
    if (error instanceof ValidationError) return void response.sendStatus(400); // nothing was sent
    if (!(error instanceof DurablePaymentError)) throw error;
    // `run` retries a payment that is due. A record that is not due failed, or a person must check it.
    const isDue = error.record === undefined || error.record.dueAt !== undefined;
    response.status(isDue ? 202 : 422).json({ id });
  }
});

app.get('/orders/:id', ({ params }, response) => {
  const order = find.get(params.id) as { id: string; status: string } | undefined;
  if (order === undefined) return void response.sendStatus(404);
  response.json({ id: order.id, status: order.status });
});

const server = app.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}`));
const stop = new AbortController();
const running = payments.run({ signal: stop.signal });

// If all webhooks of an order were lost, the platform still knows its status. `run` sends the others.
const asking = setInterval(async () => {
  for (const { id } of database.prepare("SELECT id FROM orders WHERE status = 'open'").all() as {
    id: string;
  }[])
    try {
      const record = await payments.find(id);
      if (record?.state === 'settled') show((await payments.refresh(id)).record);
      else if (record !== undefined) show(record);
    } catch (error) {
      console.log('later', id, (error as Error).message); // the platform is down
    }
}, 60_000);

process.once('SIGTERM', async () => {
  stop.abort();
  clearInterval(asking);
  await Promise.all([running, once(server.close(), 'close')]);
  database.close();
});
