import https from 'node:https';
import net from 'node:net';
import type { PaymentPlatformError } from 'payment-platform';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { errorCode, notConnected } from '../../../src/platform/node-failures.js';
import { certificate } from '../../support/certificate.js';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const broken = (code: string, syscall?: string) =>
  Object.assign(new Error(`${syscall ?? 'write'} ${code}`), {
    code,
    ...(syscall !== undefined && { syscall }),
  });

/** Lists error codes after a sent request, although the codes suggest that nothing was sent. */
const misleading: [code: string, syscall: string | undefined][] = [
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTDOWN'].map(
    (code): [string, string] => [code, 'read'],
  ),
  ['EHOSTUNREACH', 'write'],
  ['ECONNREFUSED', undefined],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', undefined],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', undefined],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', undefined],
  ['EPROXY', undefined],
  ['ERR_PROXY_CONNECTION_LOST', undefined],
  ['NOT_SIGNED_IN', undefined],
  // The error comes from another connection, opened by a fetch or an agent after the request was sent.
  ['ECONNREFUSED', 'connect'],
  ['ENOTFOUND', 'getaddrinfo'],
  ['UND_ERR_CONNECT_TIMEOUT', undefined],
  ['CERT_HAS_EXPIRED', undefined],
  ['ERR_PROXY_TUNNEL', undefined],
];

/**
 * Creates a client that loses its connection with an error after the platform has read the request. On Node,
 * an agent's socket fails. Elsewhere, a fetch rejects.
 */
async function failingAfterSending(engine: 'node' | 'ky', error: Error) {
  let fail = () => {};
  const server = opens(await rawServer(() => fail()));
  if (engine === 'ky') {
    const fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
      const sent = globalThis.fetch(input, init);
      sent.catch(() => undefined);
      await new Promise<void>((resolve) => {
        fail = resolve;
      });
      throw new TypeError('fetch failed', { cause: error });
    };
    return { server, platform: opens(clientOn(engine, server.url, { fetch, timeout: 5_000 })) };
  }
  const { Agent } = await import('node:http');
  const agent = new Agent({ keepAlive: false });
  agent.createConnection = (options) => {
    const socket = net.connect(options as net.NetConnectOpts);
    fail = () => socket.destroy(error);
    return socket;
  };
  return { server, platform: opens(clientOn(engine, server.url, { agent, timeout: 5_000 })) };
}

onBothEngines((engine) => {
  describe('a connection that breaks after the platform has read the request', () => {
    test.each(misleading)(
      'with code %s and syscall %s makes a withdrawal’s outcome unknown, and the withdrawal is sent once (row 56)',
      async (code, syscall) => {
        const { server, platform } = await failingAfterSending(engine, broken(code, syscall));
        const error = await catchError<PaymentPlatformError>(
          platform.submerchants.withdrawals.create({ amount: 5_000 }),
        );
        expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
        expect(server.requests).toHaveLength(1);
      },
    );

    test.each(misleading)(
      'with code %s and syscall %s makes a payment’s outcome unknown, even in a wrapped error (row 56)',
      async (code, syscall) => {
        const wrapped = new Error('proxied', { cause: broken(code, syscall) });
        const { platform } = await failingAfterSending(
          engine,
          engine === 'ky' ? wrapped : broken(code, syscall),
        );
        const error = await catchError<PaymentPlatformError>(
          platform.payments.create(pix, { maxRetries: 0 }),
        );
        expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
        expect(error.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
      },
    );
  });
});

describe('a fetch error about the connection to a host, on the ky engine', () => {
  const early: [string, Error][] = [
    ['a refused connection', broken('ECONNREFUSED', 'connect')],
    ['an unreachable host', broken('EHOSTUNREACH', 'connect')],
    ['an unknown host name', broken('ENOTFOUND', 'getaddrinfo')],
    ['a failed DNS query', broken('ENOTFOUND', 'queryA')],
    ['a connect timeout', broken('UND_ERR_CONNECT_TIMEOUT')],
    [
      'refused connections at every address',
      new AggregateError([broken('ECONNREFUSED', 'connect'), broken('EHOSTUNREACH', 'connect')]),
    ],
    ['an untrusted certificate', broken('DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['a certificate for another name', broken('ERR_TLS_CERT_ALTNAME_INVALID')],
    ['a proxy without a tunnel', broken('ERR_PROXY_TUNNEL')],
  ];
  const clientThat = (cause: unknown) => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause })));
    return opens(clientOn('ky', 'https://platform.example'));
  };
  afterEach(() => void vi.unstubAllGlobals());

  test.each(early)(
    'means not-executed if no address of the host was reached: %s (row 1)',
    async (_, cause) => {
      const call = clientThat(cause).submerchants.withdrawals.create({ amount: 1 }, { maxRetries: 0 });
      expect(await catchError<PaymentPlatformError>(call)).toMatchObject({
        name: 'ConnectionError',
        outcome: 'not-executed',
      });
    },
  );

  test('makes the outcome unknown if the connection to one of several addresses succeeded', async () => {
    const cause = new AggregateError([broken('ECONNREFUSED', 'connect'), broken('ECONNRESET', 'read')]);
    const call = clientThat(cause).submerchants.withdrawals.create({ amount: 1 });
    expect(await catchError<PaymentPlatformError>(call)).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });

  test.each([
    ['an object without a prototype', Object.create(null)],
    ['an error whose message is not a string', Object.assign(new Error(), { message: { not: 'text' } })],
    [
      'an error whose code throws',
      Object.defineProperty(new Error('x'), 'code', {
        get() {
          throw new Error('no');
        },
      }),
    ],
    [
      'an error whose cause throws',
      Object.defineProperty(new Error('x'), 'cause', {
        get() {
          throw new Error('no');
        },
      }),
    ],
    ['a symbol', Symbol('no')],
    ['undefined', undefined],
    [
      'a proxy that throws',
      new Proxy(new Error('x'), {
        get() {
          throw new Error('no');
        },
      }),
    ],
  ])('that is %s causes a typed error and an unknown outcome (row 62)', async (_, thrown) => {
    const platform = opens(
      clientOn('ky', 'https://platform.example', { fetch: () => Promise.reject(thrown) }),
    );
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix, { maxRetries: 0 }));
    expect(error).toMatchObject({ code: expect.any(String), outcome: 'unknown', attempts: 1 });
  });
});

