import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { Duplex } from 'node:stream';
import { HttpResponse, http as msw } from 'msw';
import { setupServer } from 'msw/node';
import { ConnectionError, type PaymentPlatformError, responseOf, TimeoutError } from 'payment-platform';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { certificate } from '../../support/certificate.js';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { findFreePort } from '../../support/free-port.js';
import { paid, pix } from '../../support/payments.js';
import { formatResponse, type RawServer, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';
import { stalledListener } from '../../support/stalled-listener.js';

const opens = closedAfterEach();

beforeEach(() => {
  // Sets full jitter to its lower end, so that retries follow at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const ok = formatResponse(JSON.stringify(paid));

onBothEngines((engine) => {
  const client = (server: { url: string }, options = {}) => opens(clientOn(engine, server.url, options));

  describe('a call to an unreachable platform (row 1)', () => {
    test('is retried if the connection is refused, because nothing was executed', async () => {
      const retries: string[] = [];
      const platform = opens(
        clientOn(engine, `http://127.0.0.1:${await findFreePort()}`, {
          hooks: { onRetry: ({ reason }) => retries.push(reason) },
        }),
      );
      const error = await catchError<PaymentPlatformError>(
        platform.payments.create(pix, { idempotencyKey: null }),
      );
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ outcome: 'not-executed', attempts: 3 });
      expect(error.message).toContain('ECONNREFUSED');
      expect(retries).toHaveLength(2);
    });

    test('is retried after a DNS failure, because nothing was executed', async () => {
      const platform = opens(clientOn(engine, 'https://no-such-host.invalid'));
      const error = await catchError<PaymentPlatformError>(
        platform.payments.create(pix, { idempotencyKey: null }),
      );
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ outcome: 'not-executed', attempts: 3 });
      expect(error.message).toMatch(/ENOTFOUND|EAI_AGAIN/);
    });

    test('sends no byte and is not retried if the certificate is not trusted', async () => {
      const seen: string[] = [];
      const server = https.createServer(
        { key: certificate.key, cert: certificate.cert },
        (request, response) => {
          seen.push(request.url ?? '');
          response.end(JSON.stringify(paid));
        },
      );
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      opens({ close: () => server.close() });
      const platform = opens(
        clientOn(engine, `https://localhost:${(server.address() as net.AddressInfo).port}`),
      );
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ outcome: 'not-executed', attempts: 1 });
      expect(error.message).toContain('certificate');
      expect(seen).toEqual([]);
    });

    test('has the outcome not-executed on the node engine if the server ends the TLS handshake', async () => {
      const server = opens(await rawServer(() => undefined, { onConnection: (socket) => socket.destroy() }));
      const platform = opens(clientOn(engine, server.url.replace('http:', 'https:'), { maxRetries: 0 }));
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      expect(error).toBeInstanceOf(ConnectionError);
      // fetch does not distinguish a broken handshake from a broken response, so the ky engine must not claim
      // to know.
      expect(error.outcome).toBe(engine === 'node' ? 'not-executed' : 'unknown');
    });
  });

  test('a proxy’s 407 means not-executed on the node engine, and unknown on the ky engine (row 2)', async () => {
    const server = opens(
      await rawServer(({ socket }) => socket.write(formatResponse('proxy', { status: 407 }))),
    );
    const error = await catchError<PaymentPlatformError>(client(server).payments.create(pix));
    expect(error).toBeInstanceOf(ConnectionError);
    // fetch turns a 407 into a rejection without details, so the outcome must stay unknown there.
    expect(error).toMatchObject(
      engine === 'node'
        ? { outcome: 'not-executed', attempts: 1, status: 407 }
        : { outcome: 'unknown', attempts: 3 },
    );
  });

  test('a call without a connection at its deadline is not-executed on the node engine only (row 3)', async () => {
    const listener = opens(await stalledListener());
    const platform = opens(clientOn(engine, listener.url, { timeout: 300 }));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error.outcome).toBe(engine === 'node' ? 'not-executed' : 'unknown');
  });

  test('a call with an idempotency key is retried if its new connection is reset (row 4)', async () => {
    const server = opens(
      await rawServer(({ socket }) => socket.write(ok), {
        onConnection: (socket, index) => {
          if (index < 2) socket.resetAndDestroy();
        },
      }),
    );
    const payment = await client(server).payments.create(pix, { idempotencyKey: 'order-1042' });
    expect(payment).toEqual(paid);
    expect(server.connections).toBe(3);
    const unkeyed = opens(
      await rawServer(() => undefined, { onConnection: (socket) => socket.resetAndDestroy() }),
    );
    const error = await catchError<PaymentPlatformError>(
      client(unkeyed).payments.create(pix, { idempotencyKey: null }),
    );
    expect(error).toBeInstanceOf(ConnectionError);
    // The reset comes after the connection opened, so part of the request can already be sent.
    expect(error.outcome === 'unknown' ? error.attempts : 1).toBe(1);
  });

  test.each(['reset', 'end'] as const)(
    'a connection lost during the upload (%s) makes the outcome unknown, with retries only for keyed calls (row 5)',
    async (how) => {
      const hangUp = (socket: net.Socket, received: number) => {
        if (received < 2_000) return undefined;
        if (how === 'reset') socket.resetAndDestroy();
        else socket.end();
        return true;
      };
      const server = opens(await rawServer(() => undefined, { onBytes: hangUp }));
      const large = { ...pix, metadata: { note: 'x'.repeat(400_000) } };
      const keyed = await catchError<PaymentPlatformError>(client(server).payments.create(large));
      expect(keyed).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 3 });
      expect(keyed.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
      const unkeyed = await catchError<PaymentPlatformError>(
        client(server).payments.create(large, { idempotencyKey: null }),
      );
      expect(unkeyed).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
      expect(unkeyed.idempotencyKey).toBeUndefined();
    },
  );

  describe.each(['reset', 'end'] as const)(
    'a connection that ends with %s after the request and before the response (row 6)',
    (how) => {
      const hangUp = (socket: net.Socket) => (how === 'reset' ? socket.resetAndDestroy() : socket.end());

      test('causes a retry with the same idempotency key and the same bytes', async () => {
        const server = opens(
          await rawServer(({ socket, index }) => {
            if (index < 2) hangUp(socket);
            else socket.write(ok);
          }),
        );
        const payment = await client(server).payments.create(pix);
        expect(payment).toEqual(paid);
        expect(responseOf(payment).attempts).toBe(3);
        expect(new Set(server.requests.map(({ text }) => text)).size).toBe(1);
        expect(server.requests[0]?.headers['x-idempotency-key']).toBe(responseOf(payment).idempotencyKey);
      });

      test('causes no retry without an idempotency key, and makes the outcome unknown', async () => {
        const server = opens(await rawServer(({ socket }) => hangUp(socket)));
        const error = await catchError<PaymentPlatformError>(
          client(server).payments.create(pix, { idempotencyKey: null }),
        );
        expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
        expect(server.requests).toHaveLength(1);
      });

      test('causes a retry if the request only reads', async () => {
        const server = opens(
          await rawServer(({ socket, index }) => {
            if (index === 0) hangUp(socket);
            else socket.write(formatResponse('{"data":[]}'));
          }),
        );
        await expect(client(server).webhooks.list()).resolves.toEqual({ data: [] });
      });
    },
  );

  describe('a response with 60 KB of headers (row 8)', () => {
    const headers = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`x-pad-${index}`, 'x'.repeat(1_000)]),
    );
    const token = '{"access_token":"token-1","expires_in":3600}';
    const padded = () =>
      rawServer(({ socket, request }) =>
        socket.write(
          formatResponse(request.path === '/oauth/token' ? token : JSON.stringify(paid), { headers }),
        ),
      );

    test('is read on the node engine, but causes an error that names the limit on the ky engine', async () => {
      const server = opens(await padded());
      const call = client(server, { auth: 'oauth' }).payments.create(pix);
      if (engine === 'node') {
        await expect(call).resolves.toEqual(paid);
        expect(server.requests).toHaveLength(2);
      } else expect((await catchError(call)).message).toContain('--max-http-header-size');
    });

    test.runIf(engine === 'node')('is read on the node engine with an agent', async () => {
      const server = opens(await padded());
      const agent = new http.Agent();
      await expect(client(server, { agent }).payments.create(pix)).resolves.toEqual(paid);
      expect(server.requests).toHaveLength(1);
    });
  });

  describe('a response that is not HTTP (row 8)', () => {
    const garbage: [string, string][] = [
      ['half a status line', 'HTTP/1.1 20'],
      ['half of the headers', 'HTTP/1.1 200 OK\r\ncontent-le'],
      ['garbage', '\u0000\u0001\u0002 this is not HTTP\r\n\r\n'],
      ['two content-lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
      ['100 KB of headers', `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n`],
    ];
    test.each(garbage)(
      'makes the outcome unknown, and is retried only with an idempotency key: %s',
      async (_, text) => {
        const server = opens(await rawServer(({ socket }) => socket.end(text)));
        const keyed = await catchError<PaymentPlatformError>(client(server).payments.create(pix));
        expect(keyed).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 3 });
        const unkeyed = await catchError<PaymentPlatformError>(
          client(server).payments.create(pix, { idempotencyKey: null }),
        );
        expect(unkeyed).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
      },
    );
  });
});

