import { describe, expect, test, vi } from 'vitest';
import {
  errorCode,
  errorOrCauseCode,
  notConnected,
  reasonBeforeSending,
  withHint,
} from '../../../src/platform/node-failures.js';
import {
  maxBodyBytes,
  tooLargeFailure,
  unsendableFailure,
  unsentFailure,
} from '../../../src/transport/send/http-client.js';

const failed = (fields: object = {}, cause?: unknown) =>
  Object.assign(new Error('failed', cause === undefined ? undefined : { cause }), fields);

describe('the code of a network error', () => {
  test('is returned by errorCode if it is a string, and is otherwise empty', () => {
    expect(errorCode(failed({ code: 'ECONNRESET' }))).toBe('ECONNRESET');
    for (const none of [failed(), failed({ code: 7 }), { code: 'ECONNRESET' }, null, 'X'])
      expect(errorCode(none)).toBe('');
  });

  test('is replaced with the cause’s code by errorOrCauseCode if it is missing', () => {
    expect(errorOrCauseCode(failed({ code: 'EPIPE' }, failed({ code: 'ENOENT' })))).toBe('EPIPE');
    expect(errorOrCauseCode(failed({}, failed({ code: 'ENOENT' })))).toBe('ENOENT');
    expect(errorOrCauseCode(failed({}, failed({}, failed({ code: 'ENOENT' }))))).toBe('');
    for (const none of [null, undefined, 'x', failed()]) expect(errorOrCauseCode(none)).toBe('');
  });
});

