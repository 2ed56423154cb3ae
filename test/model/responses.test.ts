import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundledScript } from '../support/bundled-script.js';
import { eventually } from '../support/eventually.js';
import { load, runs, seed } from '../support/load.js';
import { encodeResponse, type ResponsePlan } from '../support/random-responses.js';
import { rawServer } from '../support/raw-server.js';

// Sends random responses, most of them hostile, to a client in its own process, and measures memory and time.

/** The time limit of a call, in milliseconds. */
const timeout = 300;
// Tolerates the delay that other programs on the machine cause, in milliseconds. A longer delay means that the
// deadline does not work.
const slack = 5_000;

/** The bytes of memory that a call can use per received byte, in addition to the engine's own memory. */
const perByte = 40;
const besides = 24 * 1024 * 1024;

/** The largest accepted decompressed body, in bytes. */
const largestBody = 10 * 1024 * 1024;
const mostMemory = (received: number, isCompressed: boolean) =>
  besides + perByte * received + (isCompressed ? 4 * largestBody : 0);

const plan: fc.Arbitrary<ResponsePlan> = fc.record({
  status: fc.constantFrom(200, 201, 204, 400, 401, 404, 409, 422, 429, 500, 502, 503),
  content: fc.oneof(
    fc.record({
      kind: fc.constantFrom(
        'nest',
        'list',
        'objects',
        'keys',
        'digits',
        'text',
        'pins',
        'escapes',
        'page',
        'noise',
      ),
      size: fc.constantFrom(10, 1_000, 30_000, 62_000, 70_000, 400_000, 3_000_000),
    }),
    fc.record({
      kind: fc.constant('json' as const),
      value: fc.jsonValue({ maxDepth: 5 }),
      size: fc.constant(0),
    }),
  ),
  framing: fc.constantFrom('length', 'length', 'chunked', 'close', 'short', 'stall'),
  /** Bytes per chunk. */
  chunk: fc.constantFrom(1, 7, 4_096, 1_000_000),
  encoding: fc.constantFrom('none', 'none', 'none', 'gzip', 'gzip-bomb', 'broken-gzip', 'unknown'),
  type: fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'text/html',
    'text/plain',
    '\u0080\u00ff',
    '',
  ),
  prefix: fc.constantFrom('', '', '', '\ufeff', '\0', '\u001b[2J', ' \n'),
});

interface CallReport {
  readonly settled: 'result' | 'typed' | 'raw';
  readonly elapsed: number;
  readonly memory: number;
  readonly what: string;
}

/** Starts a process that makes one call per input line and reports the result. */
async function caller(engine: string, url: string) {
  const script = await bundledScript(new URL('../support/watched-client.ts', import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', script, engine, url, String(timeout)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async call(): Promise<CallReport> {
      child.stdin.write('call\n');
      const { value, done } = await lines.next();
      if (done) throw new Error('the process of the client ended');
      return JSON.parse(value) as CallReport;
    },
    async close() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

describe.each(['node', 'ky'])('on the %s engine', (engine) => {
  let current: Buffer = Buffer.alloc(0);
  let keepsOpen = false;
  let server: Awaited<ReturnType<typeof rawServer>>;
  let client: Awaited<ReturnType<typeof caller>>;

  const plainCall = () => {
    keepsOpen = false;
    current = encodeResponse({
      status: 200,
      content: { kind: 'json', value: {}, size: 0 },
      framing: 'length',
      chunk: 1,
      encoding: 'none',
      type: 'application/json',
      prefix: '',
    });
    return client.call();
  };

  beforeAll(async () => {
    server = await rawServer(({ socket }) => (keepsOpen ? socket.write(current) : socket.end(current)));
    client = await caller(engine, server.url);
    await plainCall();
  });
  afterAll(async () => {
    await client.close();
    await server.close();
  });

  test('every response causes one typed error or a result, in limited time and memory (row 15)', {
    timeout: 300_000 * load,
  }, async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(plan, async (responsePlan) => {
        current = encodeResponse(responsePlan);
        keepsOpen = responsePlan.framing === 'stall';
        const report = await client.call();
        seen.add(report.what);
        expect(report.settled, report.what).not.toBe('raw');
        expect(report.memory, `memory for ${current.length} bytes`).toBeLessThanOrEqual(
          mostMemory(current.length, responsePlan.encoding.includes('gzip')),
        );
        expect(report.elapsed, 'milliseconds').toBeLessThanOrEqual(timeout + slack);
      }),
      { seed, numRuns: runs(30), endOnFailure: true },
    );
    expect([...seen]).toEqual(
      expect.arrayContaining(['UnreadableResponseError', 'ServerError', 'TimeoutError']),
    );
    await eventually(async () => expect((await plainCall()).what).toBe('result'));
  });
});
