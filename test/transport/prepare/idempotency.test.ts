import type { CallOptions, ValidationError } from 'payment-platform';
import { describe, expect, test } from 'vitest';
import { chooseKey, keyProblem } from '../../../src/transport/prepare/idempotency-key.js';
import { catchError, clientOn } from '../../support/engines.js';
import { pf } from '../../support/onboarding.js';
import { id, paid, pix } from '../../support/payments.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

describe('keyProblem', () => {
  test.each(['k', 'order-1042', 'two words', '!~', 'a'.repeat(255), 'undefinedness', 'nullable', 'NaNa'])(
    'accepts %j',
    (key) => expect(keyProblem(key)).toBeUndefined(),
  );

  test.each([
    [undefined, 'not undefined'],
    [null, 'not null'],
    [7, 'not an integer'],
    [{}, 'not an object'],
    ['', 'empty'],
    ['a'.repeat(256), 'at most 255 characters, has 256'],
    [' a', 'visible'],
    ['a ', 'visible'],
    [' ', 'visible'],
    ['a\tb', 'visible'],
    ['a\nb', 'visible'],
    ['\u007f', 'visible'],
    ['é', 'visible'],
    ['a\u007fb', 'visible'],
  ])('rejects %j', (key, why) => expect(keyProblem(key)).toContain(why));
});

describe('chooseKey', () => {
  test('returns the caller’s key even for an operation without idempotency keys', () => {
    for (const idempotencyKey of ['required', 'optional', 'none'] as const)
      expect(chooseKey({ idempotencyKey }, 'mine')).toBe('mine');
  });

  test('returns undefined if the caller passes null, or if the operation has no idempotency keys', () => {
    expect(chooseKey({ idempotencyKey: 'optional' }, null)).toBeUndefined();
    expect(chooseKey({ idempotencyKey: 'none' }, undefined)).toBeUndefined();
  });

  test('returns a random UUID v4 if the caller passes no key', () => {
    for (const idempotencyKey of ['required', 'optional'] as const) {
      const keys = [chooseKey({ idempotencyKey }, undefined), chooseKey({ idempotencyKey }, undefined)];
      expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(keys[0]).not.toBe(keys[1]);
    }
  });
});

test('an idempotency key that is undefined is reported along with the problems of other options', async () => {
  const platform = opens(clientOn('ky', 'https://platform.example'));
  const error = await catchError<ValidationError>(
    platform.payments.create(pix, { idempotencyKey: undefined, timeout: -1 } as never),
  );
  expect(error.issues.map(({ path }) => path).sort()).toEqual(['options.idempotencyKey', 'options.timeout']);
});

/** Creates a client over a network that is a function, and records its requests. */
function connect(options: object = {}) {
  const sent: { path: string; headers: Headers; body: string }[] = [];
  const network = async (input: string, init?: RequestInit) => {
    const { pathname, search } = new URL(input);
    sent.push({ path: pathname + search, headers: new Headers(init?.headers), body: String(init?.body) });
    return Response.json(pathname.endsWith('/payments') ? paid : { data: [] });
  };
  return {
    sent,
    platform: opens(clientOn('ky', 'https://platform.example', { fetch: network as never, ...options })),
  };
}

/** Returns the issues of a call that is rejected before anything is sent. */
async function catchIssues(call: (platform: ReturnType<typeof connect>['platform']) => Promise<unknown>) {
  const { sent, platform } = connect();
  const error = await catchError<ValidationError>(call(platform));
  expect(error).toMatchObject({ name: 'ValidationError', outcome: 'not-executed', attempts: 0 });
  expect(sent).toEqual([]);
  return error.issues;
}

const missing = [
  'undefined',
  'null',
  'NaN',
  'Infinity',
  '[object Object]',
  '[object Promise]',
  'order-undefined',
  'undefined-1',
  'order-null',
  'null-1',
  'null:pix',
  'NaN-1',
  '-Infinity.json',
  '[object Order Item]',
  'order:-Infinity',
  'orderundefined',
  'undefinedorder',
  'pedidoundefinedv2',
  'undefinedly',
  'order-Invalid Date',
  'Invalid Date2',
  'a[object Object]b',
  'order_[object Map]',
  'pay_[object Object]',
  'total:NaN',
];

