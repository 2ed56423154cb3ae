import { describe, expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/transport/retry.js';

describe('a date in Retry-After (row 24)', () => {
  const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
  const dates: [string, number | undefined][] = [
    ['Sun, 06 Nov 1994 08:49:47 GMT', 10_000],
    ['Sunday, 06-Nov-94 08:49:47 GMT', 10_000],
    // The form of asctime has no zone, and means GMT whatever this machine's is.
    ['Sun Nov  6 08:49:47 1994', 10_000],
    ['Sun Nov 16 08:49:37 1994', 864_000_000],
    ['Sun, 06 Nov 1994 08:49:47', undefined],
    ['Sun, 06 Nov 1994 08:49:47 +0100', undefined],
    ['1994-11-06T08:49:47Z', undefined],
    ['Sun, 06 Nov 1994 08:49:27 GMT', undefined],
    ['in a while', undefined],
  ];
  for (const zone of ['UTC', 'America/Sao_Paulo', 'Asia/Tokyo']) {
    test.each(dates)(`%s, on a machine in ${zone}`, (value, expected) => {
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
