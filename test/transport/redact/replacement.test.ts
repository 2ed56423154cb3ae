import { describe, expect, test } from 'vitest';
import { Scrubber, secretsIn, shorten } from '../../../src/transport/redact/scrubber.js';

describe('secretsIn', () => {
  test('texts and numbers whose names say that they are secret, each once', () => {
    const body = {
      pin: 1234,
      card: { number: '4111111111111111', holderName: 'ANA', cvv: '' },
      document: { number: '12345678909' },
      list: [{ token: 'tok-1' }, { token: 'tok-1' }, { tokens: ['tok-2', 'tok-3'] }],
      active: true,
      none: null,
      secret: { name: 'x', inner: true },
    };
    expect(secretsIn(body)).toEqual(['1234', '4111111111111111', 'tok-1', 'tok-2', 'tok-3']);
  });

  test('every text of three characters inside an object that is secret as a whole', () => {
    const body = { wallet: { paymentData: { a: '123456', b: '05', c: [1234567] } }, other: '1234567' };
    expect(secretsIn(body)).toEqual(['123456', '1234567']);
    expect(secretsIn({ wallet: '123456', threeDSData: { pin: '1' } })).toEqual(['123456', '1']);
  });

  test('everything, where everything is secret', () => {
    expect(secretsIn({ name: 'ANA SOUZA', short: 'ANA' }, 'all')).toEqual(['ANA SOUZA', 'ANA']);
    expect(secretsIn('a text', 'all')).toEqual(['a text']);
    expect(secretsIn('a text')).toEqual([]);
    for (const nothing of [undefined, null, true]) expect(secretsIn(nothing, 'all')).toEqual([]);
  });

  test('one more than are looked for, at most', () => {
    const pins = (count: number) => ({ pin: Array.from({ length: count }, (_, index) => `pin-${index}x`) });
    expect(secretsIn(pins(40))).toHaveLength(40);
    expect(secretsIn(pins(41))).toHaveLength(41);
    expect(secretsIn(pins(60))).toHaveLength(41);
    const hidden = '[redacted]';
    const text = 'of pin-3x';
    for (const [sent, answered, shown] of [
      [40, 10, `of ${hidden}`],
      [41, 0, hidden],
      [0, 11, hidden],
      [0, 10, `of ${hidden}`],
      [0, 0, text],
    ] as const) {
      const scrubber = new Scrubber(secretsIn(pins(sent)), secretsIn(pins(answered)));
      expect(scrubber.text(text)).toBe(shown);
      expect(scrubber.value({ name: text })).toEqual(shown === hidden ? hidden : { name: shown });
    }
  });
});

