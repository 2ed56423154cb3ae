import { describe, expect, test } from 'vitest';
import { StoreError } from '../../src/errors/store.js';
import { codeOrName, redactCause, redactStoreError } from '../../src/redact/cause.js';
import { MessageRedactor } from '../../src/redact/message-redactor.js';

const redactor = new MessageRedactor({ secrets: ['topsecret'] });
const clean = (cause: unknown) => redactCause(cause, redactor) as Error & Record<string, unknown>;

describe('the redacted copy of an error’s cause', () => {
  test('keeps only the message, the system properties and the stack frames', () => {
    const error = Object.assign(new TypeError('the topsecret failed'), {
      code: 'ECONNRESET',
      errno: -111,
      syscall: 'connect',
      address: '127.0.0.1',
      port: 443,
      constraint: 'orders_email_key',
      detail: 'Key (email)=(topsecret) already exists.',
      request: { headers: { authorization: 'topsecret' } },
    });
    error.stack =
      'TypeError: the topsecret failed\n    at topsecret\n    at send (/app/shop.js:10:5)\n    at node:net:1:2';
    const copy = clean(error);
    expect(copy).not.toBe(error);
    expect({ ...copy }).toEqual({});
    expect(copy).toMatchObject({
      name: 'TypeError',
      message: 'the [redacted] failed',
      stack: 'TypeError: the [redacted] failed\n    at send (/app/shop.js:10:5)\n    at node:net:1:2',
      code: 'ECONNRESET',
      errno: -111,
      syscall: 'connect',
      address: '127.0.0.1',
      port: 443,
      constraint: 'orders_email_key',
    });
    expect(copy).not.toHaveProperty('request');
    expect(copy).not.toHaveProperty('detail');
  });

  test('does not mistake lines of the message for stack frames', () => {
    const place = '    at send (/home/topsecret/shop.js:1:2)';
    const error = new Error(`it failed\n${place}`);
    expect(clean(error).stack).not.toContain('topsecret');
    error.message = 'it failed';
    error.stack = `another text\n${place}`;
    expect(clean(error).stack).toBe('Error: it failed');
  });

  test.each([
    ['code', 'E_topsecret'],
    ['address', '4111.1111.1111.1111'],
    ['address', 'topsecret'],
    ['syscall', 'topsecret now'],
    ['port', '4111111111111111'],
    ['code', 'x'.repeat(256)],
  ])('omits the property %s with the value %s', (name, value) => {
    expect(Object.hasOwn(clean(Object.assign(new Error('x'), { [name]: value })), name)).toBe(false);
  });

  test('keeps the stack frames after the message, except frames that contain a secret', () => {
    const place = '    at send (/app/shop.js:1:2)';
    const error = new Error(`it failed\n${place}`);
    error.stack = `Error: ${error.message}\n${place}\n    at send (/home/topsecret/shop.js:1:2)`;
    expect(clean(error).stack).toBe(`Error: it failed ${place}\n${place}`);
    error.message = 'it failed';
    error.stack = `another text\n${place}`;
    expect(clean(error).stack).toBe('Error: it failed');
  });

  test('adds no property that the original lacks, and keeps a value of up to 255 characters', () => {
    expect(Object.hasOwn(clean(new Error('x')), 'code')).toBe(false);
    const table = 'order '.repeat(42).padEnd(255, 's');
    expect(clean(Object.assign(new Error('x'), { table }))).toMatchObject({ table });
  });

  test('keeps at most 20 stack frames', () => {
    const places = Array.from({ length: 30 }, (_, line) => `    at send (/app/shop.js:${line}:5)`);
    const error = new Error('');
    error.stack = ['Error', ...places].join('\n');
    expect(clean(error).stack).toBe(['Error: ', ...places.slice(0, 20)].join('\n'));
  });

  test('has a property `name` that other code can change or delete', () => {
    const copy = clean(new TypeError('x'));
    copy.name = 'Other';
    expect(copy.name).toBe('Other');
    expect(Reflect.deleteProperty(copy, 'name')).toBe(true);
  });

  test('is undefined for undefined, and an Error for any other value', () => {
    expect(redactCause(undefined, redactor)).toBeUndefined();
    const unreachable = Object.assign(new AggregateError([new Error('a'), new Error('b')]), {
      code: 'ECONNREFUSED',
    });
    expect(clean(unreachable)).toMatchObject({ message: 'ECONNREFUSED', code: 'ECONNREFUSED' });
    class CommandTimeoutError extends Error {
      override name = 'CommandTimeoutError';
    }
    expect(clean(new CommandTimeoutError()).message).toBe('CommandTimeoutError');
    expect(clean('a topsecret text').message).toBe('a [redacted] text');
    for (const thrown of [null, {}, '', Object.create(null), Symbol('secret'), true])
      expect(clean(thrown).message).toBe('a value that is not an Error was thrown');
  });

  test('has the class name Error if the original name is not an ordinary class name', () => {
    for (const name of ['', 'topsecret x', 'ana', 7, 'TopSecretError'])
      expect(clean(Object.assign(new Error('x'), { name })).name).toBe('Error');
  });

  test('keeps at most three further causes', () => {
    const chain = ['path', 'value', 'type', 'name', 'list', 'body'].reduceRight<Error | undefined>(
      (cause, word) => new Error(`error ${word}`, cause && { cause }),
      undefined,
    );
    const messages: string[] = [];
    for (let at: unknown = clean(chain); at instanceof Error; at = at.cause) messages.push(at.message);
    expect(messages).toEqual(['error path', 'error value', 'error type', 'error name']);
  });

  test('also redacts a cause that is not an Error, and ends at a circular cause', () => {
    expect((clean(new Error('x', { cause: 'a topsecret' })).cause as Error).message).toBe('a [redacted]');
    const circle = new Error('error');
    circle.cause = circle;
    expect(clean(circle).message).toBe('error');
  });
});

