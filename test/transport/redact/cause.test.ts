import { describe, expect, test } from 'vitest';
import { cleanCause, summaryOf } from '../../../src/transport/redact/cause.js';

const scrub = (text: string) => text.replaceAll('secret', '[redacted]');
const clean = (cause: unknown) => cleanCause(cause, scrub) as Error & Record<string, unknown>;

describe('cleanCause', () => {
  test('what an error says, without its secrets and without anything else', () => {
    const error = Object.assign(new TypeError('the secret failed'), {
      code: 'E_secret',
      errno: -111,
      syscall: 'connect',
      address: '127.0.0.1',
      port: 443,
      request: { headers: { authorization: 'secret' } },
    });
    error.stack = 'TypeError: the secret failed\n    at here';
    const copy = clean(error);
    expect(copy).not.toBe(error);
    expect(copy).toBeInstanceOf(Error);
    expect({ ...copy }).toEqual({});
    expect(Object.getOwnPropertyNames(copy).sort()).toEqual(
      ['address', 'code', 'errno', 'message', 'name', 'port', 'stack', 'syscall'].sort(),
    );
    expect(copy).toMatchObject({
      name: 'TypeError',
      message: 'the [redacted] failed',
      stack: 'TypeError: the [redacted] failed\n    at here',
      code: 'E_[redacted]',
      errno: -111,
      syscall: 'connect',
      address: '127.0.0.1',
      port: 443,
    });
    // Not for enumeration, but the person who reads it may change it.
    copy.name = 'Another';
    expect(copy.name).toBe('Another');
    expect(Reflect.deleteProperty(copy, 'code')).toBe(true);
  });

  test('undefined stays undefined', () => {
    expect(cleanCause(undefined, scrub)).toBeUndefined();
  });

  test('what is no error becomes one', () => {
    expect(clean('a secret text').message).toBe('a [redacted] text');
    expect(clean(42).message).toBe('42');
    for (const thrown of [null, {}, '', Object.create(null), Symbol('secret'), true])
      expect(clean(thrown).message).toBe('a value that is not an Error was thrown');
  });

  test('no name, and fields of other types', () => {
    const copy = clean(
      Object.assign(new Error('x'), { name: '', code: { secret: 1 }, port: true, stack: 7 }),
    );
    expect(copy.name).toBe('Error');
    expect(Object.hasOwn(copy, 'code')).toBe(false);
    expect(Object.hasOwn(copy, 'port')).toBe(false);
    expect(copy.stack).not.toBe(7);
    expect(copy.stack).not.toBe('7');
  });

  test('getters that throw', () => {
    const error = new Error('x');
    for (const name of ['stack', 'name', 'message', 'code', 'cause'])
      Object.defineProperty(error, name, {
        get() {
          throw new Error('no');
        },
      });
    expect(clean(error)).toMatchObject({ name: 'Error', message: '' });
    expect(Object.hasOwn(clean(error), 'cause')).toBe(false);
  });

  test('long texts are scrubbed before they are cut', () => {
    expect(clean(new Error('x'.repeat(3_000))).message).toBe('x'.repeat(2_000));
    expect(clean(new Error('x'.repeat(2_000))).message).toHaveLength(2_000);
    const atTheEdge = clean(new Error(`${'x'.repeat(1_995)}secret`)).message;
    expect(atTheEdge).toBe(`${'x'.repeat(1_995)}[reda`);
    let seen = 0;
    cleanCause(new Error('x'.repeat(100_000)), (text) => {
      seen = Math.max(seen, text.length);
      return text;
    });
    expect(seen).toBe(8_000);
  });

  test('three errors behind it, and no more', () => {
    const chain = [5, 4, 3, 2, 1, 0].reduce<Error | undefined>(
      (cause, index) => new Error(`error ${index}`, cause && { cause }),
      undefined,
    );
    const messages: string[] = [];
    for (let at: unknown = clean(chain); at instanceof Error; at = at.cause) messages.push(at.message);
    expect(messages).toEqual(['error 0', 'error 1', 'error 2', 'error 3']);
    expect(Object.hasOwn(clean(new Error('x')), 'cause')).toBe(false);
  });

  test('a cause that is no error, and one in a circle', () => {
    expect((clean(new Error('x', { cause: 'a secret' })).cause as Error).message).toBe('a [redacted]');
    const circle = new Error('round');
    circle.cause = circle;
    expect(clean(circle).message).toBe('round');
  });
});

describe('summaryOf', () => {
  test('name and message in one line, or what there is of them', () => {
    expect(summaryOf(new TypeError('no\nway'))).toBe('TypeError: no way');
    expect(summaryOf(new TypeError(''))).toBe('TypeError');
    expect(summaryOf(Object.assign(new Error('x'), { name: '' }))).toBe('x');
    expect(summaryOf('a text')).toBe('a text');
    expect(summaryOf(7)).toBe('7');
    for (const thrown of [undefined, null, {}, true]) expect(summaryOf(thrown)).toBe('');
  });

  test('300 characters at most', () => {
    expect(summaryOf('x'.repeat(301))).toBe('x'.repeat(300));
  });

  test('a getter that throws', () => {
    const error = Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error('no');
      },
    });
    expect(summaryOf(error)).toBe('Error');
  });
});
