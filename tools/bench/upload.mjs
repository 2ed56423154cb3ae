/**
 * Uploads over an engine in one process, for `uploads.mjs`. Arguments: the address, the engine, MB and the
 * number of parallel uploads.
 */
import { readFileSync } from 'node:fs';
import { PaymentPlatform } from '../../dist/index.js';

const [baseUrl, engine, megabytes, count] = process.argv.slice(2);
const platform = new PaymentPlatform({
  baseUrl,
  clientId: 'merchant',
  clientSecret: 'not-a-real-secret',
  timeout: 240_000,
  ...(engine === 'fetch' && { fetch: globalThis.fetch }),
});
const made = () => {
  let left = Number(megabytes) * 16;
  return new ReadableStream({
    pull: (controller) => (left-- > 0 ? controller.enqueue(new Uint8Array(65_536)) : controller.close()),
  });
};
const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const send = (content) =>
  platform.onboarding.resendDocuments(
    id,
    { selfie: { content, contentType: 'image/jpeg' } },
    { checkStatus: false },
  );
/** Reads this process's peak memory in MB. */
const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1_000;

await send(new Uint8Array(1_000));
const before = peak();
let late = 0;
let last = performance.now();
const timer = setInterval(() => {
  late = Math.max(late, performance.now() - last - 10);
  last = performance.now();
}, 10);
const started = performance.now();
await Promise.all(Array.from({ length: Number(count) }, () => send(made)));
const seconds = (performance.now() - started) / 1_000;
clearInterval(timer);
console.log(JSON.stringify({ engine: platform.engine, grown: peak() - before, late, seconds }));
platform.close();
