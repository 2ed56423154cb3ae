// A receiver of signed notifications on node:http. Run it: npx tsx examples/webhook-receiver.ts
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { verify, WebhookVerificationError } from 'payment-platform/webhooks';

const secret = 'whsec_0123456789abcdef';
const handled = new Set<string>();

const receiver = createServer(async (request, response) => {
  try {
    const event = verify({ body: await buffer(request), headers: request.headers }, { secret });
    response.writeHead(204).end(); // within 30 seconds, or it is sent again
    switch (event.event) {
      case 'transaction.paid': {
        // Each change is told twice, and may be delivered again: handle each payment once.
        if (event.id === undefined || handled.has(event.id)) break;
        handled.add(event.id);
        console.log('ship', event.externalReference);
        break;
      }
      default:
        console.log('ignored', event.event);
    }
  } catch (error) {
    // Whatever went wrong, the server lives on: anybody can post here.
    const forged = error instanceof WebhookVerificationError;
    console.log('refused:', forged ? error.reason : error);
    if (!response.headersSent) response.writeHead(forged ? 400 : 500);
    response.end();
  }
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;

const sandbox = createSandbox();
const platform = new PaymentPlatform(sandbox.clientOptions());
await platform.webhooks.create({ webhook_url: url, events: [], hmac_secret: secret });
const payment = await platform.payments.create({
  externalId: 'order-1042',
  amount: 1990,
  paymentMethod: 'pix',
  customer: { name: 'Ana Souza' },
  items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
});
sandbox.control.payments.pay(payment.id);
await sandbox.webhooks.idle();
await fetch(url, { method: 'POST', body: '{"event":"transaction.paid"}' }); // anybody can post: no signature, no effect

await sandbox.close();
receiver.close();
