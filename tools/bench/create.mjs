/** Measures one contender in a separate process: the CPU of one create, with many in flight. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { credentials, intent, intentOrder, order, payment } from './samples.mjs';

const inFlight = 50;

/**
 * The number of calls for warming up, and for measuring. Contenders without a target make fewer calls,
 * because they are slow.
 */
const many = { warmUp: 8000, measured: 6000 };
const few = { warmUp: 4000, measured: 1000 };

/** The headers that our client sends in addition to the framing. */
const headers = {
  accept: 'application/json',
  'user-agent': 'payment-platform/0.0.0',
  'content-type': 'application/json',
  'x-idempotency-key': '0c7b4f0e-3a55-4c6f-8a52-94d1c1a0c1de',
  'client-id': credentials.clientId,
  'client-secret': credentials.clientSecret,
};

/**
 * Each contender prepares its client and returns one call, which resolves to the parsed response.
 *
 * @type {Record<string, (port: number) => Promise<() => Promise<{ id: string }>>>}
 */
const contenders = {
  async bare(port) {
    const agent = new http.Agent({
      keepAlive: true,
      maxSockets: 100,
      maxFreeSockets: 32,
      scheduling: 'lifo',
    });
    const target = { hostname: '127.0.0.1', port, agent, method: 'POST', path: '/v1/payments', headers };
    return () =>
      new Promise((resolve, reject) => {
        const request = http.request(target, (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
        });
        request.on('error', reject);
        request.end(JSON.stringify(order));
      });
  },

  async fetch(port) {
    const url = `http://127.0.0.1:${port}/v1/payments`;
    return async () => {
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(order) });
      return response.json();
    };
  },

  node: (port) => ours(port, {}),

  ky: (port) => ours(port, { fetch: globalThis.fetch }),

  async stripe(port) {
    const { default: Stripe } = await import('stripe');
    const client = new Stripe('sk_test_bench', {
      host: '127.0.0.1',
      port,
      protocol: 'http',
      timeout: 30_000,
      maxNetworkRetries: 2,
      // stripe's telemetry would leave a file in the home directory, and costs some CPU time.
      telemetry: false,
    });
    return () => client.paymentIntents.create(intentOrder);
  },
};

/** Creates our client with only the required options. */
async function ours(port, options) {
  const { PaymentPlatform } = await import('../../dist/index.js');
  const platform = new PaymentPlatform({
    baseUrl: `http://127.0.0.1:${port}`,
    ...credentials,
    maxRetries: 2,
    ...options,
  });
  return () => platform.payments.create(order);
}

/** Keeps `inFlight` calls running until `count` are done. */
async function run(call, count) {
  let left = count;
  const lane = async () => {
    while (left-- > 0) {
      const { id } = await call();
      if (typeof id !== 'string') throw new TypeError('the response has no id');
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

const [name, port] = process.argv.slice(2);
const call = await contenders[name](Number(port));
assert.deepEqual(await call(), name === 'stripe' ? intent : payment);
const { warmUp, measured } = ['fetch', 'ky'].includes(name) ? few : many;
await run(call, warmUp);
const before = process.cpuUsage();
await run(call, measured);
const { user, system } = process.cpuUsage(before);
process.send({ micros: (user + system) / measured }, () => process.exit());
