import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { version } from '../../../src/version.js';
import { verify } from '../../../src/webhooks/index.js';
import { call, openCard, pay, pix, startReceiver } from '../support.js';
import { builtCommand, Running, readyFrom, run, startSandbox, toTarget } from './support.js';

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('payment-platform sandbox', () => {
  test('prints at most 20 lines, and its curl example creates only one payment if it runs twice', async () => {
    const sandbox = new Running(command, ['sandbox', '--port', '0']);
    const lines = await sandbox.until(/Ctrl-C ends/);
    expect(lines.length).toBeLessThanOrEqual(20);
    const ready = readyFrom(lines);
    expect(ready.page).toBe(`${ready.url}/_sandbox/`);
    expect(lines.join('\n')).toContain('new ones in every run; --seed 1 repeats them');
    expect((await pay(toTarget(ready), pix())).status).toBe(201);
    const start = lines.findIndex((line) => line.includes('curl '));
    const paste = () => String(spawnSync('sh', ['-c', lines.slice(start, start + 3).join('\n')]).stdout);
    const first = JSON.parse(paste());
    expect(first).toMatchObject({ status: 'waiting_payment', externalReference: 'order-1042' });
    expect(JSON.parse(paste()).id).toBe(first.id);
    expect(await sandbox.end()).toEqual({ code: 0, stderr: '' });
  });

  test('says that --seed repeats the ids, and quotes the credentials for the shell', async () => {
    const odd = "it's a secret";
    const sandbox = new Running(command, ['sandbox', '--port', '0', '--seed', '7'], {
      SANDBOX_CLIENT_SECRET: odd,
    });
    const lines = await sandbox.until(/Ctrl-C ends/);
    expect(lines.join('\n')).toContain('those of seed 7, in every run');
    const exports = lines.filter((line) => line.includes('export ')).join('\n');
    const { stdout } = spawnSync('sh', ['-c', `${exports}\nprintf %s "$PAYMENT_PLATFORM_CLIENT_SECRET"`]);
    expect(String(stdout)).toBe(odd);
  });

  test('prints a line for each request and each delivery, including rejections', async () => {
    const receiver = await startReceiver((count) => (count === 1 ? 200 : 500));
    const sandbox = new Running(command, ['sandbox', '--port', '0', '--webhook', receiver.url]);
    const target = toTarget(readyFrom(await sandbox.until(/Ctrl-C ends/)));
    await sandbox.line();
    const { body } = await pay(target, pix({ colour: 'blue' }));
    expect(await sandbox.line()).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d  POST /v1/payments 201  \\d+ ms  ${body.id}  ignored: colour$`),
    );
    await sandbox.until(new RegExp(`→ transaction.waiting_payment 200  \\d+ ms  ${body.id}$`));
    await pay(target, pix({ amount: 1 }));
    await sandbox.until(/POST \/v1\/payments 400 {2}\d+ ms {2}amount must be at least 100 cents/);
    const paid = await pay(target, openCard());
    await sandbox.until(new RegExp(`→ transaction.paid 500  \\d+ ms  ${paid.body.id}$`));
  });

  test('prints no requests with --quiet, and one JSON object per request with --json', async () => {
    const { process, ...ready } = await startSandbox(command);
    await pay(toTarget(ready), pix());
    expect(JSON.parse(await process.line())).toMatchObject({
      kind: 'response',
      method: 'POST',
      path: '/v1/payments',
      status: 201,
      duration: expect.any(Number),
    });
    const quiet = new Running(command, ['sandbox', '--port', '0', '--quiet']);
    const target = toTarget(readyFrom(await quiet.until(/Ctrl-C ends/)));
    await quiet.line();
    await pay(target, pix());
    quiet.child.kill('SIGINT');
    await expect(quiet.line()).rejects.toThrow('The command has ended');
  });

  test.skipIf(process.platform !== 'linux')(
    'ends after the npx process that started it is killed',
    async () => {
      const env = { ...process.env, npm_command: 'exec' };
      // Imitates npx, which runs the command in a shell.
      const npx = `const { spawn } = require('node:child_process');
      spawn('sh', ['-c', '"$0" "$1" sandbox --port 0 --json; true', process.execPath, ${JSON.stringify(command)}], { stdio: 'inherit' });`;
      const child = spawn(process.execPath, ['-e', npx], { env });
      const [line] = await once(child.stdout, 'data');
      const { url } = JSON.parse(String(line));
      expect((await fetch(`${url}/_sandbox/info`)).status).toBe(200);
      child.kill('SIGKILL');
      // The command's end of the pipe closes with the command.
      await once(child.stdout, 'close');
      await expect(fetch(`${url}/_sandbox/info`)).rejects.toThrow('fetch failed');
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'ends if the npx process is killed while the command loads',
    async () => {
      const folder = folderForTest();
      // Kills npx, the shell's parent, when the command's entry loads the main module.
      const hooks = join(folder, 'hooks.mjs');
      writeFileSync(
        hooks,
        `export async function load(url, context, next) {
        if (/[/]main-[^/]*$/.test(url)) process.kill(Number(process.env.NPX), 'SIGKILL');
        return next(url, context);
      }`,
      );
      const preload = join(folder, 'preload.mjs');
      writeFileSync(
        preload,
        `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(hooks))});`,
      );
      const npx = `const { spawn } = require('node:child_process');
      const line = '"$0" --import "$1" "$2" sandbox --port 0 --json; true';
      const args = ['-c', line, process.execPath, ${JSON.stringify(preload)}, ${JSON.stringify(command)}];
      spawn('sh', args, { stdio: 'inherit', env: { ...process.env, NPX: process.pid } });`;
      const env = { ...process.env, npm_command: 'exec' };
      const child = spawn(process.execPath, ['-e', npx], { env });
      const [, signal] = await once(child, 'exit');
      expect(signal).toBe('SIGKILL');
      // The command writes to the same pipe, and ends without help from the test.
      for await (const _ of child.stdout);
    },
  );

  test('prints one line with four fields at its start if --json is set', async () => {
    const { process, ...ready } = await startSandbox(command);
    expect(Object.keys(ready)).toEqual(['url', 'clientId', 'clientSecret', 'page']);
    expect((await pay(toTarget(ready), pix())).status).toBe(201);
    expect(await process.end('SIGTERM')).toEqual({ code: 0, stderr: '' });
  });

  test('prints the same ids, secrets and times if --seed and --now are the same', async () => {
    const args = ['--seed', '7', '--now', '2026-01-01T00:00:00Z'];
    const payments = await Promise.all(
      [1, 2].map(async () => {
        const sandbox = await startSandbox(command, args);
        const { body } = await pay(toTarget(sandbox), pix());
        return { body, clientSecret: sandbox.clientSecret };
      }),
    );
    expect(payments[0]).toEqual(payments[1]);
    expect(payments[0]?.body.createdAt).toBe('2026-01-01T00:00:00.000Z');
    expect((await startSandbox(command)).clientSecret).not.toBe(payments[0]?.clientSecret);
  });

  test('reads its credentials from the environment', async () => {
    const env = { SANDBOX_CLIENT_ID: 'me', SANDBOX_CLIENT_SECRET: 'mine' };
    expect(await startSandbox(command, [], env)).toMatchObject({ clientId: 'me', clientSecret: 'mine' });
  });

  test('registers an endpoint for --webhook, and prints the secret that it created', async () => {
    const receiver = await startReceiver();
    const { webhookSecret, ...ready } = await startSandbox(command, ['--webhook', receiver.url]);
    await pay(toTarget(ready), openCard());
    await receiver.until(2);
    expect(webhookSecret).toMatch(/^sandbox-webhook-secret-[0-9a-f]{32}$/);
    for (const { body, headers } of receiver.received)
      expect(verify({ body, headers }, String(webhookSecret)).event).toMatch(/^transaction\./);
  });

  test('does not print a secret from the environment', async () => {
    const receiver = await startReceiver();
    const env = { PAYMENT_PLATFORM_WEBHOOK_SECRET: 'canary-0123456789abcdef' };
    const { process, ...ready } = await startSandbox(command, ['--webhook', receiver.url], env);
    expect(ready).toMatchObject({ clientId: expect.any(String), clientSecret: expect.any(String) });
    expect(JSON.stringify(ready)).not.toContain('canary');
    await pay(toTarget(ready), openCard());
    await receiver.until(1);
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
    expect(verify({ body, headers }, env.PAYMENT_PLATFORM_WEBHOOK_SECRET).event).toBe('transaction.paid');
    await process.end();
  });

  test('continues from its saved state, even after kill -9, and discards that state with --fresh', async () => {
    const file = join(folderForTest(), 'sandbox.state');
    const first = await startSandbox(command, ['--state', file]);
    const { body } = await pay(toTarget(first), pix(), 'key-1');
    await first.process.end('SIGKILL');
    const second = await startSandbox(command, ['--state', file]);
    expect(second.clientSecret).toBe(first.clientSecret);
    const again = await pay(toTarget(second), pix(), 'key-1');
    expect([again.status, again.body.id]).toEqual([200, body.id]);
    await second.process.end();
    const third = await startSandbox(command, ['--state', file, '--fresh']);
    expect((await pay(toTarget(third), pix(), 'key-1')).status).toBe(201);
    expect(third.clientSecret).not.toBe(first.clientSecret);
  });

  test('registers only one endpoint for --webhook, even after a restart', async () => {
    const file = join(folderForTest(), 'sandbox.state');
    const receiver = await startReceiver();
    const args = ['--state', file, '--webhook', receiver.url];
    const first = await startSandbox(command, args);
    await first.process.end();
    const second = await startSandbox(command, args);
    expect(second.webhookSecret).toBeUndefined();
    const { body } = await call(toTarget(second), '/v1/webhooks');
    expect(body.data).toHaveLength(1);
  });

  test('does not overwrite a file that is not a state file', async () => {
    const file = join(folderForTest(), 'package.json');
    writeFileSync(file, '{"name":"mine"}');
    const ended = await run(command, ['sandbox', '--port', '0', '--state', file]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('is not the state of a sandbox');
    expect(readFileSync(file, 'utf8')).toBe('{"name":"mine"}');
    const fresh = await run(command, ['sandbox', '--port', '0', '--state', file, '--fresh']);
    expect(fresh.code).toBe(2);
    expect(fresh.stderr).toContain('is not the state of a sandbox');
    expect(readFileSync(file, 'utf8')).toBe('{"name":"mine"}');
  });

  test('does not start with the state file of a running sandbox, which stays unchanged', async () => {
    const file = join(folderForTest(), 'sandbox.state');
    const first = await startSandbox(command, ['--state', file]);
    await pay(toTarget(first), pix(), 'key-1');
    const { port } = new URL(first.url);
    for (const args of [
      ['--port', port, '--fresh'],
      ['--port', port],
      ['--port', '0'],
      ['--port', '0', '--fresh'],
    ]) {
      const again = await run(command, ['sandbox', '--state', file, ...args]);
      expect(again.stdout).toBe('');
      expect(again.stderr).toMatch(/is in use/);
    }
    expect((await pay(toTarget(first), pix(), 'key-2')).status).toBe(201);
    await first.process.end('SIGKILL');
    const next = await startSandbox(command, ['--state', file]);
    const again = await pay(toTarget(next), pix(), 'key-1');
    expect(again.status).toBe(200);
  });

  test('warns if it listens beyond loopback', async () => {
    const { process, ...ready } = await startSandbox(command, [
      '--host',
      '0.0.0.0',
      '--allow-host',
      'sandbox',
    ]);
    const requestClock = (host: string) => call(toTarget(ready), '/_sandbox/clock', { headers: { host } });
    expect((await requestClock(new URL(ready.url).host)).status).toBe(200);
    const { stderr } = await process.end();
    expect(stderr).toContain('Warning: with --host 0.0.0.0, anyone who can reach this machine');
  });

  test('reports a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const ended = await run(command, ['sandbox', '--port', String(port)]);
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `Port ${port} is in use: choose another with --port, or a free one with --port 0.\n`,
    });
  });

  test.each<[string[], RegExp]>([
    [['sandbox', '--port', 'http'], /must be an integer/],
    [['sandbox', '--port', '70000'], /port must be a port/],
    [['sandbox', '--seed', '1.5'], /must be an integer/],
    [['sandbox', '--now', 'yesterday'], /now must be a time/],
    [['sandbox', '--fresh'], /--fresh needs --state/],
    [['sandbox', '--port', '0', '--webhook', 'http://shop.example/hook'], /must be an HTTPS URL/],
    [['sandbox', '--prot', '0'], /Did you mean --port\?/],
    [['sandbux'], /Did you mean sandbox\?/],
  ])('rejects the arguments %j with an explanation', async (args, message) => {
    const ended = await run(command, args);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(message);
    expect(ended.stdout).toBe('');
  });
});

test('the command prints its help and its version', async () => {
  const help = await run(command, ['--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const name of ['sandbox', 'pay', 'refund', 'advance', 'faults', 'webhooks', 'journal', 'Exit codes'])
    expect(help.stdout).toContain(name);
  expect(await run(command, ['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
});
