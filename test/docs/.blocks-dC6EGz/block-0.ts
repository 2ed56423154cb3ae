import { PaymentPlatform, responseOf } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

// The platform in miniature: no account, no network. The API document shows no field for the code of a Pix: `answers`
// puts it where your platform has it.
const sandbox = createSandbox({ answers: { pixCode: 'pix.qrCode' } });
const platform = new PaymentPlatform(sandbox.clientOptions());

const payment = await platform.payments.create<{ pix: { qrCode: string } }>(
  {
    externalId: 'order-1042',
    amount: 1990, // cents
    paymentMethod: 'pix',
    customer: {
      name: 'Ana Souza',
      email: 'ana@example.com',
      document: { number: '12345678909', type: 'cpf' },
    },
    items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
  },
  { idempotencyKey: 'order-1042' }, // one order, one key: this call is safe to make again
);

console.log(payment.status); // waiting_payment
console.log(payment.pix.qrCode.slice(0, 12)); // 000201010212
console.log(responseOf(payment).attempts); // 1

sandbox.control.payments.pay(payment.id); // the payer pays
console.log(sandbox.control.payments.retrieve(payment.id).status); // paid
