import { describe, expect, test } from 'vitest';
import { readBody } from '../../src/contract/read-value.js';
import type { Issue } from '../../src/input/issue.js';

/** The copy of a value, and what was wrong with it. */
function taken(value: unknown): { copy: unknown; issues: readonly Issue[] } {
  const { value: copy, issues } = readBody(value);
  return { copy, issues };
}

const circle = (): object => {
  const self: { inner?: object } = {};
  self.inner = { self };
  return self;
};

const nested = (levels: number): unknown => (levels === 0 ? 'end' : { a: nested(levels - 1) });

describe('the body of a request', () => {
  test.each([
    'text',
    '',
    true,
    false,
    0,
    -1.5,
    1990,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    null,
    undefined,
    [],
    {},
    [1, [2, { three: 3 }]],
    { a: { b: [null, 'c'] }, d: false },
  ])('%j is itself', (value) => {
    expect(taken(value)).toEqual({ copy: value, issues: [] });
  });

  test('what the caller changes afterwards changes no copy', () => {
    const body = { list: [{ a: 1 }], inner: { b: 2 } };
    const { copy } = taken(body);
    body.list.push({ a: 2 });
    body.inner.b = 3;
    expect(copy).toEqual({ list: [{ a: 1 }], inner: { b: 2 } });
  });

  test('undefined is left out of an object, and null in a list', () => {
    expect(Object.keys(taken({ a: undefined, b: 1 }).copy as object)).toEqual(['b']);
    expect(taken([undefined, 1]).copy).toEqual([null, 1]);
    expect(taken(Object.assign([], { 1: 1 })).copy).toEqual([null, 1]);
  });

  test('what is inside of a String, a Number or a Boolean', () => {
    const wrapped = [new String('a'), new Number(7), new Boolean(false)];
    expect(taken({ wrapped })).toEqual({ copy: { wrapped: ['a', 7, false] }, issues: [] });
    expect(taken(new Number(Number.NaN)).issues).toEqual([
      { path: '', message: 'must be a finite number, not NaN' },
    ]);
  });

  test('toJSON says what is sent', () => {
    const date = new Date('2026-01-01T00:00:00Z');
    expect(taken({ at: date })).toEqual({ copy: { at: '2026-01-01T00:00:00.000Z' }, issues: [] });
    const money = {
      cents: 7,
      toJSON() {
        return this.cents;
      },
    };
    expect(taken([money]).copy).toEqual([7]);
    expect(taken({ toJSON: 'text' }).copy).toEqual({ toJSON: 'text' });
  });

  test('no field __proto__', () => {
    const { copy } = taken(JSON.parse('{"__proto__":{"polluted":true},"a":1}'));
    expect(Object.keys(copy as object)).toEqual(['a']);
    expect((copy as { polluted?: boolean }).polluted).toBeUndefined();
  });

  const refused: [string, unknown, string][] = [
    ['NaN', Number.NaN, 'must be a finite number, not NaN'],
    ['Infinity', Number.NEGATIVE_INFINITY, 'must be a finite number, not -Infinity'],
    ['2^53', 2 ** 53, 'must be a safe integer (up to 2^53 - 1)'],
    ['-2^53', -(2 ** 53), 'must be a safe integer (up to 2^53 - 1)'],
    ['a bigint', 1n, 'must be a number, not a bigint'],
    ['a function', () => 1, 'cannot be sent as JSON: it is a function'],
    ['a symbol', Symbol('s'), 'cannot be sent as JSON: it is a symbol'],
    ['a Map', new Map(), 'must be a plain object, not a Map'],
    ['a URLSearchParams', new URLSearchParams('amount=5'), 'must be a plain object, not a URLSearchParams'],
    ['an ArrayBuffer', new ArrayBuffer(3), 'must be a plain object, not a ArrayBuffer'],
    ['a bigint in an object', Object(1n), 'must be a plain object, not a BigInt'],
    ['a Set', new Set(), 'must be a plain object, not a Set'],
    ['a Promise', Promise.resolve(1), 'is a Promise: await it first'],
    ['an invalid date', new Date(Number.NaN), 'must be a valid date'],
  ];
  test.each(refused)('%s is refused, with its path', (_, value, message) => {
    expect(taken(value).issues).toEqual([{ path: '', message }]);
    expect(taken({ list: [0, { a: value }], b: value }).issues).toEqual([
      { path: 'list.1.a', message },
      { path: 'b', message },
    ]);
  });

  test('a field named then is no Promise', () => {
    const body = JSON.parse('{"then":"later"}');
    expect(taken({ body })).toEqual({ copy: { body }, issues: [] });
  });

  test('a circle is refused, and an object that occurs twice is none', () => {
    expect(taken(circle()).issues).toEqual([
      { path: 'inner.self', message: 'refers back to an object that contains it' },
    ]);
    const shared = { a: 1 };
    expect(taken([shared, shared, { shared }])).toEqual({
      copy: [{ a: 1 }, { a: 1 }, { shared: { a: 1 } }],
      issues: [],
    });
  });

  test('64 levels are taken, and no more', () => {
    expect(taken(nested(64)).issues).toEqual([]);
    expect(taken(nested(65)).issues).toEqual([
      { path: 'a.'.repeat(64).slice(0, -1), message: 'is nested deeper than 64 levels' },
    ]);
  });

  test('100,000 values are taken, and no more', () => {
    const list = (length: number) => Array.from({ length }, () => 1);
    const message = 'holds more than 100000 values';
    expect(taken(list(99_999)).issues).toEqual([]);
    expect(taken(list(100_000))).toEqual({ copy: undefined, issues: [{ path: '', message }] });
    expect(taken([list(50_000), list(49_997)]).issues).toEqual([]);
    expect(taken([list(50_000), list(49_998)]).issues).toEqual([{ path: '', message }]);
    expect(taken({ a: list(99_998) }).issues).toEqual([]);
    const fields = Object.fromEntries(list(100_000).map((_, index) => [`f${index}`, 1]));
    expect(taken(fields)).toEqual({ copy: undefined, issues: [{ path: '', message }] });
  });

  test('a long list of holes is refused before it is read', () => {
    const holes: unknown[] = [];
    holes[1_700_000_000] = 1;
    expect(taken({ holes })).toEqual({
      copy: undefined,
      issues: [{ path: '', message: 'holds more than 100000 values' }],
    });
  });

  test('a getter that throws is told, and not thrown', () => {
    const body = {
      get name() {
        throw new Error('no');
      },
    };
    expect(taken({ body })).toEqual({
      copy: undefined,
      issues: [{ path: '', message: 'could not be read: one of its getters throws' }],
    });
  });
});
