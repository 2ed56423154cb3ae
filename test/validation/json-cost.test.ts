import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/validation/json.js';

describe('parseJson', () => {
  test('reads a long number next to a string of 9 MB quickly', () => {
    const text = `{"id":1234567890123456789,"note":"${'x'.repeat(9_000_000)}"}`;
    expect(parseJson(text)).toMatchObject({ id: '1234567890123456789' });
  });

  test('reads hostile input quickly', () => {
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
        // Most of the text is not valid JSON.
      }
    }
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
