import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createReceiver, sign, toNodeHandler } from '../../../src/webhooks/index.js';
import { findFreePort } from '../../../test/support/free-port.js';
import { openCard, pay, sandboxForTest, startReceiver } from '../support.js';
import { builtCommand, Running, run } from './support.js';

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

const secret = 'canary-0123456789abcdef';
const env = { PAYMENT_PLATFORM_WEBHOOK_SECRET: secret };

/** Starts a receiver of this package, with the secret. */
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
  test('prints each delivery, and whether its signature is valid', async () => {
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

  test('forwards each delivery unchanged, and returns the receiver’s response', async () => {
    // The sandbox uses this machine's clock, as the receiver does.
    const sandbox = sandboxForTest({ now: undefined });
    const { url } = await sandbox.listen();
    const receiver = await startOwnReceiver();
    const listener = new Running(
      command,
      ['webhooks', 'listen', '--url', url, '--forward', receiver.url],
      env,
    );
    const printed = await listener.until(/Ctrl-C/);
    expect(printed.join()).not.toContain(secret);
    await pay(sandbox, openCard());
    await listener.until(/✓ 200 transaction.status.updated/);
    await sandbox.webhooks.idle();
    expect(receiver.events).toEqual(['transaction.paid']);
    expect(sandbox.webhooks.deliveries.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('returns a 502 if the receiver does not respond', async () => {
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

  test('does not forward deliveries to itself', async () => {
    const sandbox = sandboxForTest();
    const { url } = await sandbox.listen();
    const port = await findFreePort();
    const args = ['--url', url, '--port', String(port), '--forward', `http://127.0.0.1:${port}/hook`];
    const ended = await run(command, ['webhooks', 'listen', ...args]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('is this command itself');
    expect(sandbox.webhooks.endpoints).toEqual([]);
  });

  test('replaces the endpoint that a killed listener left behind', async () => {
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

/** Returns the options for files with a body and headers. */
function files(value: string, headers: string) {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'body'), value);
  writeFileSync(join(folder, 'headers'), headers);
  return ['--body', join(folder, 'body'), '--headers', join(folder, 'headers')];
}

describe('webhooks send', () => {
  test('sends a sample event that a receiver accepts', async () => {
    const receiver = await startOwnReceiver();
    const ended = await run(command, ['webhooks', 'send', 'transaction.paid', '--to', receiver.url], { env });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(receiver.events).toEqual(['transaction.paid']);
  });

  /** Returns the payloads that a receiver gets from a list of commands. */
  async function receivePayloads(...commands: string[][]) {
    const receiver = await startReceiver();
    for (const args of commands) {
      const ended = await run(command, ['webhooks', 'send', ...args, '--to', receiver.url], { env });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
    }
    return receiver.received.map(({ body }) => JSON.parse(body));
  }

  test('gives the payment and the notification a new id in each run', async () => {
    const [one, other] = await receivePayloads(['transaction.paid'], ['transaction.paid']);
    expect(one.id).not.toBe(other.id);
    expect(one.notificationId).not.toBe(other.notificationId);
  });

  test('sends the fields that the command line sets', async () => {
    const args = ['--id', 'p-1', '--external-reference', 'order-1', '--amount', '4990'];
    const fields = [
      '--field',
      'customer.name=Ana = Maria',
      '--field',
      'items.0.quantity=2',
      '--field',
      'paid=true',
    ];
    const [payload] = await receivePayloads(['transaction.paid', ...args, ...fields]);
    expect(payload).toMatchObject({
      event: 'transaction.paid',
      id: 'p-1',
      externalReference: 'order-1',
      amount: 4990,
      customer: { name: 'Ana = Maria' },
      items: [{ quantity: 2, unitPrice: 1990 }],
      paid: true,
    });
  });

  test('says that the payment’s id is new if only the order is named', async () => {
    const receiver = await startReceiver();
    const args = [
      'webhooks',
      'send',
      'transaction.paid',
      '--to',
      receiver.url,
      '--external-reference',
      'order-1',
    ];
    const { stdout } = await run(command, args, { env });
    const { id } = JSON.parse(receiver.received[0]?.body ?? '{}');
    expect(stdout).toContain(
      `The id ${id} is new, and no payment has it. Pass --id to name the order's payment.`,
    );
    for (const named of [
      ['--id', 'p-1'],
      ['--field', 'id=p-1'],
    ])
      expect((await run(command, [...args, ...named], { env })).stdout).not.toContain('is new');
    const printed = JSON.parse((await run(command, [...args, '--json'], { env })).stdout);
    expect(printed.id).toBe(JSON.parse(receiver.received.at(-1)?.body ?? '{}').id);
  });

  test('sends the payload from a file', async () => {
    const payload = { event: 'transaction.future', id: 'p-1', list: [1, { a: null }] };
    // Some editors on Windows write a byte order mark.
    const [body] = files(`\ufeff${JSON.stringify(payload)}`, '').slice(1);
    const [same, changed] = await receivePayloads(
      ['--file', String(body)],
      ['transaction.future', '--file', String(body), '--id', 'p-2'],
    );
    expect(same).toEqual(payload);
    expect(changed).toEqual({ ...payload, id: 'p-2' });
  });

  test.each<[string[], string]>([
    [[], 'Name an event, or a payload with --file.'],
    [
      ['transaction.paid', '--file', '/no/such/file'],
      '--file /no/such/file cannot be read: there is no such file.',
    ],
    [['transaction.paid', '--field', 'customer'], 'It must be name=value'],
    [['transaction.paid', '--field', 'a..b=1'], 'It must be name=value'],
    [['transaction.paid', '--amount', '19.90'], 'It must be an integer.'],
  ])('rejects the arguments %j', async (args, message) => {
    const ended = await run(command, ['webhooks', 'send', ...args, '--to', 'http://127.0.0.1:9'], { env });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(message);
  });

  test('rejects a file that does not contain a payload', async () => {
    for (const [text, why] of [
      ['{', 'it is not JSON'],
      ['[]', 'it is not a JSON object'],
      ['{"event":"transaction.paid"}', 'must have the field event: "transaction.refused"'],
    ] as const) {
      const [body] = files(text, '').slice(1);
      const args = ['transaction.refused', '--file', String(body), '--to', 'http://127.0.0.1:9'];
      const ended = await run(command, ['webhooks', 'send', ...args], { env });
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain(why);
    }
  });

  test('prints the receiver’s response, and exits with 1 if that response is not a success', async () => {
    const receiver = await startReceiver(() => 400);
    const args = ['webhooks', 'send', 'transaction.refused', '--to', receiver.url, '--json'];
    const ended = await run(command, args, { env });
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: 400, received: false, response: 'ok' });
  });

  test.each<[string[], Record<string, string>, number, RegExp]>([
    [['transaction.payed', '--to', 'http://127.0.0.1:9'], env, 2, /transaction\.paid/],
    [['transaction.paid', '--to', '127.0.0.1:9'], env, 2, /must be an http or https URL/],
    [['transaction.paid', '--to', 'http://127.0.0.1:9'], env, 3, /does not respond: .*Choose another port/],
    [['transaction.paid', '--to', 'http://127.0.0.1:9'], {}, 2, /Set PAYMENT_PLATFORM_WEBHOOK_SECRET/],
    [['transaction.paid'], env, 2, /required option '--to <url>'/],
  ])('explains the mistake in the arguments %j', async (args, environment, code, message) => {
    const ended = await run(command, ['webhooks', 'send', ...args], { env: environment });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(message);
  });

  test('explains that an https request was sent to a plain http port', async () => {
    const receiver = await startOwnReceiver();
    const to = receiver.url.replace('http:', 'https:');
    const ended = await run(command, ['webhooks', 'send', 'transaction.paid', '--to', to], { env });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toBe(
      `${to} does not respond: it does not speak TLS as https needs it. Is it http?\n`,
    );
  });
});

describe('webhooks verify', () => {
  const body = '{"event":"transaction.paid"}';
  const at = '2026-01-01T00:00:00Z';
  const timestamp = String(Date.parse(at) / 1_000);

  const formatHead = (headers: object) =>
    ['HTTP/1.1 200 OK', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  const verify = (...args: string[]) => run(command, ['webhooks', 'verify', ...args], { env });

  test.each<[string, string, string, string, string | undefined]>([
    ['a valid delivery', body, formatHead(sign({ body, secret, timestamp })), at, undefined],
    ['headers as JSON', body, JSON.stringify(sign({ body, secret, timestamp })), at, undefined],
    ['a changed body', `${body} `, formatHead(sign({ body, secret, timestamp })), at, 'signature-mismatch'],
    [
      'a wrong secret',
      body,
      formatHead(sign({ body, secret: 'other-0123456789', timestamp })),
      at,
      'signature-mismatch',
    ],
    [
      'a late delivery',
      body,
      formatHead(sign({ body, secret, timestamp })),
      '2026-01-01T00:05:01Z',
      'timestamp-too-old',
    ],
    ['no signature', body, 'content-type: application/json', at, 'missing-timestamp'],
  ])('prints the verification result and its reason for %s', async (_, value, headers, now, reason) => {
    const ended = await verify(...files(value, headers), '--now', now, '--json');
    expect(ended.code).toBe(reason === undefined ? 0 : 1);
    expect(JSON.parse(ended.stdout)).toMatchObject(
      reason === undefined ? { valid: true, event: 'transaction.paid' } : { valid: false, reason },
    );
    expect(ended.stdout + ended.stderr).not.toContain(secret);
  });

  test('prints a human-readable result without --json', async () => {
    const ended = await verify(...files('{}', formatHead(sign({ body, secret, timestamp }))), '--now', at);
    expect(ended.stdout).toMatch(/^✗ signature-mismatch\n/);
    expect(ended.stdout).toContain('body, bytes          2');
  });

  test('explains that the given file does not exist', async () => {
    const ended = await verify('--body', '/no/such/file', '--headers', '/no/such/file');
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('/no/such/file');
  });

  test.each([
    ['/dev/zero', 'it has more than 1 MB'],
    [tmpdir(), 'it is a directory'],
  ])('rejects the path %s, because %s', async (path, why) => {
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
