import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PixPayment } from 'payment-platform';
import { createSandbox, type FaultRule } from 'payment-platform/sandbox';
import { ordersSql, placeOrder } from '../payments/orders.js';
import { startQueue } from '../payments/queue.js';
import { closesAfter, missing, newDatabase, size, until } from './engines.js';
import { Processes } from './processes.js';

const orders = size(2_000);
const workers = 4;

/** What goes wrong on the way to the platform, before and after it has charged. */
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

const payment = (amount: number): PixPayment => ({
  amount,
  paymentMethod: 'pix',
  customer: { name: 'Ana Souza' },
  items: [{ title: 'Café 500 g', quantity: 1, unitPrice: amount }],
});

test(`${orders} orders, ${workers} workers that are killed, a platform that fails: one charge for each`, {
  skip: missing('POSTGRES_URL'),
}, async (t) => {
  const after = closesAfter(t);
  const { url, pool, remove } = await newDatabase();
  after(remove);
  const sandbox = createSandbox();
  after(() => sandbox.close());
  const { baseUrl, clientId, clientSecret } = (await sandbox.listen()).clientOptions();
  await pool.query(ordersSql);

  const boss = await startQueue(url);
  after(() => boss.stop({ graceful: false }));
  const impossible = 3; // an amount below the least
  await Promise.all(
    Array.from({ length: orders + impossible }, (_, index) =>
      placeOrder(pool, boss, `order-${index}`, payment(index < orders ? 1_000 + index : 50)),
    ),
  );

  for (let index = 0; index < orders / 8; index++) {
    const rule = faults[index % faults.length] as FaultRule;
    const nth = 1 + Math.floor(Math.random() * orders * 0.8);
    sandbox.faults.add({ operation: 'payments.create', nth, times: 1 + (index % 4), ...rule });
  }
  const provoked = sandbox.faults.pending.reduce((sum, { left }) => sum + (left ?? 0), 0);

  const processes = new Processes('payments/worker.ts', {
    POSTGRES_URL: url,
    PAYMENT_PLATFORM_BASE_URL: baseUrl,
    PAYMENT_PLATFORM_CLIENT_ID: clientId,
    PAYMENT_PLATFORM_CLIENT_SECRET: clientSecret,
    PAYMENT_TIMEOUT: '700',
    RECONCILE_INTERVAL: '100',
    RECONCILE_TIMEOUT: '1500',
    RETRY_DELAY: '1000',
    JOB_EXPIRY: '3000',
    MAINTENANCE_INTERVAL: '1000',
    SWEEP_AFTER: '2000',
  });
  after(() => processes.close());
  await processes.start(workers);

  let charges = 0;
  const pause = 40 + orders / 20;
  let resolved = 0;
  const openOrders = async () => {
    const { rows } = await pool.query(
      `SELECT status, count(*)::int FROM orders WHERE status NOT IN ('created', 'rejected') GROUP BY status`,
    );
    return rows;
  };
  await until(async () => {
    // Somebody dies in the midst of the next orders.
    const made = sandbox.ledger.charges.length;
    if (made < orders * 0.95 && made - charges > pause * Math.random()) {
      charges = made;
      processes.kill();
    }
    // The acquirer finds out what became of a payment, after somebody was answered that it is not known.
    const doubtful = sandbox.journal.requests.filter(({ status }) => status === 409);
    for (const key of new Set(doubtful.map(({ idempotencyKey }) => idempotencyKey ?? ''))) {
      try {
        sandbox.control.payments.resolve(key, resolved % 2 === 0 ? 'created' : 'not-created');
        resolved++;
      } catch {
        // It is known by now.
      }
    }
    return (await openOrders()).length === 0;
  }, openOrders);

  const { rows } = await pool.query('SELECT * FROM orders');
  assert.equal(rows.length, orders + impossible);
  for (const { id, idempotency_key, status, payment: body, payment_id, payment_status } of rows) {
    const own = sandbox.ledger.chargesFor(idempotency_key);
    if (body.amount === 50) {
      assert.deepEqual([status, own.length], ['rejected', 0], id);
      continue;
    }
    assert.equal(own.length, 1, `${id} has ${own.length} charges`);
    assert.equal(own[0]?.paymentId, payment_id, id);
    assert.equal(own[0]?.amount, body.amount, id);
    assert.equal(own[0]?.externalReference, id);
    assert.deepEqual([status, payment_status], ['created', 'waiting_payment'], id);
  }
  assert.equal(sandbox.ledger.charges.length, orders, 'every charge belongs to an order');
  assert.ok(processes.kills >= orders / 100, `only ${processes.kills} kills`);

  const { requests } = sandbox.journal;
  const left = sandbox.faults.pending.reduce((sum, rule) => sum + (rule.left ?? 0), 0);
  t.diagnostic(
    `${orders} charges, ${requests.length} requests, ` +
      `${processes.kills} kills, ${provoked - left} faults, ${resolved} outcomes that were unknown (409)`,
  );
});
