import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createReceiver, sign, toNodeHandler } from '../../src/webhooks/index.js';
import { openCard, pay, sandboxForTest, startReceiver } from '../sandbox/support.js';
import { builtCommand, Running, run } from './support.js';

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

const secret = 'canary-0123456789abcdef';
const env = { PAYMENT_PLATFORM_WEBHOOK_SECRET: secret };

/** A receiver of ours, with the secret. */
async function startOwnReceiver() {
  const events: string[] = [];
  const receiver = createReceiver({
    secret,
    on: { 'transaction.paid': ({ event }) => void events.push(event) },
  });
  const server = createServer(toNodeHandler(receiver)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`, events };
}

describe('webhooks listen', () => {
  test('prints each delivery with whether it is valid', async () => {
    const sandbox = sandboxForTest();
    const { url } = await sandbox.listen();
    const listener = new Running(command, ['webhooks', 'listen', '--json', '--url', url]);
    const ready = JSON.parse(await listener.line());
    expect(ready.secret).toMatch(/^sandbox-webhook-secret-/);
    await pay(sandbox, openCard());
    const deliveries = [JSON.parse(await listener.line()), JSON.parse(await listener.line())];
    expect(deliveries.map(({ valid, event, status }) => [valid, event, status])).toEqual([
      [true, 'transaction.paid', 200],
      [true, 'transaction.status.updated', 200],
    ]);
    expect(await listener.end()).toEqual({ code: 0, stderr: '' });
    expect(sandbox.webhooks.endpoints).toEqual([]);
  });

  test('forwards what came, unchanged, and answers what the receiver answers', async () => {
    // On this machine's clock, which the receiver has.
    const sandbox = sandboxForTest({ now: undefined });
    const { url } = await sandbox.listen();
    const receiver = await startOwnReceiver();
    const listener = new Running(
      command,
      ['webhooks', 'listen', '--url', url, '--forward', receiver.url],
      env,
    );
    const told = await listener.until(/Ctrl-C/);
    expect(told.join()).not.toContain(secret);
    await pay(sandbox, openCard());
    await listener.until(/✓ 200 transaction.status.updated/);
    await sandbox.webhooks.idle();
    expect(receiver.events).toEqual(['transaction.paid']);
    expect(sandbox.webhooks.deliveries.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('answers 502 if the receiver does not', async () => {
    const sandbox = sandboxForTest();
    const { url } = await sandbox.listen();
    const listener = new Running(command, [
      ...['webhooks', 'listen', '--url', url, '--json'],
      ...['--forward', 'http://127.0.0.1:9/'],
    ]);
    await listener.line();
    await pay(sandbox, openCard());
    expect(JSON.parse(await listener.line())).toMatchObject({ valid: true, status: 502 });
  });

  test('is not forwarded to itself', async () => {
    const sandbox = sandboxForTest();
    const { url } = await sandbox.listen();
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const args = ['--url', url, '--port', String(port), '--forward', `http://127.0.0.1:${port}/hook`];
    const ended = await run(command, ['webhooks', 'listen', ...args]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('is this command itself');
    expect(sandbox.webhooks.endpoints).toEqual([]);
  });

  test('that was killed leaves room for the next', async () => {
    const sandbox = sandboxForTest();
    const { url } = await sandbox.listen();
    for (let turn = 0; turn < 4; turn++) {
      const listener = new Running(command, ['webhooks', 'listen', '--url', url, '--json']);
      await listener.line();
      await listener.end('SIGKILL');
    }
    expect(sandbox.webhooks.endpoints).toHaveLength(1);
  });
});

