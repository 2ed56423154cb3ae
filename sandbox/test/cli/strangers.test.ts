import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { version } from '../../../src/version.js';
import { Failure } from '../../cli/failure.js';
import { createProgram } from '../../cli/program.js';
import { createSandbox } from '../../index.js';
import { sandboxForTest, unknownId } from '../support.js';
import { ran } from './support.js';

/** Lists the commands for a running sandbox as a user types them: those that print its response. */
function remoteCommands(command: Command = createProgram(), path: readonly string[] = []): string[][] {
  const options = command.options.map(({ long }) => long);
  const here =
    options.includes('--url') && options.includes('--json')
      ? [
          [
            ...path,
            ...command.registeredArguments.map((argument) => example[argument.name()] ?? unknownId),
            ...(requiredOptions[command.name()] ?? []),
          ],
        ]
      : [];
  return [...here, ...command.commands.flatMap((child) => remoteCommands(child, [...path, child.name()]))];
}

const example: Readonly<Record<string, string>> = {
  duration: '15m',
  fault: 'reset',
  idempotencyKey: 'order-1',
  resolution: 'created',
};

const requiredOptions: Readonly<Record<string, readonly string[]>> = {
  'check-integration': ['--shop', 'http://127.0.0.1:9', '--amount', '1990', '--pix', 'POST /orders'],
};

beforeEach(() => {
  vi.stubEnv('PAYMENT_PLATFORM_WEBHOOK_SECRET', 'a secret of the test');
});

async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = (status: number, body: unknown): RequestListener => {
  return (_, response) => void response.writeHead(status).end(JSON.stringify(body));
};

const personal = 'Maria Silva has no such order';

const strangers: Readonly<Record<string, RequestListener>> = {
  'its own payment': json(200, { id: unknownId, status: 'paid', amount: 1 }),
  '204': (_, response) => void response.writeHead(204).end(),
  'its own error': json(404, { error: { code: 'not_found', message: personal } }),
  'the header of another major version': (_, response) =>
    void response.writeHead(200, { 'payment-platform-sandbox': '0.1.0' }).end('{"data":[]}'),
};

describe.each(Object.entries(strangers))(
  'a server that is not a sandbox and responds with %s',
  (_, listener) => {
    test('makes every command exit with 3 and say that the server is not a sandbox (row 76)', async () => {
      const url = await startServer(listener);
      const commands = remoteCommands();
      expect(commands.length).toBeGreaterThan(20);
      for (const command of commands) {
        for (const args of [command, [...command, '--json']]) {
          const { error, stdout } = await ran([...args, '--url', url]);
          expect([args.join(' '), error instanceof Failure && error.exitCode, stdout]).toEqual([
            args.join(' '),
            3,
            '',
          ]);
          expect((error as Failure).message).toMatch(/is not a sandbox of this version: .+\. Start one with/);
          expect((error as Failure).message).not.toContain(personal);
        }
      }
    });
  },
);

test('a command names the status or the version of a server that is not a sandbox, and none of its body', async () => {
  const catchMessage = async (listener: RequestListener) =>
    ((await ran(['payments', '--url', await startServer(listener)])).error as Failure).message;
  expect(await catchMessage(json(200, { name: personal }))).toContain(': it returned 200.');
  const error = { code: 'unknown_host', message: personal };
  expect(await catchMessage(json(421, { error }))).toContain(': it returned 421. Start one');
  const other: RequestListener = (_, response) =>
    void response.writeHead(200, { 'payment-platform-sandbox': '0.1.0' }).end();
  expect(await catchMessage(other)).toContain(': its version is 0.1.0.');
});

test('a command shows why a sandbox rejects its host', async () => {
  const { url } = await sandboxForTest().listen();
  const proxy = await startServer(({ method = '', url: path = '' }, response) => {
    const sent = request(url + path, { method, headers: { host: 'shop.internal' } }, (received) => {
      response.writeHead(received.statusCode ?? 0, received.headers);
      received.pipe(response);
    });
    sent.end();
  });
  const { error } = await ran(['payments', '--url', proxy]);
  expect(error).toMatchObject({ exitCode: 3, message: expect.stringMatching(/^This host is unknown/) });
});

test('a command shows that a sandbox could not write its state', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payment-platform-'));
  const sandbox = createSandbox({ stateFile: join(folder, 'state') });
  const { url } = await sandbox.listen();
  rmSync(folder, { recursive: true });
  const { error } = await ran(['payments', 'create', '--url', url]);
  expect(error).toMatchObject({ exitCode: 1, message: expect.stringContaining('cannot be written') });
  await sandbox.close().catch(() => undefined);
});

describe.each<[string, RequestListener]>([
  ['never responds', () => undefined],
  [
    'begins a response and never ends it',
    (request, response) =>
      void (request.url?.endsWith('/events') === true
        ? response.destroy()
        : response.writeHead(200).write('{')),
  ],
])('a server that %s', (_, listener) => {
  test('makes every command exit with an error at --timeout (row 76)', async () => {
    const url = await startServer(listener);
    for (const command of remoteCommands()) {
      const { error, stdout } = await ran([...command, '--url', url, '--timeout', '20ms']);
      expect([command.join(' '), error instanceof Failure && error.exitCode, stdout]).toEqual([
        command.join(' '),
        3,
        '',
      ]);
      expect((error as Failure).message).toContain(`${url} did not respond within 20 ms.`);
    }
  });

  test('makes `webhooks send` exit with an error at --timeout (row 76)', async () => {
    vi.stubEnv('PAYMENT_PLATFORM_WEBHOOK_SECRET', 'a secret of sixteen characters');
    onTestFinished(() => void vi.unstubAllEnvs());
    const url = await startServer(listener);
    const { error } = await ran(['webhooks', 'send', 'transaction.paid', '--to', url, '--timeout', '20ms']);
    expect(error).toMatchObject({ exitCode: 3, message: expect.stringContaining('within 20 ms') });
  });
});

test('journal --follow ends at --timeout if the event stream does not start (row 76)', async () => {
  const url = await startServer((request, response) => {
    if (request.url?.includes('/events') === true) return;
    response.writeHead(200, { 'payment-platform-sandbox': version }).end('{"data":[]}');
  });
  const { error } = await ran(['journal', '--follow', '--url', url, '--timeout', '500ms']);
  expect(error).toMatchObject({ exitCode: 3 });
});

test.each(['0s', '1', '5h', '-1s', 'soon'])('a command rejects --timeout %s', async (value) => {
  expect((await ran(['status', '--timeout', value])).error).toMatchObject({
    message: expect.stringContaining('It must be a duration such as 500ms, 30s or 2m.'),
  });
});
