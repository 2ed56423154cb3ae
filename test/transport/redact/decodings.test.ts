import { describe, expect, test } from 'vitest';
import { decodingsOf, withoutSeparators } from '../../../src/transport/redact/decodings.js';

const texts = (text: string) => decodingsOf(text).map((decoding) => decoding.text);

/** What stands in the given text for a part of its reading. */
function written(text: string, read: string): string | undefined {
  for (const decoding of decodingsOf(text)) {
    const at = decoding.text.indexOf(read);
    if (at === -1) continue;
    const [start, end] = decoding.range(at, at + read.length);
    return text.slice(start, end);
  }
  return undefined;
}

describe('spellingsOf', () => {
  test('a text without escapes is read as it is, once', () => {
    expect(texts('plain')).toEqual(['plain']);
    expect(texts('')).toEqual(['']);
    expect(decodingsOf('plain')[0]?.range(1, 3)).toEqual([1, 3]);
  });

  const readings: [string, string][] = [
    ['a\\nb', 'a\nb'],
    ['a\\rb', 'a\rb'],
    ['a\\tb', 'a\tb'],
    ['a\\bb', 'a\bb'],
    ['a\\fb', 'a\fb'],
    ['a\\"b', 'a"b'],
    ['a\\/b', 'a/b'],
    ['a\\\\b', 'a\\b'],
    ['a\\qb', 'aqb'],
    ['\\u0041b', 'Ab'],
    ['\\u00e9', 'é'],
    ['\\u65E5', '日'],
    ['\\u00', 'u00'],
    ['a%41b', 'aAb'],
    ['%c3%a9', 'é'],
    ['%E6%97%A5', '日'],
    ['%f0%9f%98%80', '😀'],
    ['%00%7f', '\0\u007f'],
    ['%7E%41', '~A'],
    ['%e9x', 'éx'],
    ['%C3x', 'Ãx'],
    ['%df%bf', '\u07ff'],
    ['%e0%a0%80', '\u0800'],
    ['%ef%bf%bd', '\ufffd'],
    ['%f0%90%80%80', '\u{10000}'],
    ['a&amp;b', 'a&b'],
    ['a&lt;b', 'a<b'],
    ['&NewLine;', '\n'],
    ['&#65;b', 'Ab'],
    ['&#65b', 'Ab'],
    ['&#x41;b', 'Ab'],
    ['&#X41;b', 'Ab'],
    ['&#128512;', '😀'],
    ['&#x10ffff;', '\u{10ffff}'],
    ['&#000000000065;', 'A'],
    ['%u00e9x', 'éx'],
    ['%u65E5', '日'],
    ['\\u{41}b', 'Ab'],
    ['\\u{1f600}', '😀'],
    ['\\u{10ffff}', '\u{10ffff}'],
    ['\\u{110000}', '\ufffd'],
    ['\\x41b', 'Ab'],
    ['\\101b', 'Ab'],
    ['\\377', 'ÿ'],
    ['\\401', '401'],
    ['=41b', 'Ab'],
    ['a=\r\nb', 'ab'],
    ['a= \nb', 'ab'],
  ];
  test.each(readings)('%j is read as %j', (text, read) => {
    expect(texts(text)).toContain(read);
    expect(written(`before ${text} behind`, `before ${read} behind`)).toBe(`before ${text} behind`);
  });

  test.each([
    '100%',
    '%4',
    '%zz',
    'a & b',
    '&unknown;',
    '&#;',
    '&#x110000;',
    '&#9999999;',
    '&amp',
    'a=b',
    '=',
    '=4',
    '= x',
  ])('%j stands for itself', (text) => expect(texts(text)).toEqual([text]));

  test('a backslash at the end stands for itself', () => {
    expect(texts('a\\')).toEqual(['a\\']);
    expect(texts('\\n\\')).toContain('\n\\');
  });

  test('several escapes in one text, and what stands between them', () => {
    expect(texts('a%41b%42%43c')).toContain('aAbBCc');
    expect(texts('&lt;a&gt;')).toContain('<a>');
    expect(texts('\\u0041\\u0042')).toContain('AB');
  });

  test('one kind put into another, in any order', () => {
    expect(texts('%5Cu0041')).toContain('A');
    expect(texts('\\u002541')).toContain('A');
    expect(texts('&#37;41')).toContain('A');
    expect(texts('%26%2365%3B')).toContain('A');
    expect(texts('%2541')).toEqual(['%2541', '%41', 'A']);
    expect(texts('\\\\\\\\n')).toContain('\n');
  });

  test('twelve readings at most, and none twice', () => {
    let text = 'secret%5C&';
    for (let turn = 0; turn < 8; turn++)
      text = encodeURIComponent(JSON.stringify(text).replaceAll('"', '&quot;'));
    expect(texts(text)).toHaveLength(12);
    expect(new Set(texts(text)).size).toBe(12);
    let nested = 'x';
    for (let turn = 0; turn < 20; turn++) nested = nested.replaceAll('%', '%25').replace('x', '%78x');
    expect(texts(nested)).toHaveLength(12);
  });

  test('a range is that of the whole escapes', () => {
    expect(written('ab%41cd', 'b')).toBe('b');
    expect(written('ab%41cd', 'Acd')).toBe('%41cd');
    expect(written('ab%41cd', 'd')).toBe('d');
    expect(written('%c3%a9%41', 'A')).toBe('%41');
    expect(written('%e6%97%a5%5a', 'Z')).toBe('%5a');
    expect(written('%f0%9f%98%80%41', 'A')).toBe('%41');
    expect(written('x%41%42y', 'A')).toBe('%41');
    expect(written('x%41%42y', 'B')).toBe('%42');
    expect(written('x%41%42y', 'AB')).toBe('%41%42');
    expect(written('x\\u0041y', 'A')).toBe('\\u0041');
    expect(written('x&amp;y', 'x&y')).toBe('x&amp;y');
    expect(written('x&#65;y', 'xA')).toBe('x&#65;');
    expect(written('%2541', 'A')).toBe('%2541');
    expect(written('x%252541y', 'Ay')).toBe('%252541y');
  });

  test('squeezed: without what folds or hides a text', () => {
    const given = 'a b-c:\u200bd\ne';
    const { text, range } = withoutSeparators(given);
    expect(text).toBe('abcde');
    expect(range(0, 1)).toEqual([0, 1]);
    expect(range(0, 5)).toEqual([0, given.length]);
    expect(range(1, 3)).toEqual([2, 5]);
    expect(withoutSeparators(' ').text).toBe('');
  });

  test('both halves of a character that is written as one', () => {
    const [, decoding] = decodingsOf('a%F0%9F%98%80b');
    expect(decoding?.text).toBe('a😀b');
    expect(decoding?.range(1, 2)).toEqual([1, 13]);
    expect(decoding?.range(2, 3)).toEqual([1, 13]);
    expect(decoding?.range(0, 1)).toEqual([0, 1]);
    expect(decoding?.range(3, 4)).toEqual([13, 14]);
  });
});
