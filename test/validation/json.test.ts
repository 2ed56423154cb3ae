import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactJson, parseJson, TooComplexError } from '../../src/validation/json.js';

describe('parseJson', () => {
  test('returns the same as JSON.parse for every number that a double can represent', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const expected = JSON.parse(text);
        if (!/\d{16}/.test(text)) expect(parseJson(text)).toEqual(expected);
      }),
      { seed: 7, numRuns: 2_000 },
    );
  });

  test('returns every digit of an integer, wherever it is in the document', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.integer({ min: 0, max: 40 }),
        fc.boolean(),
        (value, padding, list) => {
          const text = `{"${'p'.repeat(padding)}":${list ? `[1,${value}]` : value},"text":"${value}"}`;
          const parsed = Object.values(parseJson(text) as Record<string, unknown>);
          const found = list ? (parsed[0] as unknown[])[1] : parsed[0];
          const safe = Number.isSafeInteger(Number(value));
          expect(found).toBe(safe ? Number(value) : String(value));
          expect(parsed[1]).toBe(String(value));
        },
      ),
      { seed: 7, numRuns: 3_000 },
    );
  });

  const unchanged = [
    '9007199254740991',
    '-9007199254740991',
    '[0.1234567890123456789, -1.5e-300, 1e308, 2E+100, 0, -0]',
    '12345678901234567.5',
    '0.00000000000000001',
    '{"a":"9007199254740993","9007199254740993":1}',
    '["1e400", "-1e400"]',
    '["\\\\", "\\"9007199254740993", "x\\\\"]',
    '1e-400',
    ' [ 1 , 2 ] ',
    '[true,false,null,"e+100"]',
  ];
  test.each(unchanged)('reads %s as JSON.parse does', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
    // The same text stands next to a number that is kept as a string.
    expect(parseJson(`[${text},9007199254740993,${text}]`)).toEqual([
      JSON.parse(text),
      '9007199254740993',
      JSON.parse(text),
    ]);
  });

  test.each([
    '9007199254740992',
    '-9007199254740992',
    '1e309',
    '1E309',
    '1e+309',
    '-1.5e400',
    '12.5e1000',
    '1'.repeat(400),
    `${'1'.repeat(400)}.5`,
  ])('returns the number %s as a string with the same characters', (number) => {
    expect(parseJson(number)).toBe(number);
    expect(parseJson(`[${number}]`)).toEqual([number]);
    expect(parseJson(`{"a":${number},"b":[${number},1]}`)).toEqual({ a: number, b: [number, 1] });
    expect(parseJson(`{"a\\"1":${number} ,"b\\\\":${number}}`)).toEqual({ 'a"1': number, 'b\\': number });
  });

  test('returns a long number as a string, even after many short numbers', () => {
    for (const digits of [1, 3, 8, 15]) {
      for (let between = 0; between < 300; between++) {
        const text = `["${' '.repeat(between % 17)}",${'1'.repeat(digits)}${' '.repeat(between)},9007199254740993]`;
        expect((parseJson(text) as unknown[])[2]).toBe('9007199254740993');
      }
    }
  });

  test('accepts a byte order mark only at the start', () => {
    expect(parseJson('\ufeff[1]')).toEqual([1]);
    expect(() => parseJson('\ufeff\ufeff[1]')).toThrow(SyntaxError);
    expect(() => parseJson('[1\ufeff]')).toThrow(SyntaxError);
  });

  test.each(['', '{', '[1,]', '{"a":1', 'undefined', '9007199254740993x', '[9007199254740993', '"1e400'])(
    'throws a SyntaxError for %j',
    (text) => expect(() => parseJson(text)).toThrow(SyntaxError),
  );

  test('returns a number if a double can represent it exactly, and otherwise a string', () => {
    const kept = (text: string) => JSON.stringify(parseJson(text)) === JSON.stringify(JSON.parse(text));
    for (const digits of [1, 14, 15]) {
      for (let before = 0; before < 34; before++)
        expect(kept(`[${' '.repeat(before)}${'1'.repeat(digits)}]`)).toBe(true);
    }
    expect(kept(`[${'123456789012345,'.repeat(40)}1]`)).toBe(true);
    expect(kept('[1e10, 1e-10]')).toBe(true);
    for (let before = 0; before < 34; before++) {
      expect(kept(`[${' '.repeat(before)}1234567890123456]`)).toBe(true);
      expect(kept(`[${' '.repeat(before)}9007199254740993]`)).toBe(false);
      expect(kept(`[1,${' '.repeat(before)}1e100]`)).toBe(true);
      expect(kept(`[1,${' '.repeat(before)}1e400]`)).toBe(false);
    }
  });

  describe('with limits', () => {
    const nested = (depth: number, open: string, close: string) =>
      `${open.repeat(depth)}1${close.repeat(depth)}`;

    test('accepts 128 levels of nesting, and rejects 129', () => {
      for (const text of [nested(128, '[', ']'), nested(128, '{"a":', '}'), nested(64, '[{"a":', '}]')])
        expect(parseJson(text)).toEqual(JSON.parse(text));
      for (const text of [
        nested(129, '[', ']'),
        nested(129, '{"a":', '}'),
        `[${nested(64, '[{"a":', '}]')}]`,
        `{"a":${nested(64, '{"a":[', ']}')}}`,
        '['.repeat(129),
        '{"a":'.repeat(129),
      ])
        expect(() => parseJson(text)).toThrow(TooComplexError);
    });

    test('applies the same limits to webhook deliveries', () => {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const deepest = nested(128, open, close);
        expect(parseExactJson(deepest)).toEqual(JSON.parse(deepest));
        expect(() => parseExactJson(nested(129, open, close))).toThrow(TooComplexError);
        expect(() => parseExactJson(nested(50_000, open, close))).toThrow(TooComplexError);
        expect(() => parseExactJson(`[9007199254740993,${nested(128, open, close)}]`)).toThrow(
          TooComplexError,
        );
      }
    });

    test('counts only brackets that are still open, and ignores brackets in strings', () => {
      for (const one of ['[]', '{}', '[[],{}]', `"${'['.repeat(200)}"`, '"\\"[{"', '"]"', '"\\\\"'])
        expect(parseJson(`[${`${one},`.repeat(300)}1]`)).toHaveLength(301);
      expect(parseJson(`["${'{'.repeat(500)}"]`)).toEqual(['{'.repeat(500)]);
      expect(() => parseJson(`["]]]",${'['.repeat(128)}`)).toThrow(TooComplexError);
      expect(() => parseJson(`[[],${'['.repeat(128)}`)).toThrow(TooComplexError);
      expect(() => parseJson(`[[],${'['.repeat(127)}`)).toThrow(SyntaxError);
      expect(() => parseJson(`[{},${'['.repeat(127)}`)).toThrow(SyntaxError);
      expect(() => parseJson(`[${'[],'.repeat(130)}"never closed`)).toThrow(SyntaxError);
    });

    test('accepts at most 100,000 values', () => {
      const list = (count: number, value: string) =>
        `[${Array.from({ length: count }, () => value).join(',')}]`;
      expect(parseJson(list(99_999, '11'))).toHaveLength(99_999);
      expect(() => parseJson(list(100_000, '11'))).toThrow(TooComplexError);
      expect(() => parseJson(list(100_000, '1'))).toThrow(TooComplexError);
      expect(parseJson(list(49_999, '[]'))).toHaveLength(49_999);
      expect(() => parseJson(list(50_000, '[]'))).toThrow(TooComplexError);
      expect(() => parseJson(list(50_000, '{}'))).toThrow(TooComplexError);
      expect(parseJson(`["${','.repeat(600_000)}"]`)).toHaveLength(1);
      expect(() => parseJson(`{"a":${list(100_000, '1')}}`)).toThrow(/100000 values/);
    });
  });
});
