import { type PaymentPlatformError, responseOf } from 'payment-platform';
import { sign, verify, verifyAsync } from 'payment-platform/webhooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../../support/engines.js';
import { id, paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

const nests: [string, string][] = [
  ['62 KB of opened lists', '['.repeat(62_000)],
  ['62 KB of opened objects', '{"a":'.repeat(12_400)],
  ['129 lists', `${'['.repeat(129)}${']'.repeat(129)}`],
  ['129 objects', `${'{"a":'.repeat(129)}1${'}'.repeat(129)}`],
  ['500,000 lists', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  ['500,000 lists in an object', `{"id":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
  ['lists and objects in turns', `${'{"a":['.repeat(65)}1${']}'.repeat(65)}`],
];

onBothEngines((engine) => {
  async function createClient(
    body: string | Buffer,
    options: Parameters<typeof formatResponse>[1] = {},
    hooks = {},
    maxRetries = 0,
  ) {
    const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(body, options))));
    return { server, platform: opens(clientOn(engine, server.url, { maxRetries, hooks })) };
  }

  describe('a deeply nested response (row 58)', () => {
    test.each(nests)(
      'causes the usual ServerError and an unknown outcome if it is a 500 with %s',
      async (_, body) => {
        const { platform } = await createClient(body, { status: 500 });
        const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
        expect(error).toMatchObject({ name: 'ServerError', outcome: 'unknown', status: 500 });
        expect(error.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
      },
    );

    test.each(nests)('is unreadable and not retried if it is a 200 with %s', async (_, body) => {
      const { server, platform } = await createClient(body);
      const error = await catchError<PaymentPlatformError>(platform.payments.create(pix, { maxRetries: 2 }));
      expect(error).toMatchObject({ name: 'UnreadableResponseError', outcome: 'unknown', attempts: 1 });
      expect(server.requests).toHaveLength(1);
    });

    test('is read if it has 128 levels of nesting', async () => {
      const nested = `${'['.repeat(126)}${']'.repeat(126)}`;
      const { platform } = await createClient(`{"id":"x","more":{"deep":${nested}}}`);
      expect(await platform.payments.create(pix)).toMatchObject({ id: 'x' });
    });
  });

  test('a response with more than 100,000 values is unreadable (row 58)', async () => {
    const { platform } = await createClient(`{"data":[${'{},'.repeat(300_000)}{}]}`);
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error).toMatchObject({ name: 'UnreadableResponseError', outcome: 'unknown' });
    expect(error.message).toContain('more than 100000 values');
  });

  test('a list of 49,990 entries with drift is returned, and at most 101 issues are reported (row 58)', async () => {
    const drifts: { issues: readonly { path: string; message: string }[] }[] = [];
    const hooks = { onDrift: (event: (typeof drifts)[number]) => void drifts.push(event) };
    const { platform } = await createClient(`{"data":[${'{},'.repeat(49_989)}{}]}`, {}, hooks);
    const { data } = await platform.certificates.list();
    expect(data).toHaveLength(49_990);
    expect(drifts).toHaveLength(1);
    const [{ issues } = { issues: [] }] = drifts;
    expect(issues.length).toBeLessThanOrEqual(101);
    expect(issues[0]).toEqual({ path: 'data.0.id', message: 'is required' });
    expect(issues.at(-1)).toEqual({ path: '', message: expect.stringMatching(/^has \d+ more problems$/) });
  });

  test('a response of 200,000 chunks of one byte needs little memory (row 58)', async () => {
    const body = JSON.stringify({ ...paid, note: 'x'.repeat(200_000) });
    const chunks = Buffer.from(
      Array.from(body, (character) => `1\r\n${character}\r\n`)
        .join('')
        .concat('0\r\n\r\n'),
    );
    const server = opens(
      await rawServer(({ socket }) => {
        socket.write(
          'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
        );
        socket.end(chunks);
      }),
    );
    const platform = opens(clientOn(engine, server.url));
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }, 2);
    const payment = await platform.payments.create(pix);
    clearInterval(watch);
    expect(payment).toMatchObject({ note: 'x'.repeat(200_000) });
    expect(most).toBeLessThan(32 * chunks.length);
  });

  test('numbers that a double cannot represent are returned as strings (row 49)', async () => {
    const { platform } = await createClient(
      '{"id":"x","a":1e400,"b":-1E+999,"c":12345678901234567890,"d":1e2,"e":[1e309]}',
    );
    expect(await platform.payments.create(pix)).toEqual({
      id: 'x',
      a: '1e400',
      b: '-1E+999',
      c: '12345678901234567890',
      d: 100,
      e: ['1e309'],
    });
  });

  test('a withdraw_id beyond 2^53 is not reported as drift, and the SDK can send it to the platform again', async () => {
    const drifts: unknown[] = [];
    const { server, platform } = await createClient(
      '{"withdraw_id":9007199254740993,"status":"paid_out"}',
      {},
      { onDrift: (event: unknown) => drifts.push(event) },
    );
    const { withdraw_id } = await platform.submerchants.withdrawals.create<{ withdraw_id: number }>({
      amount: 1,
    });
    expect(withdraw_id).toBe('9007199254740993');
    await platform.submerchants.withdrawals.retrieve(withdraw_id);
    expect(server.requests[1]?.path).toBe('/v1/submerchants/withdrawals/9007199254740993');
    expect(drifts).toEqual([]);
  });

  describe('a success response with an undocumented body', () => {
    /**
     * Lists calls with their number of requests after an unreadable response. The number is one if a retry
     * could do harm.
     */
    const calls: [string, number, (platform: ReturnType<typeof clientOn>) => Promise<object>][] = [
      [
        'submerchants.update',
        3,
        (platform) => platform.submerchants.update(id, { url: 'https://shop.example' }),
      ],
      ['submerchants.create', 3, (platform) => platform.submerchants.create({ phone: '1' })],
      ['withdrawals.create', 1, (platform) => platform.submerchants.withdrawals.create({ amount: 1 })],
      ['webhooks.update', 3, (platform) => platform.webhooks.update(id, { events: [] })],
      ['vault.tokenize', 1, (platform) => platform.vault.tokenize({ number: '4111111111111111' })],
    ];
    beforeEach(() => {
      // Sets full jitter to its lower end, so that retries follow at once.
      vi.spyOn(Math, 'random').mockReturnValue(0);
    });
    const bodies: [string, string, Record<string, string>, unknown][] = [
      ['an empty object for an empty body', '', {}, {}],
      ['a string', 'OK', { 'content-type': 'text/plain' }, { value: 'OK' }],
      ['a JSON string', '"OK"', {}, { value: 'OK' }],
      ['true', 'true', {}, { value: true }],
      ['null', 'null', {}, { value: null }],
      ['a number with a known length', '12', {}, { value: 12 }],
      ['a list', '[1]', {}, [1]],
      ['an object', '{"a":1}', {}, { a: 1 }],
      [
        'an object with another content type',
        '{"a":1}',
        { 'content-type': 'application/vnd.platform+json' },
        { a: 1 },
      ],
    ];
    for (const [name, attempts, call] of calls) {
      test.each(bodies)(`${name} returns %s after one request`, async (_, body, headers, result) => {
        const { server, platform } = await createClient(body, { headers }, {}, 2);
        const received = await call(platform);
        expect(received).toEqual(result);
        expect(responseOf(received)).toMatchObject({ status: 200, attempts: 1 });
        expect(server.requests).toHaveLength(1);
      });

      test(`${name} returns an empty object for a 204`, async () => {
        const server = opens(await rawServer(({ socket }) => socket.end('HTTP/1.1 204 No Content\r\n\r\n')));
        expect(await call(opens(clientOn(engine, server.url)))).toEqual({});
        expect(server.requests).toHaveLength(1);
      });

      test.each([
        ['a page', '<html>login</html>', { 'content-type': 'text/html' }],
        ['a page labelled as text', ' <!doctype html>', { 'content-type': 'text/plain' }],
        ['JSON that was cut short', '{"internalId":"3f', {}],
      ])(
        `${name} rejects %s as unreadable after ${attempts} of 3 attempts (rows 11 and 12)`,
        async (_, body, headers) => {
          const { server, platform } = await createClient(body, { headers }, {}, 2);
          const error = await catchError<PaymentPlatformError>(call(platform));
          expect(error).toMatchObject({ name: 'UnreadableResponseError', outcome: 'unknown', attempts });
          expect(server.requests).toHaveLength(attempts);
        },
      );
    }

    test('is unreadable if it is a number without a Content-Length, because it could be truncated (row 10)', async () => {
      const server = opens(
        await rawServer(({ socket }) =>
          socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n12'),
        ),
      );
      const platform = opens(clientOn(engine, server.url, { maxRetries: 0 }));
      expect(await catchError(platform.submerchants.update(id, {}))).toMatchObject({
        name: 'UnreadableResponseError',
      });
    });

    test("that is empty is unreadable for platform.request without response: 'none'", async () => {
      const { platform } = await createClient('');
      expect(await catchError(platform.request({ method: 'POST', path: '/v1/x' }))).toMatchObject({
        name: 'UnreadableResponseError',
      });
      expect(await platform.request({ method: 'POST', path: '/v1/x', response: 'none' })).toEqual({});
    });
  });
});

describe('a hostile notification (rows 43 and 58)', () => {
  const secret = 'whsec_0123456789abcdef';
  const signed = (body: string | Uint8Array) => ({ body, headers: sign({ body, secret }) });

  test.each(nests.slice(1))('is rejected with %s', async (_, nest) => {
    const delivery = signed(`{"event":"x","a":${nest}}`);
    expect(() => verify(delivery, secret)).toThrow(expect.objectContaining({ reason: 'malformed-payload' }));
    await expect(verifyAsync(delivery, secret)).rejects.toMatchObject({ reason: 'malformed-payload' });
  });

  test('is parsed from the bytes whose signature was verified, even if the caller changes the buffer meanwhile', async () => {
    const body = new TextEncoder().encode('{"event":"transaction.paid","amount":1990}');
    const call = verifyAsync(signed(Uint8Array.from(body)), secret);
    const reused = Uint8Array.from(body);
    const again = verifyAsync({ ...signed(body), body: reused }, secret);
    reused.set(new TextEncoder().encode('{"event":"transaction.paid","amount":9999}'));
    expect(await call).toEqual(await again);
  });

  test('is rejected if a lone surrogate replaces the signed character U+FFFD', async () => {
    const headers = sign({ body: '{"event":"\ufffd"}', secret });
    const torn = { body: '{"event":"\ud800"}', headers };
    expect(() => verify(torn, secret)).toThrow(expect.objectContaining({ reason: 'signature-mismatch' }));
    await expect(verifyAsync(torn, secret)).rejects.toMatchObject({ reason: 'signature-mismatch' });
    expect(verify({ body: '{"event":"\ufffd"}', headers }, secret)).toEqual({ event: '\ufffd' });
  });

  test('is accepted in a buffer from a different realm or in shared memory, but not in a fake buffer', async () => {
    const { runInNewContext } = await import('node:vm');
    const bytes = new TextEncoder().encode('{"event":"x"}');
    const { headers } = signed(bytes);
    const foreign = runInNewContext(`new Uint8Array([${bytes}]).buffer`);
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    for (const body of [
      foreign,
      shared,
      new Uint8Array(shared),
      new DataView(foreign),
      runInNewContext(`new Uint8Array([${bytes}])`),
    ]) {
      expect(verify({ body, headers } as never, secret)).toEqual({ event: 'x' });
      expect(await verifyAsync({ body, headers } as never, secret)).toEqual({ event: 'x' });
    }
    const fake = Object.setPrototypeOf({ length: 13 }, Uint8Array.prototype);
    expect(() => verify({ body: fake, headers } as never, secret)).toThrow(
      expect.objectContaining({ reason: 'body-already-parsed' }),
    );
  });

  test('causes a typed error if its bytes are detached', async () => {
    const { headers } = signed('{}');
    const detached = new ArrayBuffer(8);
    const view = new Uint8Array(detached);
    structuredClone(detached, { transfer: [detached] });
    for (const body of [view, detached]) {
      expect(() => verify({ body, headers } as never, secret)).toThrow(
        expect.objectContaining({ name: 'WebhookVerificationError' }),
      );
      await expect(verifyAsync({ body, headers } as never, secret)).rejects.toMatchObject({
        name: 'WebhookVerificationError',
      });
    }
  });

  test('is not verified, and the caller’s own error comes out, if a getter or the clock throws', async () => {
    const own = () => {
      throw new RangeError('mine');
    };
    const bad = (name: string) => Object.defineProperty({}, name, { enumerable: true, get: own });
    expect(() => verify(bad('body') as never, secret)).toThrow('mine');
    expect(() => verify(signed('{}'), bad('secret') as never)).toThrow('mine');
    expect(() => verify(signed('{}'), { secret, now: own })).toThrow('mine');
    await expect(verifyAsync(signed('{}'), { secret, now: own })).rejects.toThrow('mine');
  });
});