test('a TLS alert after the request makes the outcome unknown, and a write without a key is sent once (row 56)', async () => {
  let handled = 0;
  const server = https.createServer(
    { ...certificate, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' },
    (_, response) => {
      handled++;
      response.end(JSON.stringify(paid));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opens({ close: () => server.close() });
  const { port } = server.address() as net.AddressInfo;
  const agent = new https.Agent({
    ca: certificate.cert,
    lookup: (_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  const platform = opens(clientOn('node', `https://localhost:${port}`, { agent }));
  const error = await catchError<PaymentPlatformError>(
    platform.submerchants.withdrawals.create({ amount: 1 }),
  );
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
  expect((error.cause as { code?: string }).code).toMatch(/^ERR_SSL_.*CERTIFICATE_REQUIRED$/);
  expect(handled).toBe(0);
});

test('if the agent destroys the socket before it is used, the outcome is not-executed (row 1)', async () => {
  const agent = new https.Agent({
    // The value is not an address, so the socket fails before the agent passes the socket on.
    lookup: (_, __, done) => done(null, 'nowhere', 4),
  });
  const platform = opens(clientOn('node', 'https://localhost:9', { agent }));
  const error = await catchError<PaymentPlatformError>(
    platform.submerchants.withdrawals.create({ amount: 1 }),
  );
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-executed', attempts: 3 });
});

describe('a withdrawal that gets a 4xx', () => {
  const each = (statuses: number[], outcome: string) =>
    statuses.map((status): [number, string] => [status, outcome]);
  const rejected = [400, 401, 403, 404, 405, 407, 410, 411, 413, 414, 415, 421, 422, 426, 428, 431, 429];
  const open = [402, 406, 408, 409, 412, 416, 417, 418, 423, 424, 425, 444, 449, 451, 460, 498, 499];
  test.each([...each(rejected, 'not-executed'), ...each(open, 'unknown')])(
    'with the status %i has the outcome %s, and is not retried (row 16)',
    async (status, outcome) => {
      const server = opens(await rawServer(({ socket }) => socket.end(formatResponse('{}', { status }))));
      const platform = opens(clientOn('node', server.url, { maxRetries: 0 }));
      const error = await catchError<PaymentPlatformError>(
        platform.submerchants.withdrawals.create({ amount: 1 }),
      );
      expect(error).toMatchObject({ outcome, status, attempts: 1 });
    },
  );
});

describe('the message of a failed connection', () => {
  const describeFailure = (code: string) => notConnected(code).message;

  test.each([
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'certificate required'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'unknown ca'],
  ])('names the TLS alert in %s', (code, alert) => {
    expect(describeFailure(code)).toBe(
      `the connection failed (${code}: the server sent the TLS alert "${alert}")`,
    );
  });

  test.each([
    'ERR_SSL_WRONG_SIGNATURE_TYPE',
    'X_ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN CA',
  ])('names no TLS alert for %s', (code) =>
    expect(describeFailure(code)).toBe(`the connection failed (${code})`),
  );

  test.each([
    [
      'write EPROTO 1:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../x.c:332:',
      'ERR_SSL_WRONG_VERSION_NUMBER',
    ],
    ['SSL routines:tls:tlsv1 alert unknown ca', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'],
    ['SSL routines:tls:Not A Reason:x', 'EPROTO'],
    ['write EPROTO', 'EPROTO'],
  ])('contains the code that corresponds to OpenSSL’s message %j', (message, code) => {
    expect(errorCode(Object.assign(new Error(message), { code: 'EPROTO' }))).toBe(code);
  });
});
