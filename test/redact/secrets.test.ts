import { inspect } from 'node:util';
import {
  assumptions,
  isPaymentPlatformError,
  PaymentPlatform,
  type PaymentPlatformError,
  type RequestEvent,
  type ResponseEvent,
  responseOf,
} from 'payment-platform';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, credentials, onBothEngines } from '../support/engines.js';
import { openCard, paid, pix } from '../support/payments.js';
import { formatResponse, rawServer } from '../support/raw-server.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const canaries = {
  clientSecret: credentials.clientSecret,
  pan: '5555555555554444',
  cvv: '9137',
  cardTokenId: 'card_tok_canary_71',
  upsellToken: 'upsell_tok_canary_72',
  wallet: 'wallet_cryptogram_canary_73',
  threeDS: 'threeds_cavv_canary_74',
  hmacSecret: 'hmac_secret_canary_75',
};

/** Combines every way in which this package or a logger turns a value into a string. */
function everyText(value: unknown): string {
  const error = value as Partial<PaymentPlatformError>;
  return [
    inspect(value, { depth: 20, showHidden: true, getters: true }),
    JSON.stringify(value) ?? '',
    String(value),
    error?.stack ?? '',
    inspect(error?.cause, { depth: 20, showHidden: true }),
    JSON.stringify(structuredClone(JSON.parse(JSON.stringify(value) ?? 'null'))),
  ]
    .join('\n')
    .replace(chance, '');
}

/**
 * Matches random keys, ports and fractions of milliseconds, which can contain four given digits by chance.
 */
const chance = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|127\.0\.0\.1:\d+|\d+\.\d{4,}/g;

function expectClean(text: string): void {
  for (const [name, canary] of Object.entries(canaries)) {
    expect(text.includes(canary), `${name} in:\n${text.slice(0, 2_000)}`).toBe(false);
  }
}

const bodies = {
  'open card': {
    ...openCard,
    card: { ...openCard.card, number: canaries.pan, cvv: canaries.cvv },
    threeDSData: { cavv: canaries.threeDS },
  },
  'vault card': {
    amount: 1990,
    paymentMethod: 'credit_card',
    items: pix.items,
    card: { cardTokenId: canaries.cardTokenId },
  },
  upsell: {
    amount: 1990,
    paymentMethod: 'credit_card',
    items: pix.items,
    card: { upsellToken: canaries.upsellToken },
  },
  wallet: {
    amount: 1990,
    paymentMethod: 'credit_card',
    items: pix.items,
    wallet: { paymentData: [{ data: canaries.wallet }] },
  },
} as const;