describe('webhooks send', () => {
  test('sends a sample that a receiver accepts', async () => {
    const receiver = await startOwnReceiver();
    const ended = await run(command, ['webhooks', 'send', 'transaction.paid', '--to', receiver.url], { env });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(receiver.events).toEqual(['transaction.paid']);
  });

  test('says what a receiver answered, and ends with 1 if it refused', async () => {
    const receiver = await startReceiver(() => 400);
    const args = ['webhooks', 'send', 'transaction.refused', '--to', receiver.url, '--json'];
    const ended = await run(command, args, { env });
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: 400, received: false, answer: 'ok' });
  });

  test.each<[string[], Record<string, string>, number, RegExp]>([
    [['transaction.payed', '--to', 'http://127.0.0.1:9'], env, 2, /transaction\.paid/],
    [['transaction.paid', '--to', '127.0.0.1:9'], env, 2, /must be an http or https URL/],
    [['transaction.paid', '--to', 'http://127.0.0.1:9'], env, 3, /does not answer/],
    [['transaction.paid', '--to', 'http://127.0.0.1:9'], {}, 2, /Set PAYMENT_PLATFORM_WEBHOOK_SECRET/],
    [['transaction.paid'], env, 2, /required option '--to <url>'/],
  ])('%j is a mistake', async (args, environment, code, message) => {
    const ended = await run(command, ['webhooks', 'send', ...args], { env: environment });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(message);
  });

  test('https to a plain port is told in words', async () => {
    const receiver = await startOwnReceiver();
    const to = receiver.url.replace('http:', 'https:');
    const ended = await run(command, ['webhooks', 'send', 'transaction.paid', '--to', to], { env });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toBe(
      `${to} does not answer: it does not speak TLS as https needs it. Is it http?\n`,
    );
  });
});

describe('webhooks verify', () => {
  const body = '{"event":"transaction.paid"}';
  const at = '2026-01-01T00:00:00Z';
  const timestamp = String(Date.parse(at) / 1_000);

  function files(given: string, headers: string) {
    const folder = mkdtempSync(join(tmpdir(), 'webhook-verify-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'body'), given);
    writeFileSync(join(folder, 'headers'), headers);
    return ['--body', join(folder, 'body'), '--headers', join(folder, 'headers')];
  }
  const linesOf = (headers: object) =>
    ['HTTP/1.1 200 OK', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  const verify = (...args: string[]) => run(command, ['webhooks', 'verify', ...args], { env });

  test.each<[string, string, string, string, string | undefined]>([
    ['a valid delivery', body, linesOf(sign({ body, secret, timestamp })), at, undefined],
    ['headers as JSON', body, JSON.stringify(sign({ body, secret, timestamp })), at, undefined],
    ['another body', `${body} `, linesOf(sign({ body, secret, timestamp })), at, 'signature-mismatch'],
    [
      'another secret',
      body,
      linesOf(sign({ body, secret: 'other-0123456789', timestamp })),
      at,
      'signature-mismatch',
    ],
    [
      'a late one',
      body,
      linesOf(sign({ body, secret, timestamp })),
      '2026-01-01T00:05:01Z',
      'timestamp-too-old',
    ],
    ['no signature', body, 'content-type: application/json', at, 'missing-timestamp'],
  ])('explains %s', async (_, given, headers, now, reason) => {
    const ended = await verify(...files(given, headers), '--now', now, '--json');
    expect(ended.code).toBe(reason === undefined ? 0 : 1);
    expect(JSON.parse(ended.stdout)).toMatchObject(
      reason === undefined ? { valid: true, event: 'transaction.paid' } : { valid: false, reason },
    );
    expect(ended.stdout + ended.stderr).not.toContain(secret);
  });

  test('says it in words', async () => {
    const ended = await verify(...files('{}', linesOf(sign({ body, secret, timestamp }))), '--now', at);
    expect(ended.stdout).toMatch(/^✗ signature-mismatch\n/);
    expect(ended.stdout).toContain('body, bytes          2');
  });

  test('a file that is missing is a mistake', async () => {
    const ended = await verify('--body', '/no/such/file', '--headers', '/no/such/file');
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('/no/such/file');
  });

  test.each([
    ['/dev/zero', 'it has more than 1 MB'],
    [tmpdir(), 'it is a directory'],
  ])('%s in the place of a file is a mistake', async (path, why) => {
    const [, , option = '', headers = ''] = files('{}', '');
    for (const args of [
      ['--body', path, option, headers],
      ['--body', headers, option, path],
    ]) {
      const ended = await verify(...args);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain(`${path} cannot be read: ${why}`);
    }
  });
});
