import { Readable } from 'node:stream';
import type { PaymentPlatformError } from 'payment-platform';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { pf } from '../../support/onboarding.js';
import { paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

const clientWith = (fetch: typeof globalThis.fetch) =>
  opens(clientOn('ky', 'https://platform.example', { fetch, maxRetries: 0 }));

/** Creates a response as from a third-party fetch. */
const createResponse = (overrides: object): Response =>
  Object.assign(Object.create(null), {
    status: 201,
    ok: true,
    type: 'default',
    headers: new Headers({ 'content-type': 'application/json' }),
    body: Readable.from([Buffer.from(JSON.stringify(paid))]),
    ...overrides,
  });

describe('a function `fetch` from a library', () => {
  test('receives a URL string and a full init, because it may not support Request', async () => {
    const calls: unknown[][] = [];
    const platform = clientWith(async (...args) => {
      calls.push(args);
      return Response.json(paid);
    });
    await platform.payments.create(pix, { idempotencyKey: 'order-1042' });
    expect(calls).toEqual([
      [
        'https://platform.example/v1/payments',
        expect.objectContaining({
          method: 'POST',
          body: JSON.stringify(pix),
          redirect: 'manual',
          signal: expect.any(AbortSignal),
        }),
      ],
    ]);
    const [[, init] = []] = calls;
    expect(Object.fromEntries((init as RequestInit).headers as [string, string][])).toMatchObject({
      'x-idempotency-key': 'order-1042',
      'content-type': 'application/json',
    });
  });

  test('may return a response whose body is a Node stream', async () => {
    const platform = clientWith(async () => createResponse({}));
    expect(await platform.payments.create(pix)).toEqual(paid);
  });

  test.each([
    ['no status', { status: undefined }],
    ['a status that is a string', { status: 'polluted' }],
    ['the status NaN', { status: Number.NaN }],
    ['the response of a redirect target', { redirected: true }],
    ['a body of strings', { body: Readable.from(['text']) }],
    ['a body of chunks without bytes', { body: Readable.from([{}, undefined, {}]) }],
  ])('causes an error and an unknown outcome, never a result, if it returns %s', async (_, overrides) => {
    const error = await catchError<PaymentPlatformError>(
      clientWith(async () => createResponse(overrides)).payments.create(pix),
    );
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });

  test.each([undefined, null, {}, 'response'])(
    'is named as the cause in the error if it returns %j',
    async (value) => {
      let calls = 0;
      const platform = clientOn('ky', 'https://platform.example', {
        fetch: async () => {
          calls++;
          return value as unknown as Response;
        },
      });
      const error = await catchError<PaymentPlatformError>(opens(platform).payments.create(pix));
      expect(error.message).toContain('the option fetch did not return a Response');
      expect({ calls, ...error.toJSON() }).toMatchObject({
        calls: 1,
        name: 'UnreadableResponseError',
        outcome: 'unknown',
      });
    },
  );

  test('causes an error about the missing final status if it returns Response.error()', async () => {
    const error = await catchError(clientWith(async () => Response.error()).payments.create(pix));
    expect(error.message).toContain('the response has no final HTTP status (0)');
  });

  test('cannot delay a call beyond its deadline with a stream of empty chunks', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array()) });
    const platform = clientWith(async () => new Response(body));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix, { timeout: 500 }));
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'unknown' });
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['a string', 'a page'],
  ])('causes a typed error and an unknown outcome if it returns %s', async (_, result) => {
    const error = await catchError<PaymentPlatformError>(
      clientWith(async () => result as never).payments.create(pix),
    );
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
  });
});

test('an agent that throws causes the outcome not-executed (row 57)', async () => {
  const agent = {
    maxSockets: 1,
    destroy: () => undefined,
    addRequest: () => {
      throw new TypeError('no such method');
    },
  };
  const platform = clientOn('node', 'http://127.0.0.1:9', { agent });
  const error = await catchError<PaymentPlatformError>(
    platform.submerchants.withdrawals.create({ amount: 1 }),
  );
  expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not-executed', attempts: 1 });
});

describe('a failure before a byte reaches the network (row 57)', () => {
  afterEach(() => {
    vi.doUnmock('ky');
    vi.doUnmock('form-data');
    vi.resetModules();
    vi.unstubAllGlobals();
  });

  onBothEngines((engine) => {
    // In the built files, a mock cannot replace a package that is bundled or built as a separate file.
    test.skipIf(process.env.BUILT)(
      'causes a ConfigurationError and no retry if the form encoder throws',
      async () => {
        const server = opens(await rawServer(({ socket }) => socket.end(formatResponse('{}'))));
        if (engine === 'ky') {
          vi.stubGlobal(
            'ReadableStream',
            class {
              constructor() {
                throw new TypeError('setBoundary is not a function');
              }
            },
          );
        } else vi.doMock('form-data', () => ({ default: class {} }));
        // Imports the modules again, so that the mock is loaded.
        vi.resetModules();
        const { PaymentPlatform: Fresh } = await import('payment-platform');
        const retries: unknown[] = [];
        const platform = opens(
          new Fresh({
            baseUrl: server.url,
            clientId: 'merchant-1',
            clientSecret: 'not-a-real-secret',
            hooks: { onRetry: (event) => retries.push(event) },
            ...(engine === 'ky' && { fetch: globalThis.fetch }),
          }),
        );
        const error = await catchError<PaymentPlatformError>(platform.onboarding.submitPf(pf));
        expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not-executed' });
        expect(error.message).toContain('setBoundary is not a function');
        expect(error.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
        expect(retries).toEqual([]);
        expect(server.requests).toEqual([]);
      },
    );
  });

  test.skipIf(process.env.BUILT)(
    'causes a ConfigurationError in every call if the bundle lacks ky',
    async () => {
      vi.resetModules();
      vi.doMock('ky', () => {
        throw new Error('Cannot find module ky');
      });
      const { PaymentPlatform: Fresh } = await import('payment-platform');
      const fetch = vi.fn();
      const platform = new Fresh({
        baseUrl: 'https://platform.example',
        clientId: 'a',
        clientSecret: 'not-a-real-secret',
        fetch,
      });
      for (let turn = 0; turn < 2; turn++) {
        const error = await catchError<PaymentPlatformError>(
          platform.submerchants.withdrawals.create({ amount: 1 }),
        );
        expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not-executed', attempts: 0 });
      }
      expect(fetch).not.toHaveBeenCalled();
    },
  );
});
