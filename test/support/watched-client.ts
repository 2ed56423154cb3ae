import { createInterface } from 'node:readline';
import { isPaymentPlatformError, PaymentPlatform } from 'payment-platform';
import { pix } from './payments.js';

/** Makes one call for each line of input, and prints the call's time, memory and result. */
const [engine = '', baseUrl = '', timeout = ''] = process.argv.slice(2);
const events: unknown[] = [];
const record = (event: unknown) => {
  events[0] = event;
};
const platform = new PaymentPlatform({
  baseUrl,
  clientId: 'merchant-1',
  clientSecret: 'sk_live_canary_4f9a1c',
  timeout: Number(timeout),
  maxRetries: 0,
  hooks: { onDrift: record, onResponse: record },
  ...(engine === 'ky' && { fetch: globalThis.fetch }),
});

const used = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

for await (const _ of createInterface({ input: process.stdin })) {
  globalThis.gc?.();
  const before = used();
  let most = before;
  const look = () => {
    most = Math.max(most, used());
  };
  const watch = setInterval(look, 5);
  const started = performance.now();
  let settled = 'result';
  let what = 'result';
  try {
    await platform.payments.create(pix);
  } catch (error) {
    settled = isPaymentPlatformError(error) ? 'typed' : 'raw';
    what = error instanceof Error ? error.name : String(error);
  }
  const elapsed = performance.now() - started;
  look();
  clearInterval(watch);
  process.stdout.write(`${JSON.stringify({ settled, what, elapsed, memory: most - before })}\n`);
}
