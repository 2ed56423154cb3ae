// A Pix charge, from its creation to the payer's payment. Run it: npx tsx examples/pix.ts
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

// Your own key, kept beside the order: whatever happens, this order is charged once.
const payment = await platform.payments.create(order, { idempotencyKey: 'order-1042' });
console.log(payment.status, 'after', responseOf(payment).attempts, 'request'); // waiting_payment

sandbox.control.payments.pay(payment.id); // the payer's bank, in the sandbox

// The same key and payload again: the same payment with its current state, and no new charge.
const again = await platform.payments.create(order, { idempotencyKey: 'order-1042' });
console.log(again.status, again.id === payment.id, sandbox.ledger.charges.length); // paid true 1

await sandbox.close();
