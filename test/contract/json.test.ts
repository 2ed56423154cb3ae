import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/contract/json.js';

describe('parseJson', () => {
  test('is JSON.parse for everything a double can hold', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const expected = JSON.parse(text);
        if (!/\d{16}/.test(text)) expect(parseJson(text)).toEqual(expected);
      }),
      { seed: 7, numRuns: 2_000 },
    );
  });

  test('keeps every digit of every integer, wherever it stands in the text', () => {
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

  test('a long number beside a text of 9 MB is no obstacle', () => {
    const text = `{"id":1234567890123456789,"note":"${'x'.repeat(9_000_000)}"}`;
    expect(parseJson(text)).toMatchObject({ id: '1234567890123456789' });
  });

  test('is not slow on hostile text', () => {
    const hostile = [
      '1'.repeat(5_000_000),
      `[1234567890123456,"${'\\\\"'.repeat(2_000_000)}`,
      `"${'\\"'.repeat(2_000_000)}"`,
      `[${'1234567890123456,'.repeat(300_000)}1]`,
      '"'.repeat(1_000_001),
      `${'1'.repeat(15)} `.repeat(300_000),
    ];
    const started = performance.now();
    for (const text of hostile) {
      try {
        parseJson(text);
      } catch {
        // Most of it is no JSON.
      }
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
