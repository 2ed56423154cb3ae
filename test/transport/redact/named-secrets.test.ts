import { describe, expect, test } from 'vitest';
import { namedSecretsIn } from '../../../src/transport/redact/named-secrets.js';

/** What is found, as text. */
const found = (text: string) => namedSecretsIn(text).map(([start, end]) => text.slice(start, end));

describe('a value behind a name', () => {
  const values: [string, string][] = [
    ['pin=1234', '1234'],
    ['pin: 1234', '1234'],
    ['pin => 1234', '1234'],
    ['"pin":1234}', '1234'],
    ['"pin" : "12 34", "x": 1', '12 34'],
    ["'pin' => '12 34'", '12 34'],
    ['\\"pin\\":\\"12 34\\",', '12 34'],
    ['a.token=1234&b=1', '1234'],
    ['pin=1234;x', '1234'],
    ['(pin=1234)', '1234'],
    ['pin=1234<br>', '1234'],
    ['pin="', ''],
    ['pin=', ''],
    ['pin="1234', '1234'],
    ['pin="12\\"34" rest', '12\\"34'],
    ['pin="12\\"3\\"4" rest', '12\\"3\\"4'],
    ['pin="\\"" rest', '\\"'],
    [`pin="12'34" rest`, `12'34`],
  ];
  test.each(values)('%s', (text, value) => {
    expect(found(text)).toEqual(value === '' ? [] : [value]);
  });

  test('where it stands', () => {
    expect(namedSecretsIn('x, pin=1234, cvv: "737"')).toEqual([
      [7, 11],
      [19, 22],
    ]);
  });

  test('none behind another name', () => {
    for (const text of [
      'name=1234',
      'pins_used=1',
      'xpin=1234',
      'pin 1234',
      '-pin=1234',
      '.pin=1234',
      '1pin=7',
    ])
      expect(found(text)).toEqual([]);
  });

  test('none where it is a number, whose digits alone tell', () => {
    for (const text of ['number=1234', 'card.number: 1234', '"NUMBER":"1234"'])
      expect(found(text)).toEqual([]);
    expect(found('number_token=1234')).toEqual(['1234']);
    expect(found('card_number=1234')).toEqual(['1234']);
    expect(found('cardnumber=1234')).toEqual(['1234']);
  });

  test('a name within a value is none', () => {
    expect(found('token="pin=12 34"')).toEqual(['pin=12 34']);
    expect(found('token=pin=1234')).toEqual(['pin=1234']);
    expect(found('token="a" pin=1234')).toEqual(['a', '1234']);
    expect(found('token=a,pin=1234')).toEqual(['a', '1234']);
    expect(found('token="" pin=1234')).toEqual(['1234']);
  });

  test('a name right behind an empty value', () => {
    expect(found('token=;pin=1234')).toEqual(['1234']);
  });
});

describe('a scheme before a value', () => {
  test.each(['Bearer', 'basic', 'DIGEST', 'Token'])('%s', (scheme) => {
    const [value] = found(`authorization: ${scheme} v4lue`);
    expect(value).toBe(`${scheme} v4lue`);
    expect(found(`authorization=${scheme} v4lue, x`)[0]).toBe(`${scheme} v4lue`);
    expect(found(`authorization=${scheme}`)).toEqual([scheme]);
  });

  test('not within quotes, which end the value', () => {
    expect(found('authorization="Bearer" x')).toEqual(['Bearer']);
  });

  test('not another word', () => {
    expect(found('password=other v4lue')).toEqual(['other']);
    expect(found('password=bearers v4lue')).toEqual(['bearers']);
    expect(found('password=mybearer v4lue')).toEqual(['mybearer']);
  });
});

describe('a sentence', () => {
  test.each([
    'pin: must',
    'pin: is required',
    'token:\tmissing',
    `pin: ${'x'.repeat(15)}`,
    'password = wrong',
  ])('%j holds none', (text) => expect(found(text)).toEqual([]));

  test('what is no word, or stands in quotes or without a space', () => {
    expect(found('pin: mu5t')).toEqual(['mu5t']);
    expect(found('pin: 5must')).toEqual(['5must']);
    expect(found('pin: must5')).toEqual(['must5']);
    expect(found(`pin: ${'x'.repeat(16)}`)).toEqual(['x'.repeat(16)]);
    expect(found('pin: "must"')).toEqual(['must']);
    expect(found('pin=must')).toEqual(['must']);
    expect(found('pin =must')).toEqual(['must']);
    expect(found('pin= must,token=abc')).toEqual(['abc']);
  });
});

describe('a credential with its scheme, without a name', () => {
  test.each(['Bearer abcdefg1', 'basic   abcdefg1', 'BEARER\nabc.d~e+f/g=h-1_'])('%j', (text) => {
    expect(found(text)).toEqual([text.replace(/^\w+\s+/, '')]);
    expect(found(`refused (${text})`)).toEqual([text.replace(/^\w+\s+/, '')]);
  });

  test('where it stands', () => {
    expect(namedSecretsIn('with Bearer abcdefg1 today')).toEqual([[12, 20]]);
  });

  test('words are none, long ones are', () => {
    expect(found('Bearer authentication')).toEqual([]);
    expect(found(`Bearer ${'a'.repeat(19)}`)).toEqual([]);
    expect(found(`Bearer ${'a'.repeat(20)}`)).toEqual(['a'.repeat(20)]);
  });

  test('seven characters are none', () => {
    expect(found('Bearer abcdef1')).toEqual([]);
    expect(found('forbearer abcdefg1')).toEqual([]);
  });
});

describe('the user name and password of an address', () => {
  test.each([
    ['Invalid proxy URL: http://merchant:pass@proxy:8080', 'merchant:pass'],
    ['via https://merchant@proxy/', 'merchant'],
    ['http://merchant:p@ss@proxy', 'merchant:p@ss'],
  ])('%s', (text, userInfo) => expect(found(text)).toEqual([userInfo]));

  test.each(['https://host/@user', 'https://host?mail=a@b.example', 'a@b.example', 'http://@host'])(
    'none in %s',
    (text) => expect(found(text)).toEqual([]),
  );
});

test('the base64 of a user name and password behind Basic, also without a digit', () => {
  const credentials = Buffer.from('user:pass').toString('base64');
  expect(credentials).toBe('dXNlcjpwYXNz');
  expect(found(`Basic ${credentials}`)).toEqual([credentials]);
  for (const none of [
    'basic knowledge',
    'basic knowledges',
    'Basic dXNlcjpwYXN',
    'Basic ~XNlcjpwYXNz',
    'Basic dXNlcj.=cGFz',
  ])
    expect(found(none)).toEqual([]);
});
