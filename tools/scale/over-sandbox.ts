import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { samples } from '../../sandbox/testing/index.js';
import type { Figures, Scenario } from './main.js';

const requests = 1_000_000;
/** Requests without `--full`: enough for the journal to drop entries. */
const fewer = 30_000;
const connections = 16;
/** Megabytes of the sandbox's heap. The process ends if it needs more. */
const heap = 256;

interface Target {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
  readonly forgotten: number;
}

const order = samples.payments.pix();
const small = JSON.stringify(order);
/** Creates an order that the sandbox rejects. */
const large = (length: number) =>
  JSON.stringify({ ...order, amount: 1, metadata: { text: 'x'.repeat(length) } });

type Call = readonly [request: string, status: number, body?: string, key?: string];
const reads: Call = ['GET /v1/webhooks', 200];
const misses: Call = ['GET /v1/nowhere', 404];
const rejected20: Call = ['POST /v1/payments', 400, large(20_000)];
const rejected900: Call = ['POST /v1/payments', 400, large(900_000)];

/**
 * Chooses a request by its place. Of 1,000 requests, 1 has 900 kB, 20 have 20 kB, and 1 creates a payment. All
 * others are replays, rejections and reads.
 */
function chooseCall(place: number): Call {
  const turn = place % 1_000;
  if (turn === 0) return rejected900;
  if (turn <= 20) return rejected20;
  if (turn === 21) return ['POST /v1/payments', 201, small, `order-${place}`];
  if (turn < 300) return ['POST /v1/payments', 200, small, 'order-repeated'];
  return turn < 400 ? misses : reads;
}

/** Sends a sandbox on a port a million requests of mixed sizes. Its memory is bounded, and it stays fast. */
export const overSandbox: Scenario = {
  name: 'sandbox',
  needs: 'nothing',
  isThere: true,
  async run({ part }) {
    const script = fileURLToPath(new URL('./sandbox-process.ts', import.meta.url));
    const child = fork(script, {
      execArgv: ['--import', 'tsx', '--expose-gc', `--max-old-space-size=${heap}`],
    });
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`The sandbox ended with ${code ?? signal}.`);
    });
    try {
      const [target] = (await Promise.race([once(child, 'message'), ended])) as [Target];
      return await Promise.race([load(target, child, part < 1 ? fewer : requests), ended]);
    } finally {
      ended.catch(() => undefined);
      child.kill('SIGKILL');
    }
  },
};

async function load(target: Target, child: ChildProcess, count: number): Promise<Figures> {
  const { baseUrl, clientId, clientSecret } = target;
  const pool = new Pool(baseUrl, { connections });
  const send = async ([request, status, body, key]: Call) => {
    const [method, path = '/'] = request.split(' ') as ['GET' | 'POST', string];
    const headers = {
      'client-id': clientId,
      'client-secret': clientSecret,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'x-idempotency-key': key }),
    };
    const response = await pool.request({ method, path, headers, body: body ?? null });
    await response.body.dump();
    if (response.statusCode !== status)
      throw new Error(`${request} got ${response.statusCode}, not ${status}.`);
  };
  const measureMemory = async () => {
    const message = once(child, 'message');
    child.send('memory');
    return ((await message) as [Memory])[0];
  };
  await send(['POST /v1/payments', 201, small, 'order-repeated']);
  let sent = 0;
  const rates: number[] = [];
  let peak = 0;
  for (let tenth = 1; tenth <= 10; tenth++) {
    const goal = Math.round((count * tenth) / 10);
    const [begun, before] = [performance.now(), sent];
    const lane = async () => {
      while (sent < goal) await send(chooseCall(sent++));
    };
    await Promise.all(Array.from({ length: connections }, lane));
    rates.push((goal - before) / ((performance.now() - begun) / 1_000));
    peak = Math.max(peak, (await measureMemory()).rss);
  }
  const { heapUsed, forgotten } = await measureMemory();
  await pool.close();
  const [first = 0, last = 0] = [rates[0], rates.at(-1)].map((rate) => Math.round(rate ?? 0));
  // On a busy machine, a few thousand requests are less reliable than a hundred thousand.
  if (last < first * (count === requests ? 0.8 : 0.4))
    throw new Error(`The last tenth made ${last} requests a second, the first ${first}.`);
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
  return {
    requests: count,
    'requests a second, first tenth': first,
    'requests a second, last tenth': last,
    'heap at the end, MB': megabytes(heapUsed),
    'largest resident memory, MB': megabytes(peak),
    'requests that the journal forgot': forgotten,
  };
}
