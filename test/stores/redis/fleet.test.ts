import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createSandbox, type SandboxOptions } from 'payment-platform/sandbox';
import { afterAll, describe, expect, test } from 'vitest';
import { bundledScript } from '../../support/bundled-script.js';
import { libraryNames, redisLibraries, redisPrefix, redisUrl } from '../../support/redis.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();
const root = fileURLToPath(new URL('../../../', import.meta.url));
const script = bundledScript(new URL('../../support/share-limit.ts', import.meta.url));

describe.skipIf(redisUrl === '')('four processes over one Redis (set REDIS_URL to run these)', () => {
  const { prefix, removeKeys } = redisPrefix();
  afterAll(removeKeys);

  /** Starts a sandbox on a port and four processes with the same credential, two on each Redis client. */
  async function fleet(name: string, options: object, sandboxOptions: SandboxOptions = {}) {
    const sandbox = opens(createSandbox(sandboxOptions));
    const { baseUrl, clientId, clientSecret } = (await sandbox.listen()).clientOptions();
    const keys = `${prefix}${name}:`;
    const start = async (index: number) => {
      const library = libraryNames[index % libraryNames.length] as string;
      const args = [baseUrl, clientId, clientSecret, redisUrl, library, keys, JSON.stringify(options)];
      const child = spawn(process.execPath, [await script, ...args], {
        cwd: root,
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      opens({ close: () => void child.kill('SIGKILL') });
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      expect((await lines.next()).value).toBe('ready');
      const pass = (milliseconds: number) => void child.stdin.write(`pass ${milliseconds}\n`);
      const run = async (calls: number) => {
        child.stdin.write(`${calls}\n`);
        return JSON.parse((await lines.next()).value) as Record<
          'done' | 'rejected' | 'failed' | 'alone',
          number
        >;
      };
      return { run, pass };
    };
    const processes = await Promise.all([0, 1, 2, 3].map(start));
    /** Starts the given number of calls in each process, and returns the totals of all results so far. */
    const burst = async (calls: number) => {
      const all = await Promise.all(processes.map(({ run }) => run(calls)));
      const sum = (what: keyof (typeof all)[number]) => all.reduce((total, one) => total + one[what], 0);
      return { done: sum('done'), rejected: sum('rejected'), failed: sum('failed'), alone: sum('alone') };
    };
    const limited = () => sandbox.journal.requests.filter(({ path }) => path.includes('/submerchants'));
    /**
     * Advances time by a number of seconds, for the times in Redis and for the clocks of the processes and
     * the sandbox.
     */
    const pass = async (seconds: number) => {
      const { send, close } = await redisLibraries.ioredis();
      for (const key of (await send('KEYS', `${keys}*`)) as string[]) {
        const times = (await send('LRANGE', key, '0', '-1')) as string[];
        for (const [index, at] of times.entries())
          await send('LSET', key, String(index), String(Number(at) - seconds * 1_000_000));
      }
      close();
      for (const process of processes) process.pass(seconds * 1_000);
      await sandbox.clock.advance(seconds * 1_000);
    };
    return { burst, limited, pass };
  }

  test('send at most 10 requests a minute in total', async () => {
    const { burst, limited, pass } = await fleet(
      'together',
      { rateLimit: 'error', rateLimits: { submerchants: 10, onboarding: 'submerchants' } },
      { now: '2026-01-01T00:00:00Z' },
    );
    expect(await burst(50)).toEqual({ done: 10, rejected: 190, failed: 0, alone: 0 });
    expect(await burst(10)).toEqual({ done: 10, rejected: 230, failed: 0, alone: 0 });
    expect(limited().map(({ status }) => status)).not.toContain(429);
    expect(limited()).toHaveLength(10);
    await pass(59);
    expect(await burst(10)).toEqual({ done: 10, rejected: 270, failed: 0, alone: 0 });
    await pass(7);
    expect(await burst(50)).toEqual({ done: 20, rejected: 460, failed: 0, alone: 0 });
    expect(limited()).toHaveLength(20);
    expect(limited().map(({ status }) => status)).not.toContain(429);
  });

  test('create at most 5 sub-accounts and 5 registrations a minute in total by default', async () => {
    const { burst, limited } = await fleet(
      'defaults',
      { rateLimit: 'error' },
      { now: '2026-01-01T00:00:00Z', rateLimits: { submerchants: 5, onboarding: 5 } },
    );
    expect(await burst(50)).toEqual({ done: 10, rejected: 190, failed: 0, alone: 0 });
    expect(limited().filter(({ path }) => path.endsWith('/onboarding/pj'))).toHaveLength(5);
    expect(limited().map(({ status }) => status)).not.toContain(429);
  });

  test('complete all calls with rateLimit: wait, and send at most 10 in every window', async () => {
    const windowMs = 1_000;
    const { burst, limited } = await fleet(
      'waiting',
      {
        rateLimit: 'wait',
        rateLimits: { submerchants: 10, onboarding: 'submerchants' },
        timeout: 30_000,
        windowMs,
      },
      { rateLimits: false },
    );
    const start = Date.now();
    expect(await burst(8)).toEqual({ done: 32, rejected: 0, failed: 0, alone: 0 });
    // A request arrives after its reservation. A busy machine can delay it, but it is never early.
    const times = limited().map(({ at }) => new Date(at).getTime() - start);
    for (const [index, time] of times.sort((a, b) => a - b).entries())
      expect(time).toBeGreaterThanOrEqual(Math.floor(index / 10) * windowMs - 1);
  });
});
