import { describe, expect, test } from 'vitest';
import { parseJson, TooComplexError } from '../../src/validation/json.js';

describe('parseJson', () => {
  test('reads a long number exactly next to a string of 9 MB', () => {
    const text = `{"id":1234567890123456789,"note":"${'x'.repeat(9_000_000)}"}`;
    expect(parseJson(text)).toMatchObject({ id: '1234567890123456789' });
  });

  test('rejects a number of more than 1,000 characters and quotes a shorter one', () => {
    const digits = '1'.repeat(1_000);
    expect(parseJson(`[${digits},-0.5]`)).toEqual([digits, -0.5]);
    expect(() => parseJson(`[${digits}1]`)).toThrow(SyntaxError);
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
    const outcome = (text: string) => {
      try {
        parseJson(text);
        return 'read';
      } catch (error) {
        return (error as Error).name + (error instanceof TooComplexError ? ': too complex' : '');
      }
    };
    // A parser with quadratic time would not end.
    expect(hostile.map(outcome)).toEqual([
      'SyntaxError',
      'SyntaxError',
      'read',
      'Error: too complex',
      'SyntaxError',
      'SyntaxError',
    ]);
  });
});