test('a slow address is used if the host’s other address refuses the connection (row 3)', async () => {
  const listener = opens(await stalledListener(JSON.stringify(paid)));
  const timeouts: (number | undefined)[] = [];
  /** An agent that waits thirty times as long for each address, because this machine can be slow to accept. */
  class PatientAgent extends http.Agent {
    override createConnection(options: http.ClientRequestArgs & net.TcpNetConnectOpts) {
      const { autoSelectFamilyAttemptTimeout: timeout } = options;
      timeouts.push(timeout);
      return super.createConnection(
        Object.assign(options, { autoSelectFamilyAttemptTimeout: (timeout ?? 1) * 30 }),
      );
    }
  }
  const agent = new PatientAgent({
    lookup: (_, __, done) => {
      done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
      // By now the first packet is lost.
      listener.letIn();
    },
  });
  const platform = opens(
    clientOn('node', `http://slow.example:${listener.port}`, {
      agent,
      insecureHosts: ['slow.example'],
      maxRetries: 0,
      timeout: 120_000,
    }),
  );
  await expect(platform.payments.create(pix)).resolves.toEqual(paid);
  // The system resends a lost first packet after a second.
  expect(timeouts).toEqual([2_000]);
});

describe('a proxy that rejects CONNECT (row 2)', () => {
  test('causes no retry, and makes the outcome not-executed', async () => {
    const proxy = http.createServer();
    proxy.on('connect', (_, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    opens({ close: () => proxy.close() });
    /** An agent like those in proxy packages, which connects by CONNECT and fails with a code. */
    class ProxyAgent extends https.Agent {
      override createConnection(_: unknown, done?: (error: Error | null, socket: never) => void): undefined {
        const { port } = proxy.address() as net.AddressInfo;
        const connect = http.request({
          host: '127.0.0.1',
          port,
          method: 'CONNECT',
          path: 'platform.example:443',
        });
        connect.on('connect', (response, socket) => {
          socket.destroy();
          const error = Object.assign(new Error(`proxy responded ${response.statusCode}`), {
            code: 'ERR_PROXY_TUNNEL',
          });
          done?.(error, undefined as never);
        });
        connect.end();
      }
    }
    const platform = opens(clientOn('node', 'https://platform.example', { agent: new ProxyAgent() }));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-executed', attempts: 1 });
    expect(error.message).toContain('proxy');
  });
});

test('a stale connection uses up a retry on the ky engine, which cannot recognise it (row 7)', async () => {
  const server = opens(
    await rawServer(({ socket, index }) => {
      if (index === 1) socket.resetAndDestroy();
      else socket.write(ok);
    }),
  );
  const platform = opens(clientOn('ky', server.url));
  await platform.payments.create(pix);
  const payment = await platform.payments.create(pix, { idempotencyKey: 'order-1043' });
  expect(responseOf(payment).attempts).toBe(2);
  expect(server.requests.slice(1).map(({ headers }) => headers['x-idempotency-key'])).toEqual([
    'order-1043',
    'order-1043',
  ]);
});

describe('a keep-alive connection that the server has closed (row 7)', () => {
  /**
   * Responds to each connection's first request, and resets the connection at the second, like a server that
   * had closed it.
   */
  const staleServer = (afterwards: 'respond' | 'never') =>
    rawServer(({ socket, onConnection }) => {
      if (onConnection > 0 || (afterwards === 'never' && server !== undefined && server.requests.length > 1))
        socket.resetAndDestroy();
      else socket.write(ok);
    });
  let server: RawServer | undefined;

  test('causes one retry on a new connection for a write with an idempotency key, even with maxRetries 0', async () => {
    server = opens(await staleServer('respond'));
    const platform = opens(clientOn('node', server.url, { maxRetries: 0 }));
    await platform.payments.create(pix);
    const payment = await platform.payments.create(pix, { idempotencyKey: 'order-1043' });
    expect(payment).toEqual(paid);
    expect(responseOf(payment).attempts).toBe(2);
    expect(server.requests.map(({ headers }) => headers['x-idempotency-key']).slice(1)).toEqual([
      'order-1043',
      'order-1043',
    ]);
    expect(server.connections).toBe(2);
  });

  test('causes only one retry, and a second lost response makes the outcome unknown', async () => {
    server = undefined;
    server = opens(await staleServer('never'));
    const platform = opens(clientOn('node', server.url, { maxRetries: 0 }));
    await platform.payments.create(pix);
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 2 });
  });

  test('causes a retry of a write without a key if none of its bytes was sent', async () => {
    server = opens(await rawServer(({ socket }) => socket.write(ok)));
    const platform = opens(clientOn('node', server.url, { maxRetries: 0 }));
    await platform.payments.create(pix);
    // The reset arrives after the keep-alive connection is chosen, and before the first write.
    const emit = http.ClientRequest.prototype.emit;
    let resets = 1;
    vi.spyOn(http.ClientRequest.prototype, 'emit').mockImplementation(function (
      this: http.ClientRequest,
      ...args
    ) {
      const heard = emit.apply(this, args);
      if (args[0] === 'socket' && resets-- > 0) {
        const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
        (args[1] as unknown as net.Socket).destroy(reset);
      }
      return heard;
    });
    const payment = await platform.payments.create(pix, { idempotencyKey: null });
    expect(responseOf(payment).attempts).toBe(2);
    expect(server.requests).toHaveLength(2);
  });

  test('causes no retry of a write without a key if its bytes may have arrived', async () => {
    server = opens(await staleServer('respond'));
    const platform = opens(clientOn('node', server.url));
    await platform.payments.create(pix);
    const error = await catchError<PaymentPlatformError>(
      platform.payments.create(pix, { idempotencyKey: null }),
    );
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
    expect(server.requests).toHaveLength(2);
  });
});

