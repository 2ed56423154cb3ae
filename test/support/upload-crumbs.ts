import { PaymentPlatform } from 'payment-platform';
import { jpeg, pf } from './onboarding.js';

/** Uploads a stream whose chunks are one byte each, and prints by how many bytes the memory of this process grew at its peak. */
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
    // A few at a time: the stream itself is to need next to nothing.
    for (let count = 0; count < 256 && left > 0; count++, left--) controller.enqueue(Uint8Array.of(left));
    if (left === 0) controller.close();
  },
});
await platform.onboarding.submitPf({ ...pf, selfie });
const peak = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ grown: peak - baseline }));
platform.close();