onBothEngines((engine) => {
  test('a client id made of ordinary words is not hidden in messages', async () => {
    const message = 'The merchant of client merchant-1 has no Pix key';
    const server = opens(
      await rawServer(({ socket }) =>
        socket.end(formatResponse(JSON.stringify({ message }), { status: 422 })),
      ),
    );
    const platform = opens(clientOn(engine, server.url, { clientId: 'merchant-1' }));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error.body?.message).toBe(message);
  });

  test('the base64 of the client id and client secret is hidden in an error', async () => {
    const pair = btoa(`merchant-1:${credentials.clientSecret}`);
    const body = JSON.stringify({ message: `Not accepted: ${pair}.` });
    const server = opens(await rawServer(({ socket }) => socket.end(formatResponse(body, { status: 401 }))));
    const platform = opens(clientOn(engine, server.url, { clientId: 'merchant-1', auth: 'headers' }));
    const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
    expect(error.body?.message).toMatch(/^Not accepted: \[redacted\]=*\.$/);
  });

  test('error.location contains a redirect’s signed address, but no address with a confidential value', async () => {
    const signed = `https://files.example/b.pdf?signature=${'a1B2'.repeat(200)}`;
    const locations = [signed, `${signed}&name=Ana%20Souza`];
    const seen: unknown[] = [];
    for (const location of locations) {
      const server = opens(
        await rawServer(({ socket }) =>
          socket.end(formatResponse('', { status: 302, headers: { location } })),
        ),
      );
      const platform = opens(clientOn(engine, server.url));
      seen.push((await catchError<PaymentPlatformError>(platform.payments.create(pix))).location);
    }
    expect(seen).toEqual([signed, undefined]);
  });

  describe('a secret (row 50)', () => {
    const echo = JSON.stringify({
      message: `refused: ${Object.values(canaries).join(' ')} and 5555 5555 5555 4444 of {"number":"${canaries.pan}"}`,
      echo: { card: { number: canaries.pan, cvv: canaries.cvv, [canaries.pan]: Number(canaries.pan) } },
      ...canaries,
    });
    const responses: [string, Buffer | string][] = [
      ['an error that echoes everything', formatResponse(echo, { status: 400 })],
      ['a server error that echoes everything', formatResponse(echo, { status: 500 })],
      ['a page that echoes everything', formatResponse(`<html>${echo}</html>`, { status: 502 })],
      ['an unreadable 200', formatResponse(`${echo}}`)],
      ['garbage that echoes everything', `${echo}\r\n\r\n`],
      [
        'headers that echo everything',
        formatResponse('{}', {
          status: 422,
          headers: { 'x-echo': Object.values(canaries).join(','), 'set-cookie': canaries.pan },
        }),
      ],
      [
        'a redirect whose location echoes the client secret',
        formatResponse('', {
          status: 302,
          headers: { location: `https://evil.example/?s=${canaries.clientSecret}` },
        }),
      ],
    ];

    test.each(responses)('is in no error and no hook: %s', async (_, bytes) => {
      const server = opens(await rawServer(({ socket }) => socket.end(bytes)));
      for (const body of Object.values(bodies)) {
        const events: unknown[] = [];
        const record = (event: unknown) => void events.push(event);
        const platform = opens(
          clientOn(engine, server.url, {
            maxRetries: 1,
            hooks: { onRequest: record, onResponse: record, onRetry: record, onDrift: record },
          }),
        );
        const call = platform.payments.create(body as typeof openCard, {
          headers: { 'x-session': canaries.hmacSecret },
        });
        const error = await catchError<PaymentPlatformError>(call);
        expect(isPaymentPlatformError(error)).toBe(true);
        const text = [error, error.cause, ...events].map(everyText).join('\n');
        // The SDK recognises a PAN from any source, but other secrets only when this call carried them.
        const carried = Object.values(canaries).filter((canary) => JSON.stringify(body).includes(canary));
        for (const canary of [canaries.clientSecret, canaries.pan, ...carried]) {
          expect(text.includes(canary), `${canary} in:\n${text.slice(0, 3_000)}`).toBe(false);
        }
        expect(events.map(everyText).join('\n')).not.toContain(canaries.hmacSecret);
        // The message still names the operation, the status and the remedy.
        expect(error.message).toMatch(/^payments\.create: /);
      }
    });

    test('is not in the error about an unreadable payment, which shows no part of that payment', async () => {
      const token = 'upsell_tok_from_the_platform';
      const body = JSON.stringify({ ...paid, upsell: { token }, customer: { name: 'Ana Souza' } });
      for (const bytes of [
        formatResponse(`${body} trailing`),
        formatResponse(body.slice(0, -2)),
        formatResponse(`[${body}]`),
      ]) {
        const server = opens(await rawServer(({ socket }) => socket.write(bytes)));
        const error = await catchError(
          opens(clientOn(engine, server.url, { maxRetries: 0 })).payments.create(pix),
        );
        expect(error).toMatchObject({ name: 'UnreadableResponseError', outcome: 'unknown' });
        expect(everyText(error)).not.toContain(token);
        expect(everyText(error)).not.toContain('Ana Souza');
      }
    });

    test('is not shown even in part if a message truncates, groups or escapes it', async () => {
      const pan = '6212345678901232';
      const echoes = [
        `${'x'.repeat(495)}${credentials.clientSecret}`,
        `${'y'.repeat(490)}${pan}`,
        `card ${pan.replace(/(.{4})(?=.)/g, '$1.')} refused`,
        `card X${pan.replace(/(.{4})(?=.)/g, '$1 ')}Y refused`,
        'token a\\/b\\/canary refused',
      ];
      for (const echo of echoes) {
        const server = opens(
          await rawServer(({ socket }) =>
            socket.write(formatResponse(echo, { status: 400, headers: { 'content-type': 'text/plain' } })),
          ),
        );
        const order = {
          ...openCard,
          card: { ...openCard.card, number: pan, holderName: 'ANA' },
          metadata: { token: 'a/b/canary' },
        };
        // A random key could contain four digits of the PAN by chance.
        const call = opens(clientOn(engine, server.url)).payments.create(order, {
          idempotencyKey: 'order-1',
        });
        const text = everyText(await catchError(call));
        for (const part of [credentials.clientSecret.slice(0, 10), '6212', '/canary'])
          expect(text).not.toContain(part);
      }
    });

    test('is not shown if it was a value of a vault request or one of the caller’s headers', async () => {
      const body = { securityCode: '4821', anything: 'pan_or_token_canary' };
      const echo = JSON.stringify({ message: `bad 4821 pan_or_token_canary partner-key-canary` });
      const server = opens(
        await rawServer(({ socket }) => socket.write(formatResponse(echo, { status: 400 }))),
      );
      const events: unknown[] = [];
      const platform = opens(
        clientOn(engine, server.url, { hooks: { onRequest: (event) => void events.push(event) } }),
      );
      const call = platform.request(
        { method: 'POST', path: '/v1/vault/tokenize', query: { access_token: 'query_canary' }, body },
        { headers: { 'x-partner-key': 'partner-key-canary' } },
      );
      const text = [await catchError(call), ...events].map(everyText).join();
      for (const secret of ['4821', 'pan_or_token_canary', 'partner-key-canary', 'query_canary'])
        expect(text).not.toContain(secret);
    });

    test('is described instead of shown if it is invalid', async () => {
      const platform = opens(clientOn(engine, 'https://platform.example'));
      const order = { ...openCard, card: { ...openCard.card, number: 6212345678901235000, cvv: 123.5 } };
      const error = await catchError(platform.payments.create(order as never));
      expect(everyText(error)).not.toMatch(/6212|123\.5/);
    });

    test('is not shown if it was sent as a webhook secret', async () => {
      const server = opens(
        await rawServer(({ socket }) => socket.write(formatResponse(echo, { status: 400 }))),
      );
      const platform = opens(clientOn(engine, server.url));
      const webhook = {
        webhook_url: 'https://shop.example/hooks',
        events: ['transaction.paid'],
        hmac_secret: canaries.hmacSecret,
      };
      const error = await catchError(platform.webhooks.create(webhook));
      expect(everyText(error)).not.toContain(canaries.hmacSecret);
      expect(error).toMatchObject({ name: 'BadRequestError' });
    });

    test('is not shown when the client, one of its namespaces or a result is printed', async () => {
      const server = opens(
        await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(paid)))),
      );
      const platform = opens(clientOn(engine, server.url));
      const result = await platform.payments.create(bodies['open card'] as typeof openCard);
      for (const value of [
        platform,
        { nested: [platform] },
        platform.payments,
        platform.webhooks,
        result,
        responseOf(result),
      ]) {
        expectClean(everyText(value));
      }
      expect(inspect(platform)).toContain(server.url);
    });

    test('is sent only to the origin in baseUrl', async () => {
      const elsewhere = opens(await rawServer(({ socket }) => socket.write(formatResponse('{}'))));
      const server = opens(
        await rawServer(({ socket }) =>
          socket.write(
            formatResponse('', { status: 307, headers: { location: `${elsewhere.url}/v1/payments` } }),
          ),
        ),
      );
      await catchError(opens(clientOn(engine, server.url)).payments.create(openCard));
      expect(server.requests).toHaveLength(1);
      expect(server.requests[0]?.headers['client-secret']).toBe(credentials.clientSecret);
      expect(elsewhere.connections).toBe(0);
    });
  });

  describe('a redirect (row 27)', () => {
    test.each([301, 302, 303, 307, 308, 300, 304])(
      'with a %i is not followed, and the outcome of a write is unknown',
      async (status) => {
        const server = opens(
          await rawServer(({ socket, request }) =>
            socket.write(
              formatResponse('', {
                status,
                headers: { location: request.path === '/v1/payments' ? '/elsewhere' : '/v1/payments' },
              }),
            ),
          ),
        );
        const error = await catchError<PaymentPlatformError>(
          opens(clientOn(engine, server.url)).payments.create(pix),
        );
        expect(error).toMatchObject({ name: 'ApiError', status, outcome: 'unknown', attempts: 1 });
        expect(error.message).toContain([300, 304].includes(status) ? `status ${status}` : 'redirect');
        expect(server.requests.map(({ path }) => path)).toEqual(['/v1/payments']);
        const read = await catchError<PaymentPlatformError>(
          opens(clientOn(engine, server.url)).webhooks.list(),
        );
        expect(read).toMatchObject({ outcome: 'not-executed', attempts: 1 });
      },
    );
  });

  describe('a hook (row 51)', () => {
    const misbehaviours: [string, () => unknown][] = [
      [
        'throws',
        () => {
          throw new Error('logger down');
        },
      ],
      ['rejects', () => Promise.reject(new Error('logger down'))],
      ['never settles', () => new Promise(() => undefined)],
    ];
    test.each(misbehaviours)('does not make the call fail if it %s', async (_, misbehave) => {
      const server = opens(
        await rawServer(({ socket, index }) =>
          socket.write(
            formatResponse(JSON.stringify({ ...paid, surprise: 1 }), { status: index === 0 ? 503 : 200 }),
          ),
        ),
      );
      const hook = vi.fn(misbehave);
      const platform = opens(
        clientOn(engine, server.url, {
          hooks: { onRequest: hook, onResponse: hook, onRetry: hook, onDrift: hook },
        }),
      );
      await expect(platform.payments.create(pix)).resolves.toMatchObject(paid);
      expect(hook).toHaveBeenCalledTimes(6);
    });

    test('cannot change the request by changing its event', async () => {
      const server = opens(
        await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(paid)))),
      );
      const onRequest = (event: RequestEvent) => {
        Object.assign(event.headers, { 'x-idempotency-key': 'another', 'client-id': 'another' });
      };
      const platform = opens(clientOn(engine, server.url, { hooks: { onRequest } }));
      await platform.payments.create(pix, { idempotencyKey: 'order-1042' });
      expect(server.requests[0]?.headers).toMatchObject({
        'x-idempotency-key': 'order-1042',
        'client-id': credentials.clientId,
      });
    });

    test('receives the attempt, the status and the reason of a retry', async () => {
      const server = opens(
        await rawServer(({ socket, index }) =>
          socket.write(
            formatResponse(JSON.stringify(paid), {
              status: index === 0 ? 503 : 200,
              headers: { 'x-request-id': `req-${index}` },
            }),
          ),
        ),
      );
      const events: unknown[] = [];
      const platform = opens(
        clientOn(engine, server.url, {
          hooks: {
            onRequest: ({ headers, ...event }) =>
              void events.push(['request', event, headers['client-secret']]),
            onResponse: ({ headers, duration, ...event }: ResponseEvent) =>
              void events.push(['response', event, duration >= 0, headers['x-request-id']]),
            onRetry: (event) => void events.push(['retry', event]),
          },
        }),
      );
      const payment = await platform.payments.create(pix, { idempotencyKey: 'order-1042' });
      const common = {
        operation: 'payments.create',
        method: 'POST',
        path: '/v1/payments',
        idempotencyKey: 'order-1042',
      };
      expect(events).toEqual([
        ['request', { ...common, attempt: 1 }, '[redacted]'],
        ['response', { ...common, attempt: 1, status: 503, requestId: 'req-0' }, true, 'req-0'],
        ['retry', { ...common, attempt: 1, reason: 'the platform failed (503)', delay: 0 }],
        ['request', { ...common, attempt: 2 }, '[redacted]'],
        ['response', { ...common, attempt: 2, status: 200, requestId: 'req-1' }, true, 'req-1'],
      ]);
      expect(responseOf(payment)).toMatchObject({
        requestId: 'req-1',
        attempts: 2,
        idempotencyKey: 'order-1042',
        status: 200,
      });
    });
  });

  describe('a response (row 53)', () => {
    const responses: [string, object, string[]][] = [
      ['an unknown status', { ...paid, status: 'partially_paid' }, ['status']],
      ['an unknown field', { ...paid, pixQrCode: '000201' }, ['pixQrCode']],
      ['a missing field', { ...paid, createdAt: undefined }, ['createdAt']],
      ['a field of a different type', { ...paid, amount: '1990' }, ['amount']],
      [
        'an object without any documented field',
        { ok: true },
        ['id', 'status', 'amount', 'paymentMethod', 'createdAt', 'ok'],
      ],
    ];
    test.each(responses)(
      'that differs from the API docs is returned unchanged and reported: %s',
      async (_, body, paths) => {
        const server = opens(
          await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(body)))),
        );
        const drift = vi.fn();
        const platform = opens(clientOn(engine, server.url, { hooks: { onDrift: drift } }));
        await expect(platform.payments.create(pix)).resolves.toEqual(JSON.parse(JSON.stringify(body)));
        expect(drift).toHaveBeenCalledTimes(1);
        const [{ issues, operation }] = drift.mock.calls[0] as [
          { issues: { path: string }[]; operation: string },
        ];
        expect(operation).toBe('payments.create');
        expect(issues.map(({ path }) => path).sort()).toEqual([...paths].sort());
      },
    );

    test('that equals the documented payment is not reported', async () => {
      const full = {
        ...paid,
        status: 'refused',
        paymentMethod: 'credit_card',
        card: { brand: 'visa', last4: '1111', wallet: { type: 'apple_pay' } },
        customer: {
          name: 'Ana',
          email: null,
          phone: null,
          documentNumber: null,
          documentType: null,
          address: {
            zipCode: null,
            street: null,
            streetNumber: null,
            neighborhood: null,
            city: null,
            state: null,
            country: null,
          },
        },
        items: [{ title: 'Café', quantity: 1, unitPrice: 1990 }],
        upsell: { token: 't' },
        boleto: { digitableLine: '0' },
        refusalReason: { code: 51 },
        subMerchant: { name: 'Loja' },
        split: { a: 1 },
      };
      const server = opens(
        await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(full)))),
      );
      const drift = vi.fn();
      await opens(clientOn(engine, server.url, { hooks: { onDrift: drift } })).payments.create(openCard);
      expect(drift).not.toHaveBeenCalled();
    });
  });

  describe('the option fieldNames', () => {
    test('renames the fields of requests and responses', async () => {
      const server = opens(
        await rawServer(({ socket }) =>
          socket.write(
            formatResponse(
              JSON.stringify({
                ...paid,
                split_result: { a: 1 },
                denial: { why: 'no funds' },
                owner: { id: 1 },
              }),
              { headers: { 'x-trace': 'trace-1' } },
            ),
          ),
        ),
      );
      const drift = vi.fn();
      const platform = opens(
        clientOn(engine, server.url, {
          hooks: { onDrift: drift },
          fieldNames: {
            'payment.clientIp': 'ip_address',
            'payment.split': 'split_result',
            'payment.refusalReason': 'denial',
            'payment.subMerchant': 'owner',
            'response.requestId': 'X-Trace',
          },
        }),
      );
      const payment = await platform.payments.create({
        ...pix,
        clientIp: '203.0.113.7',
        split: [{ to: 'a' }],
      });
      expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
        ...pix,
        ip_address: '203.0.113.7',
        split_result: [{ to: 'a' }],
      });
      expect(payment).toEqual({
        ...paid,
        split: { a: 1 },
        refusalReason: { why: 'no funds' },
        subMerchant: { id: 1 },
      });
      expect(responseOf(payment).requestId).toBe('trace-1');
      expect(drift).not.toHaveBeenCalled();
    });

    test('can swap the names of two fields', async () => {
      const server = opens(
        await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(paid)))),
      );
      const platform = opens(
        clientOn(engine, server.url, {
          fieldNames: { 'payment.pix': 'metadata', 'payment.metadata': 'pix' },
        }),
      );
      await platform.payments.create({ ...pix, pix: { expiration: 60 }, metadata: { a: 1 } });
      expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
        ...pix,
        metadata: { expiration: 60 },
        pix: { a: 1 },
      });
    });

    test('still hides a secret field that it renames', async () => {
      const echo = JSON.stringify({ message: `no: ${canaries.wallet}` });
      const server = opens(
        await rawServer(({ socket }) => socket.write(formatResponse(echo, { status: 400 }))),
      );
      const platform = opens(clientOn(engine, server.url, { fieldNames: { 'payment.wallet': 'apple_pay' } }));
      const error = await catchError(platform.payments.create(bodies.wallet as never));
      expect(server.requests[0]?.body).toContain('apple_pay');
      expect(everyText(error)).not.toContain(canaries.wallet);
    });
  });
});

test('the option fieldNames rejects the same wire name for two fields', () => {
  expect(
    () =>
      new PaymentPlatform({
        baseUrl: 'https://a.example',
        ...credentials,
        fieldNames: { 'payment.pix': 'metadata' },
      }),
  ).toThrow(/metadata/);
  expect(
    () =>
      new PaymentPlatform({
        baseUrl: 'https://a.example',
        ...credentials,
        fieldNames: { 'payment.pix': 'amount' },
      }),
  ).toThrow(/amount/);
});

test('every assumed field name has a reason', () => {
  for (const [key, { property, wire, reason }] of Object.entries(assumptions)) {
    expect(key.endsWith(property)).toBe(true);
    expect(wire).not.toBe('');
    expect(reason).toMatch(/\.$/);
  }
});
