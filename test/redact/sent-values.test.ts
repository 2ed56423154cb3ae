import { describe, expect, test } from 'vitest';
import { MessageRedactor, redacted } from '../../src/redact/message-redactor.js';
import { cpuSeconds } from '../support/cpu-seconds.js';

const hiding = (personal: unknown) => new MessageRedactor({ personal });

/** Expects that exactly the text in braces is hidden. */
const expectHidden = (redactor: MessageRedactor, marked: string) =>
  expect(redactor.show(marked.replace(/[{}]/g, ''))).toBe(marked.replace(/\{[^}]*\}/g, redacted));

describe('a value from the request is hidden in a message', () => {
  test.each([
    ['lote12', '{lote12}, ({LOTE12}), pre-{lote12}-post'],
    ['lote12', 'xlote12, lote12x, xlote12x'],
    ['abcdefghij', '{abcdefghij}, x{abcdefghij}x'],
    ['abcdefghi', '{abcdefghi}, xabcdefghix, xabcdefghi, abcdefghix'],
    ['abc', 'an {abc}, and abcd'],
    ['ab', 'ab'],
    [123456, 'got {123456}'],
    [12345678901234567890n, 'got {12345678901234567890}'],
    [['lote12', { any: 'lote13' }], '{lote12} {lote13}'],
    ['1990-02-01', 'born {1990-02-01}, {01/02/1990}, {01.02.1990} or {01021990}, not 02/01/1990'],
    ['1990-02-01', '{1990-02-01}T00:00:00.000Z, {1/2/1990}, {01/02/90}'],
    ['+5511987654321', '{+55 11 98765-4321}, {11987654321}, {98765-4321}, {987654321}, x987654321'],
    ['1134567890', '{(11) 3456-7890}, {3456-7890}, {34567890}'],
    ['11987654321', 'phone {987654321} in use'],
    ['José', 'o nome {jose}, {JOSÉ}'],
    ['1234', 'agência {1234}, {01234}, {0001234} or 00-{1234}, not 101234, 12340, x01234 or 100 12345'],
    ['0123', 'agência {0123}, {123} or {00123}, not 1123, 1230, R$ 1,23 or 12-3'],
    ['913', '{913}, {0913}, not 1913 or 9130'],
    ['0001', 'agência {0001} or {00001}, not 1, 01, 001, 10001 or R$ 0,01'],
    ['0098213-7', 'conta {98213-7}, {982137}, {0098213-7}, {00982137} or {000098213 7}'],
    ['01310-100', 'CEP {1310100}, {01310100}, {01.310-100} or {1310 100}'],
    ['01234567890', 'CPF {1234567890}, {0001234567890}, cpf{01234567890}'],
  ])('if the message repeats it as a whole word: %o in %s', (value, marked) =>
    expectHidden(hiding(value), marked),
  );

  test.each([
    ['#a1!', 'x {#a1!} y {#A1!}z'],
    ['a1b!', 'x {a1b!} y'],
    ['#a1b', 'x {#a1b} y'],
    ['#a!', '#a!'],
    ['a-1', 'a-1'],
    ['a-b12', '{a-b12}, {a b12}'],
  ])('if it begins or ends with symbols: %j in %s', (value, marked) => expectHidden(hiding(value), marked));

  test('if the message also contains a letter whose lower case is longer, such as İ', () => {
    expectHidden(hiding('#a1!'), 'İ {#a1!}, İ {#A1!}');
    expectHidden(hiding('#aİ!'), 'x {#aİ!}');
  });

  test.each([
    ['base64', 'TG90ZSAxMjM0'],
    ['hexadecimal', '4c6f74652031323334'],
  ])('if the message contains it in %s', (_, encoded) => {
    expectHidden(hiding('Lote 1234'), `got {${encoded}}`);
    expect(hiding('Lot').show(`got ${btoa('Lot')}`)).toBe('got TG90');
  });

  test('if it has at least four letters and digits and appears in base64 or hexadecimal', () => {
    expectHidden(hiding('lot1'), 'got {6c6f7431} and {bG90MQ}==');
    expect(hiding('lot').show('got 6c6f74')).toBe('got 6c6f74');
  });

  test.each([
    ['Kj8s-Qz3_vXt7pLm2Rw9', 'got {Kj8s-Qz3}, {qz3_vxt7}, {_vXt7pLm}!'],
    ['k#9$m@2!x%7^q&1*', 'got {k#9$m@2!} and {M@2!X%7^}'],
    ['%0d%0aSet-Cookie', 'got {%0d%0aSet-Cook} and {%0d%0aSet-Cookie}'],
    ['https://acs.example/a7', 'see https://api.test/b and {acs.exam}'],
    ['2026-11-28T05:50:00Z-key', 'in 2026-11: {0:00z-ke}'],
  ])('if the message contains eight characters of a secret with symbols: %s in %s', (secret, marked) =>
    expectHidden(new MessageRedactor({ secrets: [secret] }), marked),
  );

  test.each([
    ['Silva &amp; Filhos', 'name {Silva &amp; Filhos}, {Silva & Filhos}, {silva &amp;amp; filhos}'],
    ['Lote%0d%0aX77', 'got {Lote%0d%0aX77}, {Lote%250d%250aX77}'],
    [String.raw`C:\new\table`, String.raw`got {C:\new\table} {C:\\new\\table}`],
    [String.raw`Lote \u0041\u0042`, String.raw`got {Lote \u0041\u0042}, {Lote AB}`],
    ['Ana &#38; Cia', 'got {Ana &#38; Cia}, {Ana &#x26; Cia}'],
  ])('if the value itself contains escapes: %s in %s', (value, marked) =>
    expectHidden(hiding(value), marked),
  );

  test('in track 1 of a card, where %B is not an escape', () => {
    const redactor = new MessageRedactor({ named: { card: { number: '5500005555555559' } } });
    expectHidden(redactor, 'got %B{5500005555555559}^SOUZA/ANA^');
  });

  test('if it is a secret and the message contains eight characters of it', () => {
    const redactor = new MessageRedactor({ secrets: ['abcd-1234-wxyz'] });
    expectHidden(redactor, 'x{abcd1234}x, x{cd1234wx}, {1234wxyz}');
    expectHidden(redactor, 'x{abcd-123}, {-1234-wx}');
    expect(redactor.show('abcd123, 234wxyz, abcd-12')).toBe('abcd123, 234wxyz, abcd-12');
    expect(hiding('abcd-1234-wxyz').show('xabcd1234x')).toBe('xabcd1234x');
  });

  test.each([
    ['percent-encoded bytes', 'lote%20%31%32', 'lote 12'],
    ['percent-encoded bytes that are not UTF-8', 'caf%E9 12', 'café 12'],
    ['JSON escapes', 'lo\\u0074e12', 'lote12'],
    ['decimal HTML escapes', 'lo&#116;e12', 'lote12'],
    ['hexadecimal HTML escapes', 'lo&#x74;e12', 'lote12'],
    ['letters with invisible characters between them', 'lo\u200bte12', 'lote12'],
  ])('if the message contains its characters as %s', (_, message, value) =>
    expect(hiding(value).show(message)).toBe(redacted),
  );

  test('if it stands next to an escaped line break or an escaped symbol', () => {
    expectHidden(hiding('lote12'), 'a\\n{lote12}\\tb, a&nbsp;{lote12}&AMP;b');
    expectHidden(hiding('a&b<12'), '{a&amp;b&lt;12}, {a&AMP;b&LT;12}');
    expectHidden(hiding('lote12'), 'a\\x{lote12}'.replace('{lote12}', 'lote12'));
    expectHidden(hiding('lote12'), 'a&#1114111;{lote12}');
  });

  test('if it is a card’s month and year, which the message repeats together in any usual order', () => {
    const redactor = new MessageRedactor({
      named: { card: { expirationMonth: 3, expirationYear: 2031 } },
    });
    expectHidden(redactor, '{03/31}, {03/2031}, {2031-03}, 03 2030, 2031, 31/03');
    expectHidden(redactor, '{3/31}, {3/2031}, 13/31, 3/310, 3/30, 4/31, R$ 3,31, 331 or 3.31');
    const short = new MessageRedactor({ named: { card: { expirationMonth: '03', expirationYear: '31' } } });
    expectHidden(short, '{03/31}, {31/03}, {3/31}');
    const odd = new MessageRedactor({ named: { card: { expirationMonth: 'March', expirationYear: 2031 } } });
    expect(odd.show('March 2031 and march2031')).toBe('March 2031 and march2031');
    const unchecked = new MessageRedactor({ named: { expirationMonth: 3, expirationYear: '20((' } });
    expect(unchecked.show('3/20((')).toBe('3/20((');
  });

  test.each([
    'nascido em {17 de maio de 1990}, {17/mai/1990}, {17 mai. 1990}, {17-MAI-90}',
    'born {17 May 1990}, {17th of May, 1990}, {17/May/1990}, {17-MAY-90}, {17MAY1990}',
    'born on {May 17, 1990}, {MAY 17 1990}, {May. 17th, 1990}, {May-17-1990}',
    'since {17.05.90}, {17-05-90}, 1990: {17 de maio de 1990}',
    'Thu {May 17 1990} 00:00:00, Thu, {17 May 1990} 00:00:00 GMT',
    '17 May 1991, 16 de maio de 1990, 117 de maio de 1990, May 7, 1990, May 17, 19901, 17 - 1990',
    'Parcela 17 de 90, 17 of 90 requests, code 17: the smallest amount is 1990, R$ 17,00 e R$ 19,90, R$ 175,90',
  ])('if it is a date, which the message writes with the name of the month: %s', (marked) =>
    expectHidden(new MessageRedactor({ named: { birthDate: '1990-05-17' } }), marked),
  );

  test('if it is a date whose day has a leading zero', () => {
    const redactor = new MessageRedactor({ named: { birthDate: '1982-03-01', dueDate: '2026-12-05' } });
    expectHidden(
      redactor,
      '{1º de março de 1982}, {01/mar/1982}, {March 1st, 1982}, {1.mar.82}, R$ 13,82, 5 de dezembro de 2026',
    );
  });

  test.each([
    ['4', 'conta {987654}, {98765-4}, {98765 4}, {9.876-54}, {0098765-4} or {98765}, not 9876, 987655 or 4'],
    ['X', 'conta {98765X}, {98765-x} or {0098765/X}, not 98765Y or x'],
    ['04', 'conta {98765-04}, {9876504}, not 987650, 98765044 or 04'],
  ])('with its check digit %s, if it is an account', (bankAccountDv, marked) =>
    expectHidden(
      new MessageRedactor({ named: { bankAccount: { bankAccount: '98765', bankAccountDv } } }),
      marked,
    ),
  );

  test('with its number, if it is a street', () => {
    const named = { addressStreet: 'Rua das Flores', addressNumber: '15', addressZipCode: '' };
    const redactor = new MessageRedactor({ named });
    expectHidden(redactor, 'em {Rua das Flores}, parcela 15 de 15, {Rua das Flores, 15}');
    expectHidden(redactor, 'em {Rua das Flores} 150');
  });

  test('if it is the field `type` of a secret and does not look like an API type', () => {
    const redactor = new MessageRedactor({
      secrets: [
        { type: 'apple_pay' },
        { type: 'Secretword' },
        { type: 'topsecret7' },
        { type: '7topsecret' },
      ],
    });
    expectHidden(redactor, 'apple_pay {Secretword} {topsecret7} {7topsecret}');
    expect(new MessageRedactor({ named: { document: { type: 'Cnpjtype' } } }).show('Cnpjtype')).toBe(
      'Cnpjtype',
    );
  });
});

