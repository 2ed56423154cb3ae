/**
 * Runs two builds of this package in one process. They alternate every few milliseconds, so that a slow
 * moment of the machine affects both. Reports the first build's CPU time relative to the second's, as the
 * median of all turns. `planted` adds this share of wasted work to each turn of the first build, to test the
 * comparison.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { credentials, median, order, secret } from './samples.mjs';

const [what, first, second, port, planted] = process.argv.slice(2);
const inFlight = 25;

/** Makes a call `count` times, with some calls in parallel. */
async function many(count, call) {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

/**
 * Each measure prepares one turn of a build.
 *
 * @type {Record<string, (dist: string) => Promise<() => unknown>>}
 */
const measures = {
  create: (dist) => creates(dist, {}),
  'create over fetch': (dist) => creates(dist, { fetch: globalThis.fetch }),

  async receive(dist) {
    const { createReceiver, toNodeHandler } = await import(`${dist}/webhooks.js`);
    const receiver = createReceiver({ secret, on: { 'transaction.paid': () => undefined } });
    const server = createServer(toNodeHandler(receiver)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // The parent sends the deliveries, so that their CPU time is not counted for the receiver.
    return async () => {
      process.send({ deliver: server.address().port });
      await once(process, 'message');
    };
  },
};

async function creates(dist, options) {
  const { PaymentPlatform } = await import(`${dist}/index.js`);
  const baseUrl = `http://127.0.0.1:${port}`;
  const platform = new PaymentPlatform({ baseUrl, ...credentials, maxRetries: 2, ...options });
  return () => many(100, () => platform.payments.create(order));
}

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

async function measureCpu(turn, extra) {
  const before = cpu();
  await turn();
  for (const until = before + (cpu() - before) * (1 + extra); cpu() < until; );
  return cpu() - before;
}

const turns = { create: 70, 'create over fetch': 40, receive: 50 }[what];
const sides = [await measures[what](first), await measures[what](second)];
for (let warm = turns / 2; warm > 0; warm--) for (const turn of sides) await turn();
const ratios = [];
for (let pair = 0; pair < turns; pair++) {
  const order = pair % 2 === 0 ? [0, 1] : [1, 0];
  const micros = [0, 0];
  for (const side of order) micros[side] = await measureCpu(sides[side], side === 0 ? Number(planted) : 0);
  ratios.push(micros[0] / micros[1]);
}
process.send({ cost: median(ratios) }, () => process.exit());