describe('reasonBeforeSending', () => {
  const findKind = (error: unknown) => reasonBeforeSending(error)?.kind;

  test.each([
    ['certificate', { code: 'CERT_HAS_EXPIRED' }],
    ['certificate', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
    ['proxy', { code: 'ERR_PROXY_TUNNEL' }],
    ['proxy', { code: 'ERR_PROXY_INVALID_CONFIG' }],
    ['proxy', { code: 'ERR_PROXY_TUNNEL', statusCode: 407 }],
    ['proxy', { code: 'ERR_PROXY_TUNNEL', statusCode: 499 }],
    ['connect', { code: 'ERR_PROXY_TUNNEL', statusCode: 500 }],
    ['connect', { code: 'ERR_PROXY_TUNNEL', statusCode: 599 }],
    ['proxy', { code: 'ERR_PROXY_TUNNEL', statusCode: 600 }],
    ['proxy', { code: 'ERR_PROXY_TUNNEL', statusCode: '502' }],
    ['proxy', { code: 'ERR_PROXY_TUNNEL', statusCode: Number.NaN }],
    ['connect', { syscall: 'connect', code: 'ECONNREFUSED' }],
    ['connect', { syscall: 'connect' }],
    ['connect', { syscall: 'getaddrinfo', code: 'ENOTFOUND' }],
    ['connect', { syscall: 'queryAaaa' }],
    ['connect', { code: 'UND_ERR_CONNECT_TIMEOUT' }],
    ['connect', { code: 'ECONNREFUSED', errno: 0, path: 'http://127.0.0.1:1/v1/payments' }],
  ])('returns %s for %j', (kind, fields) => {
    const error = failed(fields);
    expect(findKind(error)).toBe(kind);
    expect(findKind(failed({}, error))).toBe(kind);
  });

  test.each([
    {},
    { code: 'ECONNREFUSED' },
    { code: 'ECONNREFUSED', errno: 0 },
    { code: 'ECONNREFUSED', errno: -111, path: '/run/platform.sock' },
    { code: 'ECONNRESET', errno: 0, path: 'http://127.0.0.1:1/v1/payments' },
    { code: 'EHOSTUNREACH', syscall: 'read' },
    { syscall: 'read' },
    { syscall: 'reconnect' },
    { syscall: 'myquery' },
    { syscall: 7 },
    { code: 'CERT' },
    { code: 'UND_ERR_SOCKET' },
  ])('returns undefined for %j', (fields) => {
    expect(reasonBeforeSending(failed(fields))).toBeUndefined();
  });

  test('returns undefined for a value that is not an Error', () => {
    for (const thrown of [undefined, null, 'ECONNREFUSED', { syscall: 'connect' }])
      expect(reasonBeforeSending(thrown)).toBeUndefined();
  });

  test('looks at causes up to four levels deep if the error has no code', () => {
    const connect = failed({ syscall: 'connect' });
    expect(findKind(failed({ code: 'ECONNRESET' }, connect))).toBeUndefined();
    const behind = (depth: number): Error => (depth === 0 ? connect : failed({}, behind(depth - 1)));
    expect(findKind(behind(4))).toBe('connect');
    expect(findKind(behind(5))).toBeUndefined();
  });

  test('returns connect only if the connection failed for every address', () => {
    const connect = failed({ syscall: 'connect', code: 'ECONNREFUSED' });
    const read = failed({ syscall: 'read', code: 'ECONNRESET' });
    expect(findKind(new AggregateError([connect, connect]))).toBe('connect');
    expect(findKind(new AggregateError([connect, read]))).toBeUndefined();
    expect(findKind(new AggregateError([read]))).toBeUndefined();
    expect(findKind(new AggregateError([connect, { syscall: 'connect' }]))).toBeUndefined();
    expect(findKind(new AggregateError([connect, null]))).toBeUndefined();
    expect(findKind(new AggregateError([]))).toBeUndefined();
    expect(findKind(Object.assign(new AggregateError([]), { syscall: 'connect' }))).toBe('connect');
    // The inner errors say more than the AggregateError around them.
    expect(findKind(Object.assign(new AggregateError([read]), { syscall: 'connect' }))).toBeUndefined();
    expect(findKind(failed({ syscall: 'connect', errors: [read] }))).toBe('connect');
  });
});

test('each kind of connection failure has its own message', () => {
  const describeRejection = (fields: object) =>
    reasonBeforeSending(failed({ code: 'ERR_PROXY_TUNNEL', ...fields }))?.message;
  expect(describeRejection({})).toBe('the proxy rejected the connection (ERR_PROXY_TUNNEL)');
  expect(describeRejection({ statusCode: 407 })).toBe(
    'the proxy rejected the connection (CONNECT got a 407)',
  );
  expect(describeRejection({ statusCode: 502 })).toBe('the proxy could not connect (CONNECT got a 502)');
  expect(withHint('')).toBe('');
  expect(withHint('X')).toBe(' (X)');
  const cause = new Error('x');
  const unsent = unsentFailure(notConnected('X'), cause);
  expect(unsent).toMatchObject({ kind: 'connect', sent: false, details: { cause } });
  expect(notConnected('ECONNREFUSED').message).toContain('(ECONNREFUSED)');
  expect(unsendableFailure(cause)).toMatchObject({ kind: 'unsendable', sent: false, details: { cause } });
  const head = { status: 200, header: () => undefined, headers: () => ({}) };
  const tooLarge = tooLargeFailure(head);
  expect(tooLarge).toMatchObject({ kind: 'too-large', sent: true, details: { head } });
  expect(tooLarge.message).toContain(String(maxBodyBytes));
});

describe('the environment’s proxy in a hint about a failed connection', () => {
  const hint = (code: string) => /and (\w+) is set/.exec(notConnected(code).message)?.[1];

  test('is named if the network is unreachable and Node does not use that proxy', () => {
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'NODE_USE_ENV_PROXY']) vi.stubEnv(name, undefined);
    expect(hint('ENOTFOUND')).toBeUndefined();
    for (const name of ['https_proxy', 'HTTPS_PROXY']) {
      vi.stubEnv(name, 'http://proxy.example:3128');
      expect(hint('ENOTFOUND')).toBe(name);
      expect(hint('EMFILE')).toBeUndefined();
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    expect(hint('ENOTFOUND')).toBeUndefined();
  });
});
