import { describe, expect, test } from 'vitest';
import { KnownSecrets } from '../../../src/transport/redact/known-secrets.js';

const secret = 'sk_live_4f9aB1c8Xy77';

/** What is found, as text. */
const found = (text: string, ...secrets: string[]) =>
  Array.from(new KnownSecrets(secrets).in(text), ([start, end]) => text.slice(start, end));

/** What is found, but for overlaps. */
const distinct = (text: string, ...secrets: string[]) => [...new Set(found(text, ...secrets))];

describe('a secret of six characters or more', () => {
  test('everywhere, also within words', () => {
    expect(found(`a${secret}b, ${secret}`, secret)).toEqual([secret, secret]);
    expect(found('xxabcdefxx', 'abcdef')).toEqual(['abcdef']);
    expect(found('x abcdef x', 'abcdef')).toEqual(['abcdef']);
    expect([...new KnownSecrets(['abcdef']).in('abcdef')]).toEqual([[0, 6]]);
    expect([...new KnownSecrets(['abcdef']).in('xxabcdefabcdefx')]).toEqual([
      [2, 8],
      [8, 14],
    ]);
  });

  test('its first twelve characters or more, where the rest is cut or is another', () => {
    expect(found(secret.slice(0, 12), secret)).toEqual([secret.slice(0, 12)]);
    expect(found(`${secret.slice(0, 15)}…`, secret)).toEqual([secret.slice(0, 15)]);
    expect(found(`${secret}77`, secret)).toEqual([secret]);
    expect(found(secret.slice(0, 11), secret)).toEqual([]);
    expect(found(`${secret.slice(0, 13)}, ${secret}`, secret)).toEqual([secret.slice(0, 13), secret]);
  });

  test('one that is no longer than the part: whole', () => {
    expect(found('abcdefghijk', 'abcdefghijkl')).toEqual([]);
    expect(found('abcdefghijklm', 'abcdefghijkl')).toEqual(['abcdefghijkl']);
    expect(found('abcde', 'abcdef')).toEqual([]);
  });
});

describe('a shorter one', () => {
  test('where it stands alone', () => {
    for (const text of ['737', '"737"', 'cvv=737&', '-737-', 'é737', '737\n']) {
      expect(found(text, '737')).toEqual(['737']);
    }
    for (const text of ['1737', '7371', 'a737', '737a', 'Z737', '737Z', '0737', '7379']) {
      expect(found(text, '737')).toEqual([]);
    }
  });

  test('each time, and where its beginning is its end', () => {
    expect(found('737 737', '737')).toEqual(['737', '737']);
    expect(found('1737 737', '737')).toEqual(['737']);
    expect([...new KnownSecrets(['-1-']).in(' -1-1- ')]).toEqual([]);
    expect([...new KnownSecrets(['- -']).in('- - -')]).toEqual([
      [0, 3],
      [2, 5],
    ]);
  });

  test('of five characters alone, of six anywhere', () => {
    expect(found('x12345x', '12345')).toEqual([]);
    expect(found('x123456x', '123456')).toEqual(['123456']);
  });
});

describe('a code behind its name without a space', () => {
  test.each(['cvv737', 'CVC737', 'cvv2737', 'code737', 'pin737'])('%s', (text) => {
    expect(found(text, '737')).toEqual(['737']);
    expect(found(`${text}x`, '737')).toEqual([]);
    expect(found(`x ${text}.`, '737')).toEqual(['737']);
  });
});

describe('a row of 12 to 19 digits', () => {
  test.each([12, 19])('%i: in any spacing', (length) => {
    const number = '7'.padEnd(length, '0123456789');
    const spaced = number.split('').join(' ');
    expect(distinct(`x ${spaced} x`, number)).toEqual([spaced]);
  });

  test('given with spaces, dots or dashes', () => {
    for (const separator of [' ', '.', '-']) {
      const number = `7012${separator}3456${separator}7890`;
      expect(distinct('701234567890', number)).toEqual(['701234567890']);
    }
    expect(distinct('701234567890', '7012/3456/7890')).toEqual([]);
  });

  test.each([11, 20])('%i: only as it is', (length) => {
    const number = '7'.padEnd(length, '0123456789');
    expect(distinct(number.split('').join(' '), number)).toEqual([]);
    expect(distinct(number, number)).toEqual([number]);
  });

  test('not where letters stand around the digits of the secret', () => {
    expect(distinct('7012 3456 7890', 'x701234567890')).toEqual([]);
    expect(distinct('7012 3456 7890', '701234567890x')).toEqual([]);
  });
});

