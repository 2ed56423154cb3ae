import { PaymentPlatform } from 'payment-platform';
import { jpeg, pf } from './onboarding.js';

/** Uploads a stream of one-byte chunks, and prints this process's peak memory growth in bytes. */
const [baseUrl = '', engine = '', length = ''] = process.argv.slice(2);
const platform = new PaymentPlatform({
  baseUrl,
  clientId: 'merchant',
  clientSecret: 'not-a-real-secret',
  timeout: 120_000,
  ...(engine === 'ky' && { fetch: globalThis.fetch }),
});

// The first upload loads modules, which the measurement leaves out.
await platform.onboarding.submitPf({ ...pf, selfie: jpeg });
globalThis.gc?.();
const baseline = process.memoryUsage().rss;
let left = Number(length);
const selfie = new ReadableStream<Uint8Array>({
  pull(controller) {
    // The stream enqueues a few chunks at a time, so that the stream itself needs almost no memory.
    for (let count = 0; count < 256 && left > 0; count++, left--) controller.enqueue(Uint8Array.of(left));
    if (left === 0) controller.close();
  },
});
await platform.onboarding.submitPf({ ...pf, selfie });
const peak = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ grown: peak - baseline }));
platform.close();
