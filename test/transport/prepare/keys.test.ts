import type { PaymentPlatformError, ValidationError } from 'payment-platform';
import { responseOf } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { beforeEach, expect, test, vi } from 'vitest';
import { clientOn, failureOf, onBothEngines } from '../../support/engines.js';
import { paid, pix } from '../../support/payments.js';
import { http as answer, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** Any text that a header carries unchanged, hostile ones first. */
const keys = [
  'prefixUrl',
  '__proto__',
  'constructor',
  'false',
  '0',
  '-',
  '"quoted"',
  'order 1042 of 2026',
  'a,b',
  'k; q=1',
  '%0d%0a',
  'nullable-1',
  'order-null-7',
  'nullable',
  'a/NaN/b',
  'x9NaNq',
  'orderNaN',
  'pool-Infinity-2',
  "~!@#$%^&*()_+{}|:<>?`-=[]\\;',./",
  'x'.repeat(255),
];

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

onBothEngines((engine) => {
  test.each(keys)('the key %s goes out as it is, in every attempt (row 55)', async (idempotencyKey) => {
    const server = opens(
      await rawServer(({ socket, index }) =>
        index === 0 ? socket.destroy() : socket.end(answer(JSON.stringify(paid))),
      ),
    );
    const platform = opens(clientOn(engine, server.url));
    const payment = await platform.payments.create(pix, { idempotencyKey });
    expect(server.requests.map(({ headers }) => headers['x-idempotency-key'])).toEqual([
      idempotencyKey,
      idempotencyKey,
    ]);
    expect(responseOf(payment).idempotencyKey).toBe(idempotencyKey);
  });

  test.each(keys)(
    'an answer that is lost after the commit: one charge for the key %s',
    async (idempotencyKey) => {
      const sandbox = opens(createSandbox());
      const server = opens(await sandbox.listen());
      sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
      const own = engine === 'ky' ? { fetch: globalThis.fetch } : {};
      const platform = opens(clientOn(engine, server.url, { ...server.clientOptions(), ...own }));
      await platform.payments.create(pix, { idempotencyKey });
      expect(sandbox.ledger.charges).toHaveLength(1);
      expect(sandbox.ledger.chargesFor(idempotencyKey)).toHaveLength(1);
    },
  );

  test.each(missing)('the key %s, which a missing value has made, is refused', async (idempotencyKey) => {
    const server = opens(await rawServer(({ socket }) => socket.end(answer(JSON.stringify(paid)))));
    const platform = opens(clientOn(engine, server.url));
    const error = await failureOf<ValidationError>(platform.payments.create(pix, { idempotencyKey }));
    expect(error).toMatchObject({ name: 'ValidationError', outcome: 'not-executed', attempts: 0 });
    expect(error.issues).toEqual([
      {
        path: 'options.idempotencyKey',
        message: expect.stringContaining('a value was missing'),
        check: 'key.missingValue',
      },
    ]);
    expect(server.requests).toEqual([]);
  });

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
    ['the order, beside the option', '', (name) => [{ ...pix, [name]: key }, { idempotencyKey: key }]],
    ['extraBody', '', (name) => [pix, { extraBody: { [name]: key } }]],
    ['customer', 'customer.', (name) => [{ ...pix, customer: { ...pix.customer, [name]: key } }]],
    ['an item', 'items.0.', (name) => [{ ...pix, items: [{ ...pix.items[0], [name]: key }] }]],
    ['headers in the order', 'headers.', (name) => [{ ...pix, headers: { [name]: key } }]],
    ['options in the order', 'options.', (name) => [{ ...pix, options: { [name]: key } }]],
    ['deep in metadata', 'metadata.a.0.', (name) => [{ ...pix, metadata: { a: [{ [name]: key }] } }]],
    ['metadata', 'metadata.', (name) => [{ ...pix, metadata: { [name]: key } }]],
    ['metadata of extraBody', 'metadata.', (name) => [pix, { extraBody: { metadata: { [name]: key } } }]],
  ];
  test.each(places.flatMap((place) => spellings.map((name) => [...place, name] as const)))(
    'a key in %s is refused with the sentence that says where it goes: %s%s %s (row 72)',
    async (_place, path, call, name) => {
      const server = opens(await rawServer(({ socket }) => socket.end(answer(JSON.stringify(paid)))));
      const platform = opens(clientOn(engine, server.url));
      const [order, options] = call(name);
      const error = await failureOf<ValidationError>(platform.payments.create(order as typeof pix, options));
      expect(error).toMatchObject({ name: 'ValidationError', outcome: 'not-executed', attempts: 0 });
      const issue = {
        message: 'is an option, not a field: pass idempotencyKey in the argument after this one',
        check: 'key.misplaced',
      };
      expect(error.issues).toContainEqual({ path: path + name, ...issue });
      expect(server.requests).toEqual([]);
    },
  );

  test.each(['Idempotency-Key', 'idempotency_key', 'X-IDEMPOTENCY-KEY', 'xIdempotencyKey'])(
    'a key in the header %s alone is refused (row 72)',
    async (name) => {
      const server = opens(await rawServer(({ socket }) => socket.end(answer(JSON.stringify(paid)))));
      const platform = opens(clientOn(engine, server.url));
      const error = await failureOf<ValidationError>(
        platform.payments.create(pix, { headers: { [name]: key } }),
      );
      expect(error.message).toContain('use the option idempotencyKey');
      expect(server.requests).toEqual([]);
    },
  );

  test('a key in the query of a request, and one of a path that is spelt otherwise (row 72)', async () => {
    const server = opens(await rawServer(({ socket }) => socket.end(answer(JSON.stringify(paid)))));
    const platform = opens(clientOn(engine, server.url));
    const calls = [
      { path: '/v1/payments', query: { idempotencyKey: key }, body: pix },
      { path: '/V1/payments', body: { ...pix, idempotencyKey: key } },
      { path: '/v1/payments;a=1', body: { ...pix, idempotencyKey: key } },
    ];
    for (const call of calls) {
      const error = await failureOf<ValidationError>(platform.request({ method: 'POST', ...call }));
      expect(error.issues[0]).toMatchObject({ check: 'key.misplaced' });
    }
    expect(server.requests).toEqual([]);
  });

  test('an option that is undefined is a missing value, not the wish for a random key (row 72)', async () => {
    const server = opens(await rawServer(({ socket }) => socket.end(answer(JSON.stringify(paid)))));
    const platform = opens(clientOn(engine, server.url));
    const row: { key?: string } = {};
    const options = { idempotencyKey: row.key } as { idempotencyKey?: string };
    const error = await failureOf<ValidationError>(platform.payments.create(pix, options));
    expect(error.message).toContain('is undefined: a value was missing. Leave the option out');
    expect(server.requests).toEqual([]);
    const loose = opens(clientOn(engine, server.url, { checks: { 'key.missingValue': false } }));
    await loose.payments.create(pix, options);
    expect(server.requests).toHaveLength(1);
    // It takes no key: there is none that could be missing.
    await platform.webhooks.list(options);
  });

  test('a field that says whether something is idempotent is no key', async () => {
    const server = opens(await rawServer(({ socket }) => socket.end(answer(JSON.stringify(paid)))));
    const platform = opens(clientOn(engine, server.url));
    await platform.payments.create({ ...pix, metadata: { idempotent: true, isIdempotent: 'yes' } });
    expect(server.requests).toHaveLength(1);
  });

  test('beside the option, metadata and another header may repeat the key (row 72)', async () => {
    const server = opens(await rawServer(({ socket }) => socket.end(answer(JSON.stringify(paid)))));
    const platform = opens(clientOn(engine, server.url));
    await platform.payments.create(
      { ...pix, metadata: { idempotency_key: key } },
      { idempotencyKey: key, headers: { 'idempotency-key': key } },
    );
    expect(server.requests[0]?.headers).toMatchObject({ 'x-idempotency-key': key, 'idempotency-key': key });
  });

  test('a header of the caller whose value is the text undefined goes out too (row 55)', async () => {
    const server = opens(await rawServer(({ socket }) => socket.end(answer(JSON.stringify(paid)))));
    const platform = opens(clientOn(engine, server.url));
    await platform.payments.create(pix, {
      headers: { 'x-mode': 'undefined', 'x-null': 'null', 'x-empty': '' },
    });
    expect(server.requests[0]?.headers).toMatchObject({
      'x-mode': 'undefined',
      'x-null': 'null',
      'x-empty': '',
    });
  });

  test.each(['undefined', 'null', 'NaN', '[object Object]'])('the id %s is refused', async (id) => {
    const platform = opens(clientOn(engine, 'http://127.0.0.1:9'));
    const error = await failureOf<PaymentPlatformError>(platform.payments.boleto(id));
    expect(error).toMatchObject({ name: 'ValidationError', attempts: 0 });
    expect(error.message).toContain('a value was missing');
  });

  test.each(['undefined', 'null'])('credentials that are the text %s are refused', (text) => {
    expect(() => clientOn(engine, 'http://127.0.0.1:9', { clientId: text, clientSecret: text })).toThrow(
      /clientId is the text .*clientSecret is the text/,
    );
  });
});
