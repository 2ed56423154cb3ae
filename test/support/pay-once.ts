import { once } from 'node:events';
import { PaymentPlatform } from 'payment-platform';
import { pix } from './payments.js';

/**
 * Runs one process of a shop. Reports that it is ready, waits for a line, and pays an order under the shop's
 * stored key. Prints the payment's id.
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