describe('a request with many confidential characters', () => {
  const names = (length: number) => new MessageRedactor({ personal: ['a'.repeat(length)] });

  test('is searched for many dates within the time limit', async () => {
    const dates = Array.from({ length: 900 }, (_, index) => `${1000 + index}-01-17`);
    const redactor = hiding(dates);
    const cost = await cpuSeconds(() => {
      for (const text of ['a', '17 ', 'may 17 ', '1', ' de '])
        expect(redactor.show(text.repeat(1_600))).not.toBe(redacted);
    });
    expect(cost).toBeLessThan(5);
  });

  test('causes every message to be hidden above 20,000 confidential characters', () => {
    expect(names(20_000).show('invalid data')).toBe('invalid data');
    expect(names(20_001).show('invalid data')).toBe(redacted);
    expect(names(20_001).repeatsSent('')).toBe(false);
    const parts = new MessageRedactor({ personal: ['a'.repeat(10_000), 'b'.repeat(10_001), 'c'] });
    expect(parts.show('invalid data')).toBe(redacted);
  });

  test('does not count the characters of fields that are not confidential', () => {
    const redactor = new MessageRedactor({ named: { note: 'a'.repeat(30_000), name: 'Ana Lima' } });
    expectHidden(redactor, 'invalid data of {Ana Lima}');
  });
});

describe('a message of 500 characters', () => {
  const text = 'ab '.repeat(166).concat('ab');

  test('is shown whole and is safe, but one more character makes it cut and unsafe', () => {
    const redactor = new MessageRedactor();
    expect(text).toHaveLength(500);
    expect(redactor.show(text)).toBe(text);
    expect(redactor.show(`${text}c`)).toBe(`${text}…`);
    expect(redactor.isSafe(text)).toBe(true);
    expect(redactor.isSafe(`${text}c`)).toBe(false);
    expect(redactor.isSafeId('x'.repeat(500))).toBe(true);
  });
});
