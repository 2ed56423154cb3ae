import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import type { PaymentPlatform, PaymentPlatformError, ValidationError } from 'payment-platform';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, credentials, onBothEngines } from '../../support/engines.js';
import { id, paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

async function platformOn(engine: 'node' | 'ky') {
  const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(paid)))));
  return { server, platform: opens(clientOn(engine, server.url)) };
}

/** Creates an object with a property that throws when it is read. */
const throwing = (name: string, rest: object = {}): never =>
  Object.defineProperty({ ...rest }, name, {
    enumerable: true,
    get() {
      throw new RangeError('a getter of the caller');
    },
  }) as never;

/** Creates an object with a property whose value changes at each read. */
const shifting = (name: string, values: unknown[], rest: object = {}): never => {
  let reads = 0;
  return Object.defineProperty({ ...rest }, name, {
    enumerable: true,
    get: () => values[Math.min(reads++, values.length - 1)],
  }) as never;
};

onBothEngines((engine) => {
  describe('a getter that throws (row 62)', () => {
    const calls: [string, (platform: PaymentPlatform) => Promise<unknown>][] = [
      ['an option', (platform) => platform.payments.create(pix, throwing('timeout'))],
      ['a header', (platform) => platform.payments.create(pix, { headers: throwing('x-a') })],
      ['a field of the body', (platform) => platform.payments.create(throwing('amount', pix))],
      ['extraBody', (platform) => platform.payments.create(pix, { extraBody: throwing('a') })],
      ['the path of a request', (platform) => platform.request(throwing('path', { method: 'GET' }))],
      [
        'the query of a request',
        (platform) => platform.request({ method: 'GET', path: '/v1/x', query: throwing('a') }),
      ],
      ['a filter', (platform) => platform.certificates.list(throwing('type'))],
      ['a certificate', (platform) => platform.certificates.activate(id, throwing('certificate'))],
      ['a file', (platform) => platform.submerchants.create(throwing('documentFile'))],
    ];
    test.each(calls)('rejects with its own error before anything is sent: %s', async (_, call) => {
      const { server, platform } = await platformOn(engine);
      // A synchronous throw would not be a rejection.
      expect(await catchError(call(platform))).toMatchObject({ message: 'a getter of the caller' });
      expect(server.requests).toEqual([]);
    });
  });

  describe('a value that changes each time it is read (row 62)', () => {
    test('is sent in a header exactly as the SDK checked it', async () => {
      const { server, platform } = await platformOn(engine);
      await platform.payments.create(pix, { headers: shifting('x-a', ['good', 'bad\r\nx-evil: 1']) });
      expect(server.requests[0]?.headers['x-a']).toBe('good');
      expect(server.requests[0]?.text).not.toContain('x-evil');
    });

    test('is sent as an idempotency key exactly as the SDK checked it', async () => {
      const { server, platform } = await platformOn(engine);
      await platform.payments.create(pix, shifting('idempotencyKey', ['key-1', 'key-2\r\nx-evil: 1']));
      expect(server.requests[0]?.headers['x-idempotency-key']).toBe('key-1');
    });

    test('is read only once if it is a timeout, a signal or a field of a request', async () => {
      const { server, platform } = await platformOn(engine);
      await platform.payments.create(pix, shifting('timeout', [5_000, 'never']));
      await platform.payments.create(pix, shifting('signal', [undefined, 'none']));
      await platform.request(shifting('path', ['/v1/x', '//evil.example/'], { method: 'POST', body: {} }));
      expect(server.requests.map(({ path }) => path)).toEqual(['/v1/payments', '/v1/payments', '/v1/x']);
    });

    test('is sent in the body exactly as the SDK checked it', async () => {
      const { server, platform } = await platformOn(engine);
      await platform.payments.create(shifting('amount', [1990, 1], { ...pix, amount: undefined }));
      expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ amount: 1990 });
    });
  });

  describe('an oversized value (row 58)', () => {
    const sparse: unknown[] = [];
    sparse[1_700_000_000] = { title: 'x' };
    let shared: unknown = { end: true };
    for (let level = 0; level < 24; level++) shared = [shared, shared];
    const bombs: [string, unknown][] = [
      ['a sparse list', { ...pix, items: sparse }],
      ['a tree of shared references', { ...pix, metadata: { shared } }],
      ['a list of 200,000 values', { ...pix, metadata: { list: Array.from({ length: 200_000 }, () => 1) } }],
      ['90,000 invalid items', { ...pix, items: Array.from({ length: 90_000 }, () => null) }],
      // Each item causes three issues, which makes more issues than a function can take as arguments.
      ['99,000 empty items', { ...pix, items: Array.from({ length: 99_000 }, () => ({})) }],
      ['10 MB of bytes', { ...pix, metadata: { bytes: new Uint8Array(1e7) } }],
    ];
    test.each(bombs)('is rejected with a short message if it is %s', async (_, body) => {
      const { server, platform } = await platformOn(engine);
      const error = await catchError<ValidationError>(platform.payments.create(body as typeof pix));
      expect(error).toMatchObject({ name: 'ValidationError', attempts: 0 });
      expect(error.issues.length).toBeLessThanOrEqual(101);
      expect(error.message.length).toBeLessThan(20_000);
      expect(server.requests).toEqual([]);
    });

    test('is accepted if it is a String object of a million characters, and is sent as a string', async () => {
      const { server, platform } = await platformOn(engine);
      const text = 'x'.repeat(1e6);
      await platform.payments.create({
        ...pix,
        metadata: { text: new String(text), count: new Number(2) },
      });
      expect(JSON.parse(server.requests[0]?.body ?? '').metadata).toEqual({ text, count: 2 });
    });

    test.each([
      [
        'a header of 10 MB',
        (p: PaymentPlatform) => p.payments.create(pix, { headers: { 'x-a': 'a'.repeat(1e7) } }),
      ],
      [
        'a query of 100,000 names',
        (p: PaymentPlatform) =>
          p.request({
            method: 'GET',
            path: '/v1/x',
            query: Object.fromEntries(Array.from({ length: 1e5 }, (_, index) => [`n${index}`, 1])),
          }),
      ],
      [
        'a form of 1,001 fields',
        (p: PaymentPlatform) =>
          p.submerchants.create(
            Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`n${index}`, '1'])),
          ),
      ],
      [
        'a document number of 10 MB',
        (p: PaymentPlatform) => p.submerchants.create({ documentNumber: '1.'.repeat(5e6) }),
      ],
    ])('is rejected before anything is sent if it is %s', async (_, call) => {
      const { server, platform } = await platformOn(engine);
      expect(await catchError(call(platform))).toMatchObject({ name: 'ValidationError' });
      expect(server.requests).toEqual([]);
    });

    test('is rejected before anything is sent if it is a sparse list in a query', async () => {
      const { platform } = await platformOn(engine);
      const call = platform.request({ method: 'GET', path: '/v1/x', query: { list: sparse } });
      expect(await catchError(call)).toMatchObject({ name: 'ValidationError' });
    });
  });

  test('50 calls with one abort signal share one listener, and remove it at the end', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    const { server, platform } = await platformOn(engine);
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    await Promise.all(Array.from({ length: 50 }, () => platform.payments.create(pix, { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
    expect(server.requests).toHaveLength(50);
    expect(added).toHaveBeenCalledTimes(1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('an abort ends every running call that shares the signal', async () => {
    const server = opens(await rawServer(() => undefined));
    const platform = opens(clientOn(engine, server.url));
    const controller = new AbortController();
    const calls = Array.from({ length: 20 }, () =>
      catchError(platform.payments.create(pix, { signal: controller.signal })),
    );
    await server.arrived(20);
    controller.abort();
    for (const error of await Promise.all(calls))
      expect(error).toMatchObject({ name: 'AbortedError', outcome: 'unknown' });
  });
});

describe('a global Error that other code has changed (row 62)', () => {
  const { prepareStackTrace } = Error;
  afterEach(() => {
    Error.prepareStackTrace = prepareStackTrace;
  });

  onBothEngines((engine) => {
    test('does not change a call’s error if its prepareStackTrace returns an array', async () => {
      const server = opens(await rawServer(({ socket }) => socket.destroy()));
      const platform = opens(clientOn(engine, server.url, { maxRetries: 0 }));
      Error.prepareStackTrace = (_, frames) => frames;
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
      Error.prepareStackTrace = prepareStackTrace;
      expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
      expect(error.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    });
  });
});

test('inspect with showHidden does not show a client’s secret', async () => {
  const { platform } = await platformOn('node');
  expect(inspect(platform, { showHidden: true, depth: 9 })).not.toContain(credentials.clientSecret);
});
