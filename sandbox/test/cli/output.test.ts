import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxServer } from '../../index.js';
import { call, pay, pix, startOfYear } from '../support.js';
import { builtCommand, type Ended, Running, readyFrom, run, toTarget } from './support.js';

let command: string;
let sandbox: Sandbox;
let server: SandboxServer;
beforeAll(async () => {
  command = await builtCommand();
  sandbox = createSandbox({ now: startOfYear });
  server = await sandbox.listen();
  await pay(sandbox, pix({ externalId: '\u202egnp.exe \u2066\u061c\u0085\u2028' }));
});
afterAll(() => sandbox.close());

/** Runs a command whose output is a file or a closed pipe. */
async function runInto(
  args: readonly string[],
  output: number | 'closed pipe',
): Promise<Omit<Ended, 'stdout'>> {
  const isPipe = output === 'closed pipe';
  const child = spawn(process.execPath, [command, ...args], {
    stdio: ['ignore', isPipe ? 'pipe' : output, 'pipe'],
    env: { ...process.env, PAYMENT_PLATFORM_BASE_URL: server.url },
  });
  child.stdout?.destroy();
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += String(text);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}

describe('a command whose output pipe closes', () => {
  test.each([[['payments']], [['status', '--json']], [['advance', '1s']], [['--help']]])(
    'exits with 0 and prints no error: %j (row 76)',
    async (args) => {
      expect(await runInto(args, 'closed pipe')).toEqual({ code: 0, stderr: '' });
    },
  );

  test('exits with 0 even if its output would never end, and leaves no webhook endpoint (row 76)', async () => {
    expect(await runInto(['journal', '--follow'], 'closed pipe')).toEqual({ code: 0, stderr: '' });
    expect(await runInto(['webhooks', 'listen'], 'closed pipe')).toEqual({ code: 0, stderr: '' });
    expect(sandbox.webhooks.endpoints).toEqual([]);
  });

  test('still exits with 4 if the sandbox rejects its request (row 76)', async () => {
    const ended = await runInto(['pay', 'nothing'], 'closed pipe');
    expect([ended.code, ended.stderr]).toEqual([4, expect.stringContaining('nothing')]);
  });

  test('does not stop the sandbox that the command started (row 76)', async () => {
    const running = new Running(command, ['sandbox', '--port', '0']);
    const { url, clientId, clientSecret } = readyFrom(await running.until(/CLIENT_SECRET/));
    running.child.stdout.destroy();
    const target = toTarget({ url, clientId, clientSecret, page: '' });
    expect((await call(target, '/v1/payments', { body: pix() })).status).toBe(201);
    expect(await running.end()).toEqual({ code: 0, stderr: '' });
  });
});

describe.skipIf(!existsSync('/dev/full'))('a command whose output disk is full', () => {
  const intoFull = async (args: readonly string[]) => {
    const full = openSync('/dev/full', 'w');
    try {
      return await runInto(args, full);
    } finally {
      closeSync(full);
    }
  };

  test.each([[['payments']], [['status', '--json']], [['--help']], [['advance', '1s']]])(
    'reports the full disk once, without a stack: %j (row 76)',
    async (args) => {
      const { code, stderr } = await intoFull(args);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^The output cannot be written: .*no space left on device.*\n$/);
    },
  );

  test('does not stop the sandbox that the command started (row 76)', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [command, 'sandbox', '--port', '0'], {
      stdio: ['ignore', full, 'pipe'],
    });
    const [chunk] = (await once(child.stderr as NonNullable<typeof child.stderr>, 'data')) as [Buffer];
    expect(String(chunk)).toContain('The output cannot be written');
    expect(child.exitCode).toBe(null);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([1, null]);
    closeSync(full);
  });
});

test('characters that change the writing direction are escaped in every output', async () => {
  const env = { PAYMENT_PLATFORM_BASE_URL: server.url };
  const id = String(sandbox.control.payments.list().at(-1)?.id);
  for (const args of [
    ['payments'],
    ['payments', '--json'],
    ['show', id],
    ['show', id, '--json'],
    ['journal', '--json'],
  ]) {
    const { stdout } = await run(command, args, { env });
    expect(stdout).toContain('\\u202egnp.exe');
    expect(stdout).not.toMatch(/[\p{Bidi_Control}\u0085\u2028]/u);
    if (args.includes('--json')) expect(JSON.stringify(JSON.parse(stdout))).toContain('\u202egnp.exe');
  }
  const { stderr } = await run(command, ['\u202epay'], { env });
  expect(stderr).toContain('\\u202epay');
});
