import { createInterface } from 'node:readline';
import { PaymentPlatform, type RateLimitStore, redisRateLimitStore } from 'payment-platform';
import { type RedisLibrary, redisLibraries } from './redis.js';

/**
 * One process of a fleet: says that it is ready, and for each line with a number makes that number of calls at once,
 * sub-accounts and onboarding in turn; for `pass` and a number its clock moves by that number of milliseconds. Prints
 * how many got through, were refused by the client's own limit, failed otherwise, and were counted without the
 * store. Its clock and its timers are slower than the world's: on a busy machine it holds no store for dead that
 * only waits for its turn.
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
/** A window that a test can wait for. */
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

const outcomes = { done: 0, refused: 0, failed: 0 };
const one = (index: number) =>
  index % 2 === 0
    ? platform.submerchants.create({ documentNumber: '12345678909' })
    : platform.onboarding.submitPj({ email: 'ana@example.com' });
const call = (index: number) =>
  one(index).then(
    () => outcomes.done++,
    ({ name, attempts }) => {
      const isOwn = name === 'RateLimitError' && attempts === 0;
      outcomes[isOwn ? 'refused' : 'failed']++;
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