describe('an idempotency key made from a missing value', () => {
  test.each(missing)('is rejected: %s (row 72)', async (idempotencyKey) => {
    expect(await catchIssues(({ payments }) => payments.create(pix, { idempotencyKey }))).toEqual([
      {
        path: 'options.idempotencyKey',
        message: expect.stringContaining(
          idempotencyKey.includes('[object Object]') ? 'use a field of the object' : 'a value was missing',
        ),
        check: 'key.missingValue',
      },
    ]);
  });

  test('is not replaced with a random key if the option idempotencyKey is undefined (row 72)', async () => {
    const row: { key?: string } = {};
    const options = { idempotencyKey: row.key } as { idempotencyKey?: string };
    const [issue, ...others] = await catchIssues(({ payments }) => payments.create(pix, options));
    expect(issue?.message).toContain('is undefined. Pass a key that your order keeps');
    expect(others).toEqual([]);
    const loose = connect({ checks: { 'key.missingValue': false } });
    await loose.platform.payments.create(pix, options);
    expect(loose.sent).toHaveLength(1);
    // The operation has no key, so no key can be missing.
    const { platform, sent } = connect();
    await platform.webhooks.list(options);
    expect(sent).toHaveLength(1);
  });

  test('is not reported if the option is absent, or if it is not a string', async () => {
    const { platform, sent } = connect();
    await platform.payments.create(pix, { timeout: 5_000 });
    expect(sent[0]?.headers.get('x-idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
    const wrong = { idempotencyKey: 7 } as unknown as CallOptions;
    expect(await catchIssues(({ payments }) => payments.create(pix, wrong))).toEqual([
      { path: 'options.idempotencyKey', message: 'must be a string, not an integer' },
    ]);
  });
});

describe('a misplaced idempotency key', () => {
  const spellings = [
    'idempotencyKey',
    'idempotency_key',
    'idempotencykey',
    'idempotency-key',
    'x-idempotency-key',
    'X-Idempotency-Key',
    'Idempotency Key',
    'XIdempotencyKey',
    'IDEMPOTENCY_KEY',
    'idempotentKey',
    'idempotencyToken',
    'idempotency',
    'http-idempotency-key',
    'idempotency_key_v4',
    'chaveIdempotencia',
  ];
  const key = 'order-1042';
  const places: [place: string, path: string, call: (name: string) => [order: object, options?: object]][] = [
    ['the order', '', (name) => [{ ...pix, [name]: key }]],
    [
      'the order even if idempotencyKey is also set',
      '',
      (name) => [{ ...pix, [name]: key }, { idempotencyKey: key }],
    ],
    ['extraBody', '', (name) => [pix, { extraBody: { [name]: key } }]],
    ['customer', 'customer.', (name) => [{ ...pix, customer: { ...pix.customer, [name]: key } }]],
    ['an item', 'items.0.', (name) => [{ ...pix, items: [{ ...pix.items[0], [name]: key }] }]],
    ['headers in the order', 'headers.', (name) => [{ ...pix, headers: { [name]: key } }]],
    ['options in the order', 'options.', (name) => [{ ...pix, options: { [name]: key } }]],
    ['a list inside metadata', 'metadata.a.0.', (name) => [{ ...pix, metadata: { a: [{ [name]: key }] } }]],
    ['metadata', 'metadata.', (name) => [{ ...pix, metadata: { [name]: key } }]],
    ['the metadata of extraBody', 'metadata.', (name) => [pix, { extraBody: { metadata: { [name]: key } } }]],
  ];
  test.each(places)(
    'is rejected in %s, and the message names the right place (row 72)',
    async (_, path, call) => {
      for (const name of spellings) {
        const [order, options] = call(name);
        expect(
          await catchIssues(({ payments }) => payments.create(order as typeof pix, options)),
          name,
        ).toContainEqual({
          path: path + name,
          message: 'is an option, not a field. Pass { idempotencyKey } as the next argument',
          check: 'key.misplaced',
        });
      }
    },
  );

  test.each([
    ['Idempotency-Key', 'idempotency-key', 'is not the key of this call'],
    ['idempotency_key', 'idempotency_key', 'is not the key of this call'],
    ['xIdempotencyKey', 'xidempotencykey', 'is not the key of this call'],
    ['X-IDEMPOTENCY-KEY', 'X-IDEMPOTENCY-KEY', 'is set by the SDK'],
  ])('is rejected if it is only in the header %s (row 72)', async (name, shown, why) => {
    const headers = { 'x-order': '1', [name]: key };
    expect(await catchIssues(({ payments }) => payments.create(pix, { headers }))).toMatchObject([
      { path: `options.headers.${shown}`, message: `${why}. Use the option idempotencyKey` },
    ]);
  });

  test('is rejected in a query, and in a body with an unusual spelling of the path (row 72)', async () => {
    const post = (call: object) =>
      catchIssues((platform) => platform.request({ method: 'POST', ...call } as never));
    const query = { page: 1, idempotencyKey: key };
    expect(await post({ path: '/v1/payments', query, body: pix })).toEqual([
      {
        path: 'query.idempotencyKey',
        message: 'is not the key of this call. Use the option idempotencyKey',
        check: 'key.misplaced',
      },
    ]);
    for (const path of ['/V1/payments', '/v1/payments;a=1'])
      expect(await post({ path, body: { ...pix, idempotencyKey: key } })).toMatchObject([
        { path: 'idempotencyKey', check: 'key.misplaced' },
      ]);
  });

  test('is rejected at the top level of a body, but accepted in its nested objects', async () => {
    const order = { ...pix, idempotency_key: key, metadata: { idempotency_key: key } };
    const issues = await catchIssues(({ payments }) => payments.create(order, { idempotencyKey: key }));
    expect(issues.map(({ path }) => path)).toEqual(['idempotency_key']);
  });

  test('is accepted in metadata, a header and the query if the option idempotencyKey has the same value (row 72)', async () => {
    const { platform, sent } = connect();
    const body = { ...pix, metadata: { idempotency_key: key } };
    const options = { idempotencyKey: key, headers: { 'idempotency-key': key } };
    const query = { idempotencyKey: key };
    await platform.request({ method: 'POST', path: '/v1/payments', query, body }, options);
    expect(sent[0]?.path).toBe(`/v1/payments?idempotencyKey=${key}`);
    expect(sent[0]?.headers.get('x-idempotency-key')).toBe(key);
    expect(sent[0]?.headers.get('idempotency-key')).toBe(key);
  });

  test('does not include fields with names such as isIdempotent', async () => {
    const { platform, sent } = connect();
    const body = { ...pix, metadata: { idempotent: true, isIdempotent: 'yes' } };
    const options = { headers: { 'x-idempotent': 'yes' } };
    await platform.request({ method: 'POST', path: '/v1/payments', query: { idempotent: 1 }, body }, options);
    expect(sent).toHaveLength(1);
  });

  test('is accepted for an operation that has no idempotency keys', async () => {
    const { platform, sent } = connect();
    const endpoint = { webhook_url: 'https://shop.example', events: [], idempotency_key: key };
    await platform.webhooks.create(endpoint, { headers: { 'idempotency-key': key } });
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual(endpoint);
  });
});

describe('the idempotency key of an operation that requires one', () => {
  const path = 'options.idempotencyKey';

  test.each([
    ['order-1042', 'must be a UUID v4 for this operation'],
    ['0b5a1f0e-9c5d-1c7b-8f43-0123456789ab', 'must be a UUID v4 for this operation'],
    [null, 'is required by this operation: leave the option out to send a generated UUID v4'],
  ])('is rejected if it is %j', async (idempotencyKey, message) => {
    const issues = await catchIssues(({ onboarding }) => onboarding.submitPf(pf, { idempotencyKey }));
    expect(issues).toEqual([{ path, message }]);
  });

  test('can be a UUID v4, and is a random one by default', async () => {
    const { platform, sent } = connect();
    await platform.onboarding.submitPf(pf, { idempotencyKey: id });
    await platform.onboarding.submitPf(pf, { timeout: 5_000 });
    const keys = sent.map(({ headers }) => headers.get('x-idempotency-key'));
    expect(keys[0]).toBe(id);
    expect(keys[1]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('must be a UUID v4, while other operations accept any string or null', async () => {
    const { platform, sent } = connect();
    await platform.payments.create(pix, { idempotencyKey: 'order-1042' });
    await platform.payments.create(pix, { idempotencyKey: null });
    const keys = sent.map(({ headers }) => headers.get('x-idempotency-key'));
    expect(keys).toEqual(['order-1042', null]);
  });
});
