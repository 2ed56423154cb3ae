import { Readable } from 'node:stream';
import {
  type CallOptions,
  type ClientOptions,
  PaymentPlatform,
  redisTokenStore,
  type ValidationError,
} from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { sign, verify } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { catchError, clientOn, credentials } from '../../support/engines.js';
import { jpeg } from '../../support/onboarding.js';
import { paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();
const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

async function paying() {
  const server = opens(await rawServer(({ socket }) => socket.end(formatResponse(JSON.stringify(paid)))));
  return { server, platform: opens(clientOn('node', server.url)) };
}

/** Lists objects without own fields. If they were read as options, they would be empty. */
const wrong: [string, unknown, RegExp][] = [
  ['a Promise', Promise.resolve({ idempotencyKey: 'order-1' }), /is a Promise. Await it first/],
  ['a Map', new Map([['idempotencyKey', 'order-1']]), /not an instance of Map/],
  ['a Set', new Set(['a']), /not an instance of Set/],
  ['a Headers', new Headers({ a: 'b' }), /not an instance of Headers/],
  ['a URLSearchParams', new URLSearchParams('a=b'), /not an instance of URLSearchParams/],
  ['a FormData', new FormData(), /not an instance of FormData/],
  ['a Date', new Date(0), /not an instance of Date/],
];

describe.each(wrong)('%s instead of a plain object', (_name, value, message) => {
  test('is rejected as a call’s options, so that no idempotency key is lost', async () => {
    const { server, platform } = await paying();
    const error = await catchError(platform.payments.create(pix, value as CallOptions));
    expect(error.message).toMatch(message);
    expect(server.requests).toEqual([]);
  });

  test('is rejected as a query, a form, extraBody, a request or the options of reconcile', async () => {
    const { server, platform } = await paying();
    const calls: (() => Promise<unknown>)[] = [
      () => platform.request({ method: 'DELETE', path: '/v1/things', query: value as never }),
      () => platform.certificates.list(value as never),
      () => platform.request({ method: 'POST', path: '/v1/things', multipart: value as never }),
      () => platform.submerchants.create(value as never),
      () => platform.payments.create(pix, { extraBody: value as never }),
      () => platform.request(value as never),
      () => platform.payments.reconcile(pix, value as never),
      () => platform.onboarding.waitFor(id, value as never),
    ];
    for (const call of calls) {
      const error = await catchError<ValidationError>(call());
      expect(error.name).toBe('ValidationError');
      expect(error.message).toMatch(message);
    }
    expect(server.requests).toEqual([]);
  });

  test('is rejected as the options of a client, a sandbox, a merchant of the sandbox or verify', () => {
    const client = (options: ClientOptions) => () =>
      new PaymentPlatform({ baseUrl: 'https://api.platform.example', ...credentials, ...options });
    expect(() => new PaymentPlatform(value as ClientOptions)).toThrow(message);
    for (const name of ['hooks', 'oauth', 'rateLimits', 'fieldNames'] as const)
      expect(client({ [name]: value } as ClientOptions)).toThrow(message);
    expect(() => createSandbox(value as object)).toThrow(message);
    expect(() => createSandbox().addMerchant(value as object)).toThrow(message);
    expect(() => verify({ body: '{}', headers: {} }, value as never)).toThrow(message);
  });
});

test('a value in extraBody that JSON cannot represent is reported with the path of that option', async () => {
  const { server, platform } = await paying();
  const error = await catchError<ValidationError>(platform.payments.create(pix, { extraBody: { fee: 1n } }));
  expect(error.issues).toEqual([
    { path: 'options.extraBody.fee', message: 'must be a number or a string, not a bigint' },
  ]);
  expect(server.requests).toEqual([]);
});

test('options are read from an object even if it does not inherit from Object.prototype', async () => {
  const { server, platform } = await paying();
  const defaults = Object.assign(Object.create(null), { idempotencyKey: 'order-1' });
  await platform.payments.create(pix, Object.create(defaults));
  expect(server.requests[0]?.headers['x-idempotency-key']).toBe('order-1');
});

test('verify rejects a secret that is not a string', () => {
  for (const secret of [Buffer.from('0123456789abcdef'), new String('0123456789abcdef')])
    expect(() => verify({ body: '{}', headers: {} }, secret as never)).toThrow(
      /^verify: secret must be a string of 16 to 256 characters/,
    );
});

test('an error counts unknown options instead of listing them if there are many', () => {
  const many = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`name${index}`, 1]));
  for (const options of [many, { hooks: many }, { oauth: many }, { fieldNames: many }]) {
    let message = '';
    try {
      new PaymentPlatform(options as ClientOptions);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^PaymentPlatform has 2\d problems\./);
    expect(message.length).toBeLessThan(40_000);
  }
});

test('a stream that is used in two form fields is rejected before it is read, even with a file name', async () => {
  const { server, platform } = await paying();
  const stream = Readable.from([jpeg]);
  const form = { selfie: stream, cnhCompleta: { content: stream, filename: 'a.jpg' } };
  const error = await catchError(platform.onboarding.submitPj(form));
  expect(error.message).toContain('cnhCompleta is the same stream as selfie');
  expect([stream.destroyed, stream.readableDidRead, stream.listenerCount('error')]).toEqual([
    false,
    false,
    0,
  ]);
  expect(server.requests).toEqual([]);
});

test('waitFor copies the list of statuses when it is called', async () => {
  const sandbox = opens(createSandbox({ now: '2026-01-01T00:00:00Z' }));
  sandbox.control.features.enable('paas');
  const platform = new PaymentPlatform(sandbox.clientOptions());
  const { registration_id } = await platform.onboarding.submitPj({ cnpj: '12ABC34501DE35' });
  const until = ['approved'];
  const waiting = catchError(
    platform.onboarding.waitFor(registration_id, { until, interval: 1, timeout: 30 }),
  );
  until.push('submitted');
  expect((await waiting).name).toBe('TimeoutError');
});

test('redisTokenStore and sign reject unknown and invalid options', () => {
  const client = { call: async () => undefined };
  expect(() => redisTokenStore(client, { prefx: 'mine:' } as never)).toThrow(/Did you mean prefix\?/);
  expect(() => redisTokenStore(client, { prefix: 5 as never })).toThrow(/prefix must be a string/);
  expect(() => redisTokenStore(client, 'mine:' as never)).toThrow(/must be an object/);
  expect(() => sign({ body: '{}', secret: 'x', timestmp: 1 } as never)).toThrow(/Did you mean timestamp\?/);
  expect(() => sign({ body: '{}', secret: 'x', timestamp: new Date() as never })).toThrow(
    /timestamp must be/,
  );
  const body = new TextEncoder().encode('{"event":"x"}');
  const secret = '0123456789abcdef';
  expect(verify({ body: body.buffer as ArrayBuffer, headers: sign({ body, secret }) }, secret).event).toBe(
    'x',
  );
});
