import { createServer } from 'node:net';
import { PaymentPlatform } from 'payment-platform';
import { pix } from './payments.js';

/**
 * Runs in a process that has loaded nothing. Makes calls with a deadline in milliseconds to a server that
 * never responds. Prints the milliseconds between the last call's deadline and its end. The engine `fetch` is
 * the runtime's own fetch, for comparison.
 */
const [engine = '', timeout = '', count = ''] = process.argv.slice(2);
const server = createServer((socket) => socket.on('error', () => undefined));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
const platform = new PaymentPlatform({
  baseUrl: `http://127.0.0.1:${port}`,
  clientId: 'merchant-1',
  clientSecret: 'not-a-real-secret',
  timeout: Number(timeout),
  maxRetries: 0,
  ...(engine === 'ky' && { fetch: globalThis.fetch }),
});
const url = `http://127.0.0.1:${port}/v1/payments`;
const send = () =>
  engine === 'fetch'
    ? fetch(url, { method: 'POST', body: JSON.stringify(pix), signal: AbortSignal.timeout(Number(timeout)) })
    : platform.payments.create(pix);
let late = 0;
const outcomes = new Set<string>();
const call = async () => {
  const started = performance.now();
  const error = await send().catch((thrown: Error) => thrown);
  late = Math.max(late, performance.now() - started - Number(timeout));
  outcomes.add(error instanceof Error ? error.name : 'a result');
};
if (count !== '1') await call();
late = 0;
await Promise.all(Array.from({ length: Number(count) }, call));
process.stdout.write(JSON.stringify({ late, outcomes: [...outcomes] }));
process.exit(0);
