// Creates a Pix charge that the customer then pays. Run it: npx tsx examples/pix.ts
import { PaymentPlatform, responseOf } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const sandbox = createSandbox();
const platform = new PaymentPlatform(sandbox.clientOptions());

const order = {
  externalId: 'order-1042',
  amount: 1990, // cents: R$ 19,90
  paymentMethod: 'pix' as const,
  customer: { name: 'Ana Souza', email: 'ana@example.com', document: { number: '12345678909', type: 'cpf' } },
  items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
  pix: { expiration: 900 }, // seconds
};

// Store this key with the order. While the platform remembers it, a retry never charges again.
const payment = await platform.payments.create(order, { idempotencyKey: 'order-1042' });
console.log(payment.status, 'after', responseOf(payment).attempts, 'request'); // waiting_payment

sandbox.control.payments.pay(payment.id); // in the sandbox, this is the customer's bank

// The same key and payload return the same payment in its current state, without a new charge.
const again = await platform.payments.create(order, { idempotencyKey: 'order-1042' });
console.log(again.status, again.id === payment.id, sandbox.ledger.charges.length); // paid true 1

await sandbox.close();
