import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/validation/json.js';

describe('parseJson', () => {
  test('reads a long number exactly next to a string of 9 MB', () => {
    const text = `{"id":1234567890123456789,"note":"${'x'.repeat(9_000_000)}"}`;
    expect(parseJson(text)).toMatchObject({ id: '1234567890123456789' });
  });

  test('reads hostile input in time proportional to its length', () => {
    const hostile = [
      '1'.repeat(5_000_000),
      `[1234567890123456,"${'\\\\"'.repeat(2_000_000)}`,
      `"${'\\"'.repeat(2_000_000)}"`,
      `[${'1234567890123456,'.repeat(300_000)}1]`,
      '"'.repeat(1_000_001),
      `${'1'.repeat(15)} `.repeat(300_000),
    ];
    const isRead = (text: string) => {
      try {
        parseJson(text);
        return true;
      } catch {
        return false;
      }
    };
    // A parser with quadratic time would not end.
    expect(hostile.map(isRead)).toEqual([true, false, true, false, false, false]);
  });
});
