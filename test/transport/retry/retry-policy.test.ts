import { describe, expect, test, vi } from 'vitest';
import { parseRetryAfter, type RetryContext, retryDelay } from '../../../src/transport/retry/retry-policy.js';

const situation: RetryContext = {
  retry: 'always',
  repeatable: true,
  stale: false,
  retries: 0,
  maxRetries: 2,
  retryAfter: undefined,
  remainingMs: 60_000,
  random: 1,
};

const decided = (changes: Partial<RetryContext>) => retryDelay({ ...situation, ...changes });

describe('retryDelay', () => {
  test('returns no delay if the failure’s policy is `never`, even on a stale connection', () => {
    expect(decided({ retry: 'never' })).toBeUndefined();
    expect(decided({ retry: 'never', stale: true })).toBeUndefined();
  });

  test('returns a delay for the policy `if-repeatable` only if the call may be repeated', () => {
    expect(decided({ retry: 'if-repeatable' })).toBe(500);
    expect(decided({ retry: 'if-repeatable', repeatable: false })).toBeUndefined();
    expect(decided({ retry: 'if-repeatable', repeatable: false, stale: true })).toBeUndefined();
    expect(decided({ retry: 'always', repeatable: false })).toBe(500);
  });

  test('returns 0 for a stale connection, whose retry does not count towards maxRetries', () => {
    expect(decided({ stale: true, retries: 2 })).toBe(0);
    expect(decided({ retry: 'if-repeatable', stale: true, maxRetries: 0, retryAfter: 9_000 })).toBe(0);
  });

  test('returns no delay after maxRetries retries', () => {
    expect(decided({ retries: 1 })).toBe(1_000);
    expect(decided({ retries: 2 })).toBeUndefined();
    expect(decided({ retries: 3 })).toBeUndefined();
    expect(decided({ maxRetries: 0 })).toBeUndefined();
  });

  test('doubles the backoff up to eight seconds, with full jitter', () => {
    const backoffs = [0, 1, 2, 3, 4, 5, 9].map((retries) => decided({ retries, maxRetries: 10 }));
    expect(backoffs).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(decided({ random: 0 })).toBe(0);
    expect(decided({ random: 0.5, retries: 1 })).toBe(500);
  });

  test('returns the longer of the backoff and the Retry-After', () => {
    expect(decided({ retryAfter: 499 })).toBe(500);
    expect(decided({ retryAfter: 501 })).toBe(501);
    expect(decided({ retryAfter: 0, random: 0 })).toBe(0);
  });

  test('returns no delay that would last until the deadline', () => {
    expect(decided({ remainingMs: 501 })).toBe(500);
    expect(decided({ remainingMs: 500 })).toBeUndefined();
    expect(decided({ remainingMs: 499 })).toBeUndefined();
    expect(decided({ retryAfter: 60_000 })).toBeUndefined();
  });
});

describe('parseRetryAfter', () => {
  const longest = 2 ** 31 - 1;
  const noon = 'Sun, 22 Nov 2026 12:00:00 GMT';

  test.each([
    ['0', 0],
    ['7', 7_000],
    [' 7 ', 7_000],
    ['1.5', 1_500],
    ['12.25', 12_250],
    ['2147483', 2_147_483_000],
    ['2147484', longest],
    ['9'.repeat(400), longest],
  ])('reads %j as seconds', (value, expected) => expect(parseRetryAfter(value, undefined)).toBe(expected));

  test.each(['', ' ', '-1', '+1', '1.', '.5', '1e3', '0x10', '7 s', 's7', '7,7', 'soon', '1.5.5', '1.x'])(
    'ignores the value %j',
    (value) => expect(parseRetryAfter(value, noon)).toBeUndefined(),
  );

  test('ignores a missing header', () => expect(parseRetryAfter(undefined, noon)).toBeUndefined());

  test.each([
    'Sun, 22 Nov 2026 12:00:07 GMT',
    'Sunday, 22-Nov-26 12:00:07 GMT',
    'Sun Nov 22 12:00:07 2026',
    ' Sun, 22 Nov 2026 12:00:07 GMT ',
  ])('compares the date %j with the Date of the response, in any HTTP format', (value) => {
    for (const date of [noon, ` ${noon} `, 'Sunday, 22-Nov-26 12:00:00 GMT', 'Sun Nov 22 12:00:00 2026'])
      expect(parseRetryAfter(value, date)).toBe(7_000);
  });

  test('reads a day with a single digit in the format of asctime', () => {
    expect(parseRetryAfter('Sun Nov  1 12:00:07 2026', 'Sun, 01 Nov 2026 12:00:00 GMT')).toBe(7_000);
  });

  test('returns 0 for the current time, undefined for a past time, and at most 25 days for a later one', () => {
    expect(parseRetryAfter(noon, noon)).toBe(0);
    expect(parseRetryAfter('Sun, 22 Nov 2026 11:59:59 GMT', noon)).toBeUndefined();
    expect(parseRetryAfter('Sun, 22 Nov 2076 12:00:00 GMT', noon)).toBe(longest);
  });

  test('compares a date with the machine’s clock if the response has no readable Date', () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse(noon));
    for (const date of [undefined, '', 'today', '2026-11-22T11:00:00Z'])
      expect(parseRetryAfter('Sun, 22 Nov 2026 12:00:07 GMT', date)).toBe(7_000);
  });

  const noDates = [
    '2026-11-22T12:00:07Z',
    'Sun, 22 Nov 2026 12:00:07',
    'Sun, 22 Nov 2026 12:00:07 GMT+1',
    'x Sun, 22 Nov 2026 12:00:07 GMT',
    'Sun, 22 Nov 2026 12:00 GMT',
    'Sun Nov 22 12:00:07 2026 GMT',
    'Sun Nov 22 12:00:07 2026 +0300',
    'x Sun Nov 22 12:00:07 2026',
    '22 Nov 2026 12:00:07 GMT',
    'Nov 22 2026',
    'Sun, 99 Nov 2026 12:00:07 GMT',
  ];
  test.each(noDates)('ignores %j, which is not an HTTP date', (value) => {
    expect(parseRetryAfter(value, noon)).toBeUndefined();
  });
});

describe('a Retry-After date (row 24)', () => {
  const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
  const dates: [string, number | undefined][] = [
    ['Sun, 06 Nov 1994 08:49:47 GMT', 10_000],
    ['Sunday, 06-Nov-94 08:49:47 GMT', 10_000],
    // The asctime form has no time zone. It means GMT everywhere.
    ['Sun Nov  6 08:49:47 1994', 10_000],
    ['Sun Nov 16 08:49:37 1994', 864_000_000],
    ['Sun, 06 Nov 1994 08:49:47', undefined],
    ['Sun, 06 Nov 1994 08:49:47 +0100', undefined],
    ['1994-11-06T08:49:47Z', undefined],
    ['Sun, 06 Nov 1994 08:49:27 GMT', undefined],
    ['in a while', undefined],
  ];
  for (const zone of ['UTC', 'America/Sao_Paulo', 'Asia/Tokyo']) {
    test.each(dates)(`such as %s means a wait of %s ms on a machine in ${zone}`, (value, expected) => {
      const before = process.env.TZ;
      process.env.TZ = zone;
      try {
        expect(parseRetryAfter(value, date)).toBe(expected);
        expect(parseRetryAfter(value, 'Sun Nov  6 08:49:37 1994')).toBe(expected);
      } finally {
        if (before === undefined) delete process.env.TZ;
        else process.env.TZ = before;
      }
    });
  }
});
