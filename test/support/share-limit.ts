import { createInterface } from 'node:readline';
import { PaymentPlatform, type RateLimitStore, redisRateLimitStore } from 'payment-platform';
import { type RedisLibrary, redisLibraries } from './redis.js';

/**
 * Runs one process of a fleet. The process reports that it is ready. For each line with a number it makes
 * that many
 * calls at once, sub-accounts and onboarding in turn; for `pass` and a number it advances its clock by that
 * many
 * milliseconds. It prints the numbers of calls that succeeded, that the client's own limit rejected, that
 * failed
 * otherwise, and that were counted without the store. Its clock and timers run slower than real time, so that
 * on a
 * busy machine a slow store does not count as a dead store.
 */
const [
  baseUrl = '',
  clientId = '',
  clientSecret = '',
  redisUrl = '',
  library = '',
  prefix = '',
  options = '',
] = process.argv.slice(2);
const { rateLimit, rateLimits, timeout, windowMs } = JSON.parse(options);
const slowness = 20;
const clock = performance.now.bind(performance);
const timer = globalThis.setTimeout;
let passed = 0;
performance.now = () => clock() / slowness + passed;
globalThis.setTimeout = ((done: () => void, milliseconds = 0) =>
  timer(done, milliseconds * slowness)) as typeof setTimeout;

const { client, send } = await redisLibraries[library as RedisLibrary](redisUrl);
const redis = redisRateLimitStore(client, { prefix });
/** A window that is short enough for a test to wait for. */
const shortWindow: RateLimitStore = {
  reserve: async (key, limit) => (await redis.reserve(key, limit, windowMs)) / slowness,
};
const store = windowMs === undefined ? redis : shortWindow;
let alone = 0;
const platform = new PaymentPlatform({
  baseUrl,
  clientId,
  clientSecret,
  rateLimit,
  rateLimits: { ...rateLimits, store },
  timeout,
  maxRetries: 0,
  hooks: { onRateLimitFallback: () => void alone++ },
});
await send('PING');
await platform.domains.list();
process.stdout.write('ready\n');

const outcomes = { done: 0, rejected: 0, failed: 0 };
const one = (index: number) =>
  index % 2 === 0
    ? platform.submerchants.create({ documentNumber: '12345678909' })
    : platform.onboarding.submitPj({ email: 'ana@example.com' });
const call = (index: number) =>
  one(index).then(
    () => outcomes.done++,
    ({ name, attempts }) => {
      const isOwn = name === 'RateLimitError' && attempts === 0;
      outcomes[isOwn ? 'rejected' : 'failed']++;
    },
  );
for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith('pass ')) {
    passed += Number(line.slice('pass '.length));
    continue;
  }
  await Promise.all(Array.from({ length: Number(line) }, (_, index) => call(index)));
  process.stdout.write(`${JSON.stringify({ ...outcomes, alone })}\n`);
}
