import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { samples } from '../../sandbox/testing/index.js';
import type { Scenario } from './main.js';

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
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    try {
      const [target] = (await Promise.race([once(child, 'message'), ended])) as [Target];
      return await Promise.race([load(target, child, agent, part < 1 ? fewer : requests), ended]);
    } finally {
      ended.catch(() => undefined);
      agent.destroy();
      child.kill('SIGKILL');
    }
  },
};

async function load(target: Target, child: ChildProcess, agent: Agent, count: number) {
  const order = samples.payments.pix();
  const large = JSON.stringify({ ...order, amount: 1, metadata: { text: 'x'.repeat(900_000) } });
  const medium = JSON.stringify({ ...order, amount: 1, metadata: { text: 'x'.repeat(20_000) } });
  const small = JSON.stringify(order);
  let sent = 0;
  /**
   * Sends the next request. Of 1,000 requests, 1 has 900 kB, 20 have 20 kB, and 1 creates a payment. All
   * others are replays, rejections and reads.
   */
  const next = async (): Promise<void> => {
    const place = sent++;
    const turn = place % 1_000;
    if (turn === 0) await post(target, agent, large, 400);
    else if (turn <= 20) await post(target, agent, medium, 400);
    else if (turn === 21) await post(target, agent, small, 201, `order-${place}`);
    else if (turn < 300) await post(target, agent, small, place < 1_000 ? undefined : 200, 'order-repeated');
    else if (turn < 400) await send(target, agent, 'GET', '/v1/nowhere', undefined, 404);
    else await send(target, agent, 'GET', '/v1/webhooks', undefined, 200);
  };
  const until = async (goal: number) => {
    while (sent < goal) await next();
  };
  const tenths: number[] = [];
  let peak = 0;
  for (let tenth = 1; tenth <= 10; tenth++) {
    const goal = Math.round((count * tenth) / 10);
    const begun = performance.now();
    const before = sent;
    await Promise.all(Array.from({ length: connections }, () => until(goal)));
    tenths.push((goal - before) / ((performance.now() - begun) / 1_000));
    peak = Math.max(peak, (await measureMemory(child)).rss);
  }
  const { heapUsed, forgotten } = await measureMemory(child);
  const [first = 0] = tenths;
  const last = tenths.at(-1) ?? 0;
  // On a busy machine, a few thousand requests are less reliable than a hundred thousand.
  if (last < first * (count === requests ? 0.8 : 0.4))
    throw new Error(
      `The last tenth made ${last.toFixed(0)} requests a second, the first ${first.toFixed(0)}.`,
    );
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
  return {
    requests: count,
    'requests a second, first tenth': Math.round(first),
    'requests a second, last tenth': Math.round(last),
    'heap at the end, MB': megabytes(heapUsed),
    'largest resident memory, MB': megabytes(peak),
    'requests that the journal forgot': forgotten,
  };
}

async function measureMemory(child: ChildProcess): Promise<Memory> {
  const message = once(child, 'message');
  child.send('memory');
  const [memory] = (await message) as [Memory];
  return memory;
}

const post = (target: Target, agent: Agent, body: string, status: number | undefined, key?: string) =>
  send(target, agent, 'POST', '/v1/payments', body, status, key);

async function send(
  { baseUrl, clientId, clientSecret }: Target,
  agent: Agent,
  method: string,
  path: string,
  body: string | undefined,
  expected: number | undefined,
  key?: string,
): Promise<void> {
  const headers = {
    'client-id': clientId,
    'client-secret': clientSecret,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
    ...(key !== undefined && { 'x-idempotency-key': key }),
  };
  const sending = request(baseUrl + path, { agent, method, headers });
  sending.end(body);
  const [response] = await once(sending, 'response');
  await text(response);
  if (expected !== undefined && response.statusCode !== expected)
    throw new Error(`${method} ${path} got ${response.statusCode}, not ${expected}.`);
}