describe('in base64 and in hexadecimal', () => {
  const sources = ['12345678', 'abcdefghi', 'segrêdo-日本', 'sk_live>>??~~>>??', secret];

  test.each(sources)('%s: at each of the three places where it may begin', (text) => {
    for (const before of ['', 'x', 'xy', 'xyz', 'four']) {
      for (const after of ['', 'z', 'zz', 'zzz']) {
        const bytes = Buffer.from(`${before}${text}${after}`);
        for (const encoded of [bytes.toString('base64'), bytes.toString('base64url')]) {
          const [range] = [...new KnownSecrets([text]).in(`>${encoded}<`)];
          expect(range, `${before}|${after}`).toBeDefined();
          // All but the characters at both ends, which hold bits of what stands beside it.
          const first = Math.ceil((Buffer.from(before).length * 8) / 6);
          const last = Math.floor(((Buffer.from(before).length + Buffer.from(text).length) * 8) / 6);
          const [start = 0, end = 0] = range ?? [];
          expect([start - 1, end - 1], `${before}|${after}`).toEqual([first, last]);
        }
      }
    }
  });

  test('in hexadecimal of either case', () => {
    const hex = Buffer.from(secret).toString('hex');
    for (const encoded of [hex, hex.toUpperCase()]) expect(found(`x${encoded}x`, secret)).toEqual([encoded]);
    expect(found(hex.slice(0, 24), secret)).toEqual([hex.slice(0, 24)]);
    expect(found(hex.slice(0, 23), secret)).toEqual([]);
  });

  test('with leading zeros in hexadecimal', () => {
    expect(found('0a0b0c0d0e0f0102', '\n\u000b\f\r\u000e\u000f\u0001\u0002')).toEqual(['0a0b0c0d0e0f0102']);
  });

  test('from eight characters on', () => {
    const base64 = Buffer.from('12345678').toString('base64');
    expect(found(base64, '12345678')).toHaveLength(1);
    expect(found(Buffer.from('1234567').toString('base64'), '1234567')).toEqual([]);
    expect(found(Buffer.from('1234567').toString('hex'), '1234567')).toEqual([]);
  });

  test('several, and again in another text', () => {
    const known = new KnownSecrets([secret, 'another-secret']);
    for (const one of [secret, 'another-secret', secret]) {
      expect([...known.in(Buffer.from(one).toString('base64'))]).toHaveLength(1);
      expect([...known.in(Buffer.from(one).toString('hex'))]).toHaveLength(1);
    }
  });

  test('in a text of eight characters', () => {
    // Six bytes are eight characters of base64: less than what is looked for, and no error.
    expect(found('MTIzNDU2', '12345678')).toEqual([]);
    expect(found('abcdefgh', 'abcdefgh')).toEqual(['abcdefgh']);
    expect(found('abcdefg', 'abcdefgh')).toEqual([]);
  });
});

test('what came with an answer is looked for as it is, and not in base64 or in hexadecimal', () => {
  const known = new KnownSecrets([], [secret, '737', '701234567890']);
  const all = (text: string) => Array.from(known.in(text), ([start, end]) => text.slice(start, end));
  expect(all(`${secret} 737`)).toEqual(['737', secret]);
  expect(new Set(all('7012 3456 7890'))).toEqual(new Set(['7012 3456 7890']));
  expect(all(Buffer.from(secret).toString('base64'))).toEqual([]);
  expect(all(Buffer.from(secret).toString('hex'))).toEqual([]);
  expect(found(`${secret}`, secret, secret)).toEqual([secret]);
});

test('of a long secret its first 512 characters are looked for in base64 and in hexadecimal', () => {
  const long = 'Ab9_'.repeat(200);
  const hex = Buffer.from(long).toString('hex');
  expect(found(hex, long)).toEqual([hex.slice(0, 1024), hex.slice(1024)]);
});

test('a number with separators is one of up to forty characters', () => {
  const number = '701234567890';
  const spelt = (length: number) => `7${' '.repeat(length - 12)}01234567890`;
  expect(distinct(`x ${number}`, spelt(40))).toEqual([number]);
  expect(distinct(`x ${number}`, spelt(41))).toEqual([]);
});

test('nothing where no secret is known, and an empty one is none', () => {
  expect(found('a text of some length')).toEqual([]);
  expect(found('a text of some length', '')).toEqual([]);
});
