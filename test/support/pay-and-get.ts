import http from 'node:http';
import https from 'node:https';
import { inspect } from 'node:util';
import { PaymentPlatform } from 'payment-platform';
import { pix } from './payments.js';

/**
 * Runs in its own process, whose environment names a proxy. Calls the platform with Node's own request, then
 * pays. Prints both results.
 */
const [baseUrl = ''] = process.argv.slice(2);
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error & { outcome?: string }) => error.outcome ?? 'failed',
  );
const plain = new Promise((resolve, reject) => {
  (baseUrl.startsWith('https:') ? https : http)
    .get(baseUrl, (response) => response.resume().on('end', resolve))
    .on('error', reject);
});
const first = await outcome(plain);
const platform = new PaymentPlatform({
  baseUrl,
  clientId: 'merchant-1',
  clientSecret: 'sk_live_canary_4f9a1c',
  maxRetries: 0,
});
const paying = platform.payments.create(pix);
const second = await outcome(paying);
const shown = await paying.catch((error: Error) => inspect([error, JSON.stringify(error)], { depth: 20 }));
process.stdout.write(JSON.stringify({ plain: first, payment: second, shown }));
process.exit(0);
