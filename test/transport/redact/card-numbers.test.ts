import { describe, expect, test } from 'vitest';
import { cardNumbersIn, knownNumbersIn } from '../../../src/transport/redact/card-numbers.js';

const visa = '4111111111111111';
const master = '5555555555554444';

/** What is found, as text. */
const found = (text: string) => cardNumbersIn(text).map(([start, end]) => text.slice(start, end));

/** Digits, and the one that makes the row pass the Luhn check. */
function luhn(digits: string): string {
  const sum = Array.from(digits, Number)
    .reverse()
    .reduce((all, digit, index) => {
      const doubled = index % 2 === 0 ? digit * 2 : digit;
      return all + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

describe('cardNumbersIn', () => {
  test.each([13, 14, 15, 16, 17, 18, 19])('%i digits that pass the Luhn check', (length) => {
    const pan = luhn('4'.padEnd(length - 1, '07'));
    expect(cardNumbersIn(pan)).toEqual([[0, length]]);
    expect(cardNumbersIn(`pan: ${pan}.`)).toEqual([[5, 5 + length]]);
    const other = (Number(pan.at(-1)) + 1) % 10;
    expect(cardNumbersIn(`${pan.slice(0, -1)}${other}`)).toEqual([]);
  });

  test.each([11, 12, 20, 21])('%i digits are none', (length) => {
    expect(cardNumbersIn(luhn('4'.padEnd(length - 1, '07')))).toEqual([]);
  });

  test.each(['2', '3', '4', '5', '6', '7', '8', '9'])('begins with %s', (first) => {
    const pan = luhn(first.padEnd(15, '1'));
    expect(found(pan)).toEqual([pan]);
  });

  test.each(['0', '1'])('none begins with %s', (first) => {
    expect(found(luhn(first.padEnd(15, '1')))).toEqual([]);
  });

  test('digits from 0 to 9, doubled or not', () => {
    for (const middle of ['0123456789', '9876543210', '5050505050', '0909090909']) {
      const pan = luhn(`4${middle}1234`);
      expect(found(pan)).toEqual([pan]);
      const wrong = `${pan.slice(0, -1)}${(Number(pan.at(-1)) + 5) % 10}`;
      expect(found(wrong)).toEqual([]);
    }
  });

  test('full-width digits, from the first to the last', () => {
    const wide = Array.from(luhn('490123456780129'), (digit) =>
      String.fromCharCode(digit.charCodeAt(0) + 0xfee0),
    ).join('');
    expect(found(`(${wide})`)).toEqual([wide]);
  });

  test('a full-width sign right behind the digits is none of them', () => {
    expect(found(`cartão：${visa}：12`)).toEqual([visa]);
  });

  test('up to three characters between its groups, letters never', () => {
    for (const gap of [' ', ' - ', '\u00a0', '::', '...']) {
      const spelt = visa.match(/.{4}/g)?.join(gap) ?? '';
      expect(found(`card ${spelt}, refused`)).toEqual([spelt]);
    }
    expect(found('4111    1111    1111    1111')).toEqual([]);
    for (const letter of ['x', 'é', '本']) expect(found(`41111111${letter}11111111`)).toEqual([]);
  });

  test('a gap is counted anew after each group', () => {
    const spelt = visa.split('').join(' ');
    expect(found(spelt)).toEqual([spelt]);
  });

  test('a letter right before or right behind makes it part of an id', () => {
    expect(found(`x${visa}`)).toEqual([]);
    expect(found(`${visa}x`)).toEqual([]);
    expect(found(`${visa} x`)).toEqual([visa]);
    expect(found(`x ${visa}`)).toEqual([visa]);
    expect(found(`id-${visa}-id`)).toEqual([visa]);
  });

  test('several, in one row of digits and apart', () => {
    expect(cardNumbersIn(`${visa} ${master}`)).toEqual([
      [0, 16],
      [17, 33],
    ]);
    expect(found(`${visa} and ${master}`)).toEqual([visa, master]);
    expect(found(`4111 1111 1111 1111 5555 5555 5555 4444`)).toEqual([
      '4111 1111 1111 1111',
      '5555 5555 5555 4444',
    ]);
  });

  test('other numbers before and behind it', () => {
    expect(found(`1 4111 1111 1111 1111 12/30 737`)).toEqual(['4111 1111 1111 1111']);
    expect(found(`0 ${visa}`)).toEqual([visa]);
    expect(found(`${visa} 1`)).toEqual([visa]);
  });

  test('one that is the end of a longer one counts once', () => {
    const inner = luhn('4111111111111');
    expect(found(inner)).toEqual([inner]);
    // 5 and 9 add ten to the sum of the check: nothing.
    expect(found(`59 ${inner}`)).toEqual([`59 ${inner}`]);
  });

  test('of two readings the shorter one that begins first', () => {
    const short = luhn('411111111111');
    expect(found(`${short} ${short}`)).toEqual([short, short]);
  });

  const harmless: [string, string, string][] = [
    ['a UUID', '41111111-1111-1111-8111-111111111111', '41111111 1111 1111'],
    ['a CNPJ', '41.111.111/1111-14', '41 111 111 1111 14'],
    ['a time', '2026-01-01 00:00:04', '2026 01 01 00 00 04'],
    ['a phone number', '+5511911111111', '5511911111111'],
  ];
  test.each(harmless)('%s is none, though its digits pass the check', (_, text, digits) => {
    expect(found(digits), digits).toHaveLength(1);
    expect(found(text)).toEqual([]);
    expect(found(`${text}, ${text}`)).toEqual([]);
    expect(found(`x=${text} of ${visa} and ${text}`)).toEqual([visa]);
    expect(found(`${visa} ${text}`)).toEqual([visa]);
    expect(found(`${text} / ${visa}`)).toContain(visa);
  });

  test('a card that touches a phone number is found', () => {
    expect(found(`${visa}+5511911111111`)).toEqual([visa]);
  });

  test('what only begins inside of something harmless stays with it', () => {
    expect(found(`41111111-1111-1111-8111-111111111111 ${visa}`)).toEqual([visa]);
  });

  test('nothing in nothing', () => {
    expect(cardNumbersIn('')).toEqual([]);
    expect(cardNumbersIn('4')).toEqual([]);
    expect(cardNumbersIn('no digits here')).toEqual([]);
  });
});

describe('knownNumbersIn', () => {
  const places = (text: string, ...numbers: string[]) =>
    knownNumbersIn(text, numbers).map(([start, end]) => text.slice(start, end));

  test('in any spacing, and within longer rows of digits', () => {
    expect(places('4111 1111 1111 1111', visa)).toEqual(['4111 1111 1111 1111']);
    expect(places(`99${visa}99`, visa)).toEqual([visa]);
    expect(places(`99 4111-1111-1111-1111 9`, visa)).toEqual(['4111-1111-1111-1111']);
  });

  test('every one of several, each time it stands there', () => {
    expect(places(`${visa}${visa} ${master}`, visa, master)).toEqual([visa, visa, master]);
    expect(places(`${visa}, or ${visa}`, visa)).toEqual([visa, visa]);
    expect(knownNumbersIn(`${visa} or ${visa}`, [visa])).toEqual([
      [0, 16],
      [20, 36],
    ]);
  });

  test('none that is torn apart by letters or by a wide gap', () => {
    expect(places('4111x111111111111', visa)).toEqual([]);
    expect(places('4111    111111111111', visa)).toEqual([]);
    expect(places('411111111111111', visa)).toEqual([]);
  });

  test('none where none is known', () => {
    expect(knownNumbersIn(visa, [])).toEqual([]);
  });
});