describe('a request that may have been sent', () => {
  test('is not retried without an idempotency key if the agent provides its own kind of stream', async () => {
    const server = opens(await rawServer(({ socket }) => socket.resetAndDestroy()));
    /** An agent whose stream is not a net.Socket, like the stream of a tunnel. */
    class Tunnel extends http.Agent {
      override createConnection(): never {
        const inner = net.connect(server.port, '127.0.0.1');
        const outer = new Duplex({
          read: () => undefined,
          write: (chunk, _, done) => inner.write(chunk, done),
        });
        inner.on('data', (chunk) => outer.push(chunk));
        inner.on('error', (error) => outer.destroy(error));
        inner.on('close', () => outer.destroy());
        return outer as never;
      }
    }
    const platform = opens(clientOn('node', server.url, { agent: new Tunnel() }));
    const error = await catchError<PaymentPlatformError>(
      platform.payments.create(pix, { idempotencyKey: null }),
    );
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  test('has an unknown outcome if msw fails the request after its handler ran', async () => {
    const handled = vi.fn(() => HttpResponse.error());
    const network = setupServer(msw.post('https://platform.example/v1/payments', handled));
    network.listen();
    opens({ close: () => network.close() });
    const platform = opens(clientOn('node', 'https://platform.example'));
    const error = await catchError<PaymentPlatformError>(
      platform.payments.create(pix, { idempotencyKey: null }),
    );
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(handled).toHaveBeenCalledTimes(1);
  });
});

describe('the Node engine’s connections', () => {
  test('that are idle close with the client, but a running call completes', async () => {
    let release: (() => void) | undefined;
    const server = opens(
      await rawServer(({ socket, index }) => {
        if (index === 0) socket.write(ok);
        else release = () => socket.write(ok);
      }),
    );
    const platform = opens(clientOn('node', server.url));
    await platform.payments.create(pix);
    const underWay = platform.payments.create(pix, { idempotencyKey: null });
    await server.arrived(2);
    platform.close();
    release?.();
    await expect(underWay).resolves.toEqual(paid);
    await server.drained();
  });

  test('stay open when the client closes if they belong to the merchant’s agent', async () => {
    const server = opens(await rawServer(({ socket }) => socket.write(ok)));
    const agent = new http.Agent({ keepAlive: true });
    opens({ close: () => agent.destroy() });
    const platform = clientOn('node', server.url, { agent });
    await platform.payments.create(pix);
    platform.close();
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
    await platform.payments.create(pix);
    expect(server.connections).toBe(1);
  });

  test('keep no listeners of earlier calls, even if the merchant’s agent keeps the socket alive', async () => {
    const server = opens(await rawServer(({ socket }) => socket.write(ok)));
    const agent = new http.Agent({ keepAlive: true });
    opens({ close: () => agent.destroy() });
    const platform = opens(clientOn('node', server.url, { agent }));
    const listeners = () => {
      const [socket] = Object.values(agent.freeSockets).flat() as [net.Socket];
      return socket.eventNames().map((name) => [name, socket.listenerCount(name)]);
    };
    await platform.payments.create(pix);
    const afterFirst = listeners();
    for (let calls = 0; calls < 3; calls++) await platform.payments.create(pix);
    expect(listeners()).toEqual(afterFirst);
    expect(server.connections).toBe(1);
  });

  test('are limited to 100, and a call that gets none has the outcome not-executed', async () => {
    const held: net.Socket[] = [];
    const server = opens(await rawServer(({ socket }) => held.push(socket)));
    const platform = opens(clientOn('node', server.url));
    const first = Array.from({ length: 100 }, () => platform.payments.create(pix));
    await server.arrived(100);
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix, { timeout: 50 }));
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'not-executed' });
    expect(server.connections).toBe(100);
    for (const socket of held) socket.write(ok);
    await Promise.all(first);
    expect(server.requests).toHaveLength(100);
  });

  test('close while idle if one of them is stale, and the retry uses a new connection', async () => {
    const together: net.Socket[] = [];
    const server = opens(
      await rawServer(({ socket, onConnection }) => {
        if (onConnection > 0) socket.resetAndDestroy();
        else if (together.length < 5) {
          together.push(socket);
          if (together.length === 5) for (const one of together) one.write(ok);
        } else socket.write(ok);
      }),
    );
    const platform = opens(clientOn('node', server.url, { maxRetries: 0 }));
    await Promise.all(Array.from({ length: 5 }, () => platform.payments.create(pix)));
    const payment = await platform.payments.create(pix);
    expect(responseOf(payment).attempts).toBe(2);
    expect(server.connections).toBe(6);
  });

  test.each(['timeout', 'abort'])(
    'that are idle stay open if a call on another connection ends by %s',
    async (how) => {
      let held: net.Socket | undefined;
      const together: net.Socket[] = [];
      const server = opens(
        await rawServer(({ socket, index }) => {
          if (index === 5) held = socket;
          else together.push(socket);
          if (together.length === 5) for (const one of together.splice(0)) one.write(ok);
        }),
      );
      const platform = opens(clientOn('node', server.url, { maxRetries: 0 }));
      const five = () => Promise.all(Array.from({ length: 5 }, () => platform.payments.create(pix)));
      await five();
      const controller = new AbortController();
      const ended = catchError(
        platform.payments.create(pix, how === 'timeout' ? { timeout: 1_000 } : { signal: controller.signal }),
      );
      await server.arrived(6);
      const closed = once(held as unknown as net.Socket, 'close');
      controller.abort();
      expect(await ended).toMatchObject({ outcome: 'unknown', attempts: 1 });
      await closed;
      await five();
      // A new connection replaces the closed connection.
      expect(server.connections).toBe(6);
    },
  );

  test('that are stale in a merchant’s agent cause only one retry per call (row 7)', async () => {
    const together: net.Socket[] = [];
    const server = opens(
      await rawServer(({ socket, onConnection }) => {
        if (onConnection > 0) socket.resetAndDestroy();
        else if (together.push(socket) === 4) for (const one of together) one.write(ok);
      }),
    );
    const agent = new http.Agent({ keepAlive: true });
    opens({ close: () => agent.destroy() });
    const platform = opens(clientOn('node', server.url, { agent, maxRetries: 0 }));
    await Promise.all(Array.from({ length: 4 }, () => platform.payments.create(pix)));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 2 });
    expect(server.requests).toHaveLength(6);
  });
});