describe('what is replaced', () => {
  test('once, where several rules meet, overlap or touch', () => {
    const scrubber = new Scrubber(['abcdefgh', 'efghijkl', 'mnopqr', 'abc']);
    expect(scrubber.text('1 abcdefghijkl 2')).toBe('1 [redacted] 2');
    expect(scrubber.text('1 abcdefghmnopqr 2')).toBe('1 [redacted] 2');
    expect(scrubber.text('abcdefgh mnopqr')).toBe('[redacted] [redacted]');
    expect(scrubber.text('token=abcdefgh; mnopqr')).toBe('token=[redacted]; [redacted]');
    expect(new Scrubber(['abcdefghijkl', 'defghi']).text('-abcdefghijkl-')).toBe('-[redacted]-');
    expect(new Scrubber(['mnopqr', 'abcdef']).text('abcdef, mnopqr')).toBe('[redacted], [redacted]');
  });

  test('a text of 64,000 characters is looked at whole, of a longer one no more is shown', () => {
    const scrubber = new Scrubber(['topsecret']);
    expect(scrubber.text(`${'x'.repeat(63_991)}topsecret`)).toBe(`${'x'.repeat(63_991)}[redacted]`);
    expect(scrubber.text('x'.repeat(64_000))).toHaveLength(64_000);
    expect(scrubber.text('x'.repeat(64_001))).toHaveLength(64_000);
  });

  test('in parsed JSON: values, names and numbers; the rest stays as it is', () => {
    const scrubber = new Scrubber(['topsecret', '123456']);
    const body = {
      'of topsecret 1': 1,
      text: 'a topsecret',
      number: 41111111,
      id: 123456,
      amount: 1990,
      pin: 1234,
      flag: true,
      nothing: null,
      missing: undefined,
      list: ['topsecret', 2, { token: 't' }],
      tokens: [['a'], { b: 'c' }],
      password: null,
      passphrase: undefined,
      cvv: false,
      ['__proto__']: { polluted: true },
    };
    const shown = scrubber.value(body);
    expect(shown).toEqual({
      'of [redacted] 1': 1,
      text: 'a [redacted]',
      number: '[redacted]',
      id: '[redacted]',
      amount: 1990,
      pin: '[redacted]',
      flag: true,
      nothing: null,
      missing: undefined,
      list: ['[redacted]', 2, { token: '[redacted]' }],
      tokens: '[redacted]',
      password: null,
      cvv: false,
    });
    expect(Object.getPrototypeOf(shown)).toBe(Object.prototype);
    expect(Object.hasOwn(shown as object, '__proto__')).toBe(false);
    expect(scrubber.value(undefined)).toBeUndefined();
    expect(scrubber.value('a topsecret')).toBe('a [redacted]');
    const odd = () => 7;
    expect(scrubber.value(odd)).toBe(odd);
  });

  test('of a CPF or a CNPJ nothing, of other digits under the same name a card number', () => {
    const scrubber = new Scrubber([]);
    const cnpj = '41111111111114';
    for (const document of [cnpj, '41.111.111/1111-14', '41 111 111/1111-14'])
      expect(scrubber.value({ document })).toEqual({ document });
    const body = { customer: { document: { number: cnpj } } };
    expect(scrubber.value(body)).toEqual(body);
    expect(scrubber.value({ document: '4111111111111111' })).toEqual({ document: '[redacted]' });
    expect(scrubber.value({ document: `${cnpj} x` })).toEqual({ document: '[redacted] x' });
    expect(scrubber.value({ document: `x ${cnpj}` })).toEqual({ document: 'x [redacted]' });
    expect(scrubber.value({ note: cnpj })).toEqual({ note: '[redacted]' });
    expect(scrubber.value({ cpf: [cnpj] })).toEqual({ cpf: [cnpj] });
  });

  test('a secret that is folded, spaced or has something invisible inside', () => {
    const scrubber = new Scrubber(['topsecret']);
    for (const spelt of ['top secret', 'top\nsecret', 't-o-p:secret', 'top\u200bsecret', 't o p s e c r e t'])
      expect(scrubber.text(`of ${spelt}, too`)).toBe('of [redacted], too');
    expect(scrubber.text('top/secret')).toBe('top/secret');
    // What stands for a short one may be anything.
    expect(new Scrubber(['737']).text('7 3 7')).toBe('7 3 7');
  });

  test('a known card number that is spread over the values of a list or of an object', () => {
    const scrubber = new Scrubber(['4111111111111111']);
    const parts = ['4111', '1111', 1111, '1111'];
    expect(scrubber.value({ parts, more: 1 })).toEqual({ parts: '[redacted]', more: 1 });
    expect(scrubber.value({ card: { a: '41111111', b: '11111111' } })).toEqual({ card: '[redacted]' });
    expect(scrubber.value(['41111111', null, '11111111'])).toBe('[redacted]');
    expect(scrubber.value(['4111111111111111', '1'])).toEqual(['[redacted]', '1']);
    expect(scrubber.value(['4111111111111111'])).toEqual(['[redacted]']);
    expect(scrubber.value(['4111', '1111', '1111'])).toEqual(['4111', '1111', '1111']);
    const many = (length: number) => [
      '41111111',
      '11111111',
      ...Array.from({ length: length - 2 }, () => 'x'),
    ];
    expect(scrubber.value(many(40))).toBe('[redacted]');
    expect(scrubber.value(many(41))).toEqual(many(41));
  });

  test('in a name and in a text a card number, too', () => {
    expect(new Scrubber([]).text('of 4111111111111111')).toBe('of [redacted]');
    expect(new Scrubber([]).value({ 'of 4111111111111111': 1 })).toEqual({ 'of [redacted]': 1 });
  });
});

test('shorten cuts a text of more than 500 characters, and nothing else', () => {
  expect(shorten('x'.repeat(500))).toBe('x'.repeat(500));
  expect(shorten('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
  const body = { note: 'x'.repeat(501) };
  expect(shorten(body)).toBe(body);
  const list = Array.from({ length: 501 }, () => 1);
  expect(shorten(list)).toBe(list);
});
