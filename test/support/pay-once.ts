import { once } from 'node:events';
import { PaymentPlatform } from 'payment-platform';
import { pix } from './payments.js';

/**
 * One process of a shop: says that it is ready, waits for a line, and pays an order under the key that
 * the shop has stored for it. Prints the id of the payment.
 */
const [engine = '', baseUrl = '', clientId = '', clientSecret = '', idempotencyKey = ''] =
  process.argv.slice(2);
const platform = new PaymentPlatform({
  baseUrl,
  clientId,
  clientSecret,
  ...(engine === 'ky' && { fetch: globalThis.fetch }),
});
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const { id } = await platform.payments.create(pix, { idempotencyKey });
process.stdout.write(`${id}\n`);
process.exit(0);
