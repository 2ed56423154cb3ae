import { createReadStream } from 'node:fs';
import { PaymentPlatform } from 'payment-platform';
import { jpeg, pf } from './onboarding.js';

/** Uploads a file, and prints this process's peak memory growth in bytes. */
const [baseUrl = '', path = '', as = ''] = process.argv.slice(2);
const platform = new PaymentPlatform({ baseUrl, clientId: 'merchant', clientSecret: 'not-a-real-secret' });

// The first upload loads modules, which the measurement leaves out.
await platform.onboarding.submitPf({ ...pf, selfie: jpeg });
globalThis.gc?.();
const baseline = process.memoryUsage().rss;
const selfie = as === 'stream' ? createReadStream(path) : path;
let sent = 0;
await platform.onboarding.submitPf(
  { ...pf, selfie },
  {
    timeout: 120_000,
    onUploadProgress: (progress) => {
      sent = progress.sent;
    },
  },
);
const peak = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ grown: peak - baseline, sent }));
platform.close();
