import { createServer } from 'node:http';
import { createReceiver, toNodeHandler } from 'payment-platform/webhooks';

const receiver = createReceiver({
  secret: process.env.PAYMENT_PLATFORM_WEBHOOK_SECRET ?? '', // 16 to 256 characters
  on: {
    'transaction.paid': async (event) => {
      console.log('ship', event.externalReference); // once; if it throws, the platform sends again
    },
  },
  onRejected: (error) => console.warn('refused:', error.reason),
});

createServer(toNodeHandler(receiver)).listen(3000);