test('an error from a store shows no value of the row, and the package’s own errors stay unchanged', () => {
  const own = new StoreError('Table payments does not exist (42P01).');
  expect(redactStoreError(own)).toBe(own);
  const row = { customer: { name: 'Ana Souza' } };
  expect(redactStoreError(new Error('duplicate key: Ana Souza'), row).message).toBe(
    'duplicate key: [redacted]',
  );
  class SouzaError extends Error {
    override name = 'SouzaError';
  }
  expect(redactStoreError(new SouzaError('x'), row).name).toBe('Error');
  expect(redactStoreError(new SouzaError('x')).name).toBe('SouzaError');
  expect(redactStoreError(undefined).message).toBe('a value that is not an Error was thrown');
});

test('never shows a message that a function or trigger of the database raises', () => {
  const raisedIn = (code: string, file?: string) =>
    Object.assign(new Error('no stock of Café for customer Ana Souza'), { code, file });
  for (const raised of [
    ...['P0001', 'P0004', '23514', 'ZX001', '99999'].map((code) => raisedIn(code)),
    ...['P0001', '23514', '42501', 'ZX001'].map((code) => raisedIn(code, 'pl_exec.c')),
    raisedIn('XX000', 'plpy_elog.c'),
  ]) {
    const { code } = raised;
    for (const row of [undefined, { customer: { name: 'Ana Souza' } }])
      expect(redactStoreError(raised, row)).toMatchObject({
        message: `PostgreSQL: a function or trigger raised an error (${code}).`,
        code,
      });
  }
});

test.each([
  ['23505', 'nbtinsert.c', 'duplicate key value violates unique constraint "one_of_each"'],
  ['23505', undefined, 'duplicate key value violates unique constraint "one_of_each"'],
  ['23514', undefined, 'new row for relation "orders" violates check constraint "is_positive"'],
  ['23502', undefined, 'null value in column "city" of relation "orders" violates not-null constraint'],
  ['23503', undefined, 'insert or update on table "orders" violates foreign key constraint "of_customer"'],
  ['0A000', 'plancache.c', 'cached plan must not change result type'],
])('shows the message that PostgreSQL itself writes for %s (%s)', (code, file, message) => {
  const error = Object.assign(new Error(message), { code, file });
  expect(redactStoreError(error).message).toBe(`PostgreSQL: ${message} (${code}).`);
});

test.each([
  [
    '22P02',
    'invalid input syntax for type integer: "entregar para Godofredo"',
    'invalid input syntax for type integer: "[redacted]"',
  ],
  [
    '22007',
    'invalid input syntax for type date: "a "Godofredo"\n"',
    'invalid input syntax for type date: "[redacted]"',
  ],
  ['22007', 'invalid value "Godofredo" for "Mon"', 'invalid value "[redacted]"'],
  [
    '22007',
    `invalid input syntax for type date: "${'Godofredo '.repeat(300)}"`,
    'invalid input syntax for type date: "[redacted]"',
  ],
  ['22001', 'value too long for type character varying(2)', 'value too long for type character varying(2)'],
  [
    '22P02',
    'insert into "t" values ($1) - invalid input syntax for type integer: "Rua A - Godofredo"',
    '"[redacted]"',
  ],
  ['42P01', 'relation "shop.orders" does not exist', 'relation "shop.orders" does not exist'],
])('shows PostgreSQL’s error %s without the value that it quotes (case %#)', (code, message, shown) => {
  expect(redactStoreError(Object.assign(new Error(message), { code }), { items: [] }).message).toBe(
    `PostgreSQL: ${shown} (${code}).`,
  );
});

test('codeOrName returns an error’s system code, or otherwise its class name', () => {
  const named = (own: object, error = new TypeError('topsecret')) => codeOrName(Object.assign(error, own));
  expect(named({ code: 'ENOENT' })).toBe('ENOENT');
  expect(named({ code: 'topsecret' })).toBe('TypeError');
  expect(named({ name: 'Ana Souza' })).toBe('Error');
  for (const thrown of [undefined, 'topsecret', { code: 'ENOENT' }]) expect(codeOrName(thrown)).toBe('');
});
