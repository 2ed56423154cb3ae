import { PaymentPlatform } from 'payment-platform';
import { jpeg, pf } from './onboarding.js';

/**
 * Uploads a file that is generated during the upload, several times at once. Prints this process's peak
 * memory
 * growth in bytes, and the largest delay of a timer in milliseconds.
 */
const [baseUrl = '', engine = '', megabytes = '', count = ''] = process.argv.slice(2);
const platform = new PaymentPlatform({
  baseUrl,
  clientId: 'merchant',
  clientSecret: 'not-a-real-secret',
  timeout: 240_000,
  ...(engine === 'ky' && { fetch: globalThis.fetch }),
});

// The first upload loads modules, which the measurement leaves out.
await platform.onboarding.submitPf({ ...pf, selfie: jpeg });
globalThis.gc?.();
const baseline = process.memoryUsage().rss;
let late = 0;
let last = performance.now();
const timer = setInterval(() => {
  late = Math.max(late, performance.now() - last - 10);
  last = performance.now();
}, 10);
const piece = new Uint8Array(64 * 1024);
const made = () => {
  let left = Number(megabytes) * 16;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => (left-- > 0 ? controller.enqueue(piece) : controller.close()),
  });
};
await Promise.all(
  Array.from({ length: Number(count) }, () =>
    platform.onboarding.submitPf({ ...pf, selfie: { content: made, contentType: 'image/jpeg' } }),
  ),
);
clearInterval(timer);
const peak = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ grown: peak - baseline, late }));
platform.close();