onBothEngines((engine) => {
  test('a JSON body is sent with a Content-Length, whatever the request’s method is', async () => {
    const server = opens(await rawServer(({ socket }) => socket.write(formatResponse('{}'))));
    const platform = opens(clientOn(engine, server.url));
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      await platform.request({ method, path: '/v1/x', body: { café: 1 } });
    }
    expect(server.requests.map(({ method, body }) => `${method} ${body}`)).toEqual(
      ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} {"café":1}`),
    );
    expect(new Set(server.requests.map(({ headers }) => headers['content-length']))).toEqual(new Set(['11']));
  });

  test('an abort in the hook onRequest prevents the request, and the call ends', async () => {
    const server = opens(await rawServer(() => undefined));
    const controller = new AbortController();
    const platform = opens(
      clientOn(engine, server.url, { hooks: { onRequest: () => controller.abort('changed my mind') } }),
    );
    const error = await catchError<PaymentPlatformError>(
      platform.payments.create(pix, { signal: controller.signal }),
    );
    expect(error).toMatchObject({
      name: 'AbortedError',
      outcome: 'not-executed',
      attempts: 0,
      cause: 'changed my mind',
    });
    expect(server.connections).toBe(0);
  });

  test('a protocol upgrade that the client did not request ends the attempt at once', async () => {
    const server = opens(
      await rawServer(({ socket }) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      ),
    );
    const platform = opens(clientOn(engine, server.url, { maxRetries: 0 }));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix, { timeout: 250_000 }));
    expect(error).toMatchObject({ outcome: 'unknown' });
    expect(error.name).not.toBe('TimeoutError');
  });
});
