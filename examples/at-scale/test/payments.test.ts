import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PaymentPlatform, type PixPayment } from 'payment-platform';
import { createSandbox, type FaultRule } from 'payment-platform/sandbox';
import { ordersSql, placeOrder } from '../payments/orders.js';
import { openPayments } from '../payments/payments.js';
import { paymentsQueue, startQueue } from '../payments/queue.js';
import { closesAfter, missing, newDatabase, size, until } from './engines.js';
import { Processes } from './processes.js';

const orders = size(2_000);
const workers = 4;
const withoutJob = 5;

/** Faults between the SDK and the platform, before and after the charge. */
const faults: readonly FaultRule[] = [
  { phase: 'before-commit', fault: 'reset' },
  { phase: 'after-commit', fault: 'reset' },
  { phase: 'before-commit', fault: { status: 503 } },
  { phase: 'after-commit', fault: { status: 503 } },
  { phase: 'before-commit', fault: 'hang' },
  { phase: 'after-commit', fault: 'hang' },
  { phase: 'after-commit', fault: 'truncate' },
  { fault: 'acquirer-unknown' },
];

const toAmount = (index: number) => 1_000 + index;

const payment = (amount: number): PixPayment => ({
  amount,
  paymentMethod: 'pix',
  customer: { name: 'Ana Souza' },
  items: [{ title: 'Café 500 g', quantity: 1, unitPrice: amount }],
});

test(`${orders} orders are charged once each, although ${workers} workers are killed and the platform fails`, {
  skip: missing('POSTGRES_URL'),
}, async (t) => {
  const after = closesAfter(t);
  const { url, pool, remove } = await newDatabase();
  after(remove);
  const sandbox = createSandbox();
  after(() => sandbox.close());
  const credentials = (await sandbox.listen()).clientOptions();
  await pool.query(ordersSql);
  const payments = openPayments(new PaymentPlatform(credentials), pool);

  const boss = await startQueue(url);
  after(() => boss.stop({ graceful: false }));
  const place = (index: number, amount: number) =>
    placeOrder(pool, boss, payments, `order-${index}`, payment(amount));
  await Promise.all(Array.from({ length: orders }, (_, index) => place(index, toAmount(index))));

  // An amount below the minimum is rejected before anything is recorded: no payment, no order, no job.
  await assert.rejects(place(orders, 50), { name: 'ValidationError', outcome: 'not-executed' });
  assert.equal(await payments.find(`order-${orders}`), undefined);

  // The queue loses these jobs.
  const lost = Array.from({ length: withoutJob }, (_, index) => `order-${index}`);
  const jobs = await pool.query(
    `WITH gone AS (DELETE FROM pgboss.job WHERE name = $1 AND data->>'key' = ANY($2) RETURNING 1)
     SELECT count(*)::int - (SELECT count(*)::int FROM gone) AS left FROM pgboss.job WHERE name = $1`,
    [paymentsQueue, lost],
  );
  assert.equal(jobs.rows[0].left, orders - withoutJob, 'the number of jobs');

  for (let index = 0; index < orders / 8; index++) {
    const rule = faults[index % faults.length] as FaultRule;
    const nth = 1 + Math.floor(Math.random() * orders * 0.8);
    sandbox.faults.add({ operation: 'payments.create', nth, times: 1 + (index % 4), ...rule });
  }
  const provoked = sandbox.faults.pending.reduce((sum, { left }) => sum + (left ?? 0), 0);

  const processes = new Processes('payments/worker.ts', {
    POSTGRES_URL: url,
    PAYMENT_PLATFORM_BASE_URL: credentials.baseUrl,
    PAYMENT_PLATFORM_CLIENT_ID: credentials.clientId,
    PAYMENT_PLATFORM_CLIENT_SECRET: credentials.clientSecret,
    PAYMENT_TIMEOUT: '700',
    RETRY_DELAY: '1000',
    MAX_RETRY_DELAY: '5000',
    JOB_EXPIRY: '3000',
    MAINTENANCE_INTERVAL: '1000',
    SETTLE_DUE_EVERY: '2000',
  });
  after(() => processes.close());
  await processes.start(workers);

  let charges = 0;
  const pause = 40 + orders / 20;
  let resolved = 0;
  await until(async () => {
    // Kills a worker during the next orders.
    const made = sandbox.ledger.charges.length;
    if (made < orders * 0.95 && made - charges > pause * Math.random()) {
      charges = made;
      processes.kill();
    }
    // The platform resolves payments whose outcome was unknown (409).
    const doubtful = sandbox.journal.requests.filter(({ status }) => status === 409);
    for (const key of new Set(doubtful.map(({ idempotencyKey }) => idempotencyKey ?? ''))) {
      try {
        sandbox.control.payments.resolve(key, resolved % 2 === 0 ? 'created' : 'not-created');
        resolved++;
      } catch {
        // The outcome is already known.
      }
    }
    return (await payments.counts()).length === 0;
  }, payments.counts);

  const { rows } = await pool.query<{ id: string }>('SELECT id FROM orders');
  assert.equal(rows.length, orders);
  for (const { id } of rows) {
    const record = await payments.find(id);
    const own = sandbox.ledger.chargesFor(id);
    assert.equal(own.length, 1, `${id} has ${own.length} charges`);
    assert.equal(own[0]?.paymentId, record?.paymentId, id);
    assert.equal(own[0]?.amount, toAmount(Number(id.slice('order-'.length))), id);
    assert.equal(own[0]?.externalReference, id);
    assert.deepEqual([record?.state, record?.payment?.status], ['settled', 'waiting_payment'], id);
  }
  assert.equal(sandbox.ledger.charges.length, orders, 'every charge belongs to an order');
  assert.ok(processes.kills >= orders / 100, `only ${processes.kills} kills`);

  const { requests } = sandbox.journal;
  const left = sandbox.faults.pending.reduce((sum, rule) => sum + (rule.left ?? 0), 0);
  t.diagnostic(
    `${orders} charges, ${requests.length} requests, ` +
      `${processes.kills} kills, ${provoked - left} faults, ${resolved} unknown outcomes (409)`,
  );
});
