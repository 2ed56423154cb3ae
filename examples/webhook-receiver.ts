// Receives signed notifications with node:http. Run it: npx tsx examples/webhook-receiver.ts
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { createReceiver, memoryDedupe, toNodeHandler } from 'payment-platform/webhooks';

const secret = 'whsec_0123456789abcdef';

const receiver = createReceiver({
  secret,
  dedupe: memoryDedupe(), // for one process; use redisDedupe for several
  // Each change sends two events, and deliveries can repeat. Each event is handled once.
  on: { 'transaction.paid': (event) => console.log('ship', event.externalReference) },
  onUnhandled: (event) => console.log('ignored', event.event),
  onRejected: (error) => console.log('refused:', error.reason),
});

const server = createServer(toNodeHandler(receiver)).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;

const sandbox = createSandbox();
const platform = new PaymentPlatform(sandbox.clientOptions());
await platform.webhooks.create({ webhook_url: url, events: [], hmac_secret: secret });
const payment = await platform.payments.create(
  {
    externalId: 'order-1042',
    amount: 1990,
    paymentMethod: 'pix',
    customer: { name: 'Ana Souza' },
    items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
  },
  { idempotencyKey: 'order-1042' },
);
sandbox.control.payments.pay(payment.id);
await sandbox.webhooks.idle();
await fetch(url, { method: 'POST', body: '{"event":"transaction.paid"}' }); // anyone can send this; without a signature it has no effect

await sandbox.close();
server.close();
