// Shows two failures that can lead to a double charge, and how to continue. Run it: npx tsx examples/lost-response.ts
import { isPaymentPlatformError, PaymentPlatform, responseOf } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const sandbox = createSandbox();
const platform = new PaymentPlatform(sandbox.clientOptions());
const order = {
  externalId: 'order-1042',
  amount: 1990,
  paymentMethod: 'pix' as const,
  customer: { name: 'Ana Souza', email: 'ana@example.com', document: { number: '12345678909', type: 'cpf' } },
  items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
};

// 1. The payment is created, but its response is lost. The SDK retries with the same key and gets the payment.
sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
const payment = await platform.payments.create(order, { idempotencyKey: 'order-1042' });
console.log(
  responseOf(payment).attempts,
  'requests,',
  sandbox.ledger.chargesFor('order-1042').length,
  'charge',
);

// 2. The platform does not know the outcome, and responds with 409 until it does. Never retry with a new key.
sandbox.faults.add({ operation: 'payments.create', fault: 'acquirer-unknown' });
try {
  await platform.payments.create({ ...order, externalId: 'order-1043' }, { idempotencyKey: 'order-1043' });
} catch (error) {
  if (!isPaymentPlatformError(error)) throw error;
  console.log(error.name, error.outcome, error.idempotencyKey);
  if (error.outcome === 'unknown' && error.idempotencyKey !== undefined) {
    sandbox.control.payments.resolve(error.idempotencyKey, 'created'); // in the sandbox, this is the platform's part
    const found = await platform.payments.reconcile(
      { ...order, externalId: 'order-1043' },
      { idempotencyKey: error.idempotencyKey, interval: 1_000, timeout: 60_000 },
    );
    console.log(found.status, sandbox.ledger.chargesFor('order-1043').length, 'charge');
  }
}

await sandbox.close();
