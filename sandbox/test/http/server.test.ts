import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { findFreePort } from '../../../test/support/free-port.js';
import type { FaultRule, ListenOptions } from '../../index.js';
import { call, openCard, pay, pix, sandboxForTest } from '../support.js';

const globals = [globalThis.Request, globalThis.Response];

const listening = async (...faults: FaultRule[]) => {
  const sandbox = sandboxForTest();
  for (const fault of faults) sandbox.faults.add(fault);
  return { sandbox, server: await sandbox.listen() };
};

describe('a sandbox server', () => {
  test('returns the same responses as the sandbox in process', async () => {
    const { sandbox, server } = await listening();
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(server.clientOptions()).toEqual({
      baseUrl: server.url,
      clientId: sandbox.clientOptions().clientId,
      clientSecret: sandbox.clientOptions().clientSecret,
    });
    const first = await pay(server, openCard(), 'key');
    const replay = await pay(sandbox, openCard(), 'key');
    expect([first.status, replay.status]).toEqual([201, 200]);
    expect(replay.body).toEqual(first.body);
    expect(first.headers.get('content-type')).toBe('application/json');
    expect(first.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect((await call(server, '/nowhere')).status).toBe(404);
  });

  test('does not replace the global Request and Response of its process', async () => {
    await listening();
    expect(globalThis.Request).toBe(globals[0]);
    expect(globalThis.Response).toBe(globals[1]);
  });

  test('listens on the given port and host', async () => {
    const { server } = await listening();
    const other = sandboxForTest();
    await expect(other.listen({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const everywhere = await other.listen({ host: '0.0.0.0' });
    expect(everywhere.url).toBe(`http://127.0.0.1:${everywhere.port}`);
    expect((await call(everywhere, '/v1/webhooks')).status).toBe(200);
  });

  const portRule = 'port must be a port: an integer from 0 to 65535';

  test.each<[unknown, string]>([
    [{ hostname: 'x' }, 'hostname is an unknown option. Did you mean host?'],
    [{ allowedhosts: [] }, 'allowedhosts is an unknown option. Did you mean allowedHosts?'],
    [{ port: -1 }, portRule],
    [{ port: 65_536 }, portRule],
    [{ port: '4010' }, portRule],
    [{ port: Number.NaN }, portRule],
    [{ host: '' }, 'host must be a host name or an address'],
    [
      { host: 1, port: 0.5 },
      `listen has 2 problems.\n- ${portRule}.\n- host must be a host name or an address.`,
    ],
    [4010, 'must be an object'],
  ])('rejects the options %j', async (options, message) => {
    const served = sandboxForTest().listen(options as ListenOptions);
    await expect(served).rejects.toThrow(message);
    await expect(served).rejects.toThrow(TypeError);
  });

  test('can run along with another server, and closes independently', async () => {
    const { sandbox, server: other } = await listening();
    const server = await sandbox.listen({ port: await findFreePort() });
    await server.close();
    await server.close();
    await expect(call(server, '/v1/webhooks')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    expect((await call(other, '/v1/webhooks')).status).toBe(200);
  });

  test('closes, along with its connections, when the sandbox closes', async () => {
    const sandbox = sandboxForTest();
    const server = await sandbox.listen({ port: await findFreePort() });
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    await sandbox.close();
    await closed;
    await expect(call(server, '/v1/webhooks')).rejects.toThrow(TypeError);
  });

  test('continues after a caller disconnects in the middle of a request', async () => {
    const { sandbox, server } = await listening();
    const { clientId, clientSecret } = server.clientOptions();
    const half = request(`${server.url}/v1/payments`, {
      method: 'POST',
      headers: {
        'client-id': clientId,
        'client-secret': clientSecret,
        'content-type': 'application/json',
        'content-length': 1_000,
      },
    });
    half.write('{"amount"');
    const [socket] = await once(half, 'socket');
    if (socket.connecting) await once(socket, 'connect');
    const failed = once(half, 'error');
    half.destroy(new Error('gone'));
    await failed;
    expect((await pay(server, pix())).status).toBe(201);
    expect(sandbox.ledger.charges).toHaveLength(1);
  });
});

describe('over HTTP', () => {
  test.each([
    ['before-commit', 0],
    ['after-commit', 1],
  ] as const)(
    'the fault reset at %s breaks the connection (charges in the ledger: %i)',
    async (phase, charges) => {
      const { sandbox, server } = await listening({ phase, fault: 'reset' });
      const error = await pay(server, pix()).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        message: 'fetch failed',
        cause: { code: 'ECONNRESET', syscall: 'read' },
      });
      expect(sandbox.ledger.charges).toHaveLength(charges);
      expect((await pay(server, pix())).status).toBe(201);
    },
  );

  test('the fault hang ends when the caller aborts', async () => {
    const { sandbox, server } = await listening({
      operation: 'payments.create',
      phase: 'after-commit',
      fault: 'hang',
    });
    const controller = new AbortController();
    const pending = pay(server, pix(), undefined, { signal: controller.signal });
    const outcome = expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    while (sandbox.ledger.charges.length === 0) await call(server, '/v1/webhooks');
    controller.abort();
    await outcome;
  });

  test('the fault hang ends when the server is closed', async () => {
    const { sandbox, server } = await listening({
      operation: 'payments.create',
      phase: 'after-commit',
      fault: 'hang',
    });
    const outcome = expect(pay(server, pix())).rejects.toMatchObject({ message: 'fetch failed' });
    while (sandbox.ledger.charges.length === 0) await call(server, '/v1/webhooks');
    await sandbox.close();
    await outcome;
  });

  test('a fault’s delay ends when the caller aborts', async () => {
    const { sandbox, server } = await listening({
      operation: 'payments.create',
      phase: 'after-commit',
      fault: 'empty',
      delay: '1h',
    });
    const controller = new AbortController();
    const outcome = expect(
      pay(server, pix(), undefined, { signal: controller.signal }),
    ).rejects.toMatchObject({ name: 'AbortError' });
    while (sandbox.ledger.charges.length === 0) await call(server, '/v1/webhooks');
    controller.abort();
    await outcome;
    expect(sandbox.journal.requests.find(({ fault }) => fault === 'empty')?.status).toBeUndefined();
  });

  test('the fault truncate sends the Content-Length of the whole body and half of its bytes', async () => {
    const { server } = await listening({ phase: 'after-commit', fault: 'truncate' });
    const { clientId, clientSecret } = server.clientOptions();
    const response = await fetch(`${server.url}/v1/payments`, {
      method: 'POST',
      headers: { 'client-id': clientId, 'client-secret': clientSecret, 'content-type': 'application/json' },
      body: JSON.stringify(pix()),
    });
    expect(response.status).toBe(201);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.length).toBe(Math.floor(Number(response.headers.get('content-length')) / 2));
    await expect(reader?.read()).rejects.toMatchObject({ message: 'terminated' });
  });

  test.each([
    ['garbage', 200, 'text/html; charset=utf-8'],
    ['invalid-json', 200, 'application/json'],
    [{ status: 503, headers: { 'retry-after': '7' } }, 503, null],
  ] as const)('the fault %j sends its response’s status and content type', async (fault, status, type) => {
    const { server } = await listening({ fault });
    const response = await fetch(server.url);
    expect(response.status).toBe(status);
    if (type !== null) expect(response.headers.get('content-type')).toBe(type);
    await response.text();
  });

  test('the fault empty sends no body', async () => {
    const { server } = await listening({ fault: 'empty' });
    const response = await fetch(server.url);
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});
