import { describe, expect, test } from 'vitest';
import { Scrubber, secretsIn } from '../../../src/transport/redact/scrubber.js';
import { separators, writings } from '../../support/spellings.js';

const secrets = {
  plain: 'sk_live_4f9aB1c8Xy77',
  'reserved characters': 'a"b\\c/d&e<f>g%h+i=j?k l\'m',
  'digits and dots': '2026.11.21-000-17',
  'beyond ASCII': 'segrêdo-日本-9f8e7d',
  long: `eyJhbGciOiJIUzI1NiJ9.${'Ab9_'.repeat(300)}.sig-Q`,
};

/** What a text still shows of a secret, whichever way it is written there. */
const shows = (text: string, spelt: string) => text.includes(spelt);

describe('a secret that is known', () => {
  for (const [kind, secret] of Object.entries(secrets)) {
    const scrubber = new Scrubber([secret]);
    test.each(writings)(`${kind}, %s: is not shown`, (_, write) => {
      const spelt = write(secret);
      for (const around of [`${spelt}`, `refused: ${spelt} of the merchant`, `<p>${spelt}</p>`]) {
        const clean = scrubber.text(around);
        expect(shows(clean, spelt), clean.slice(0, 300)).toBe(false);
        expect(clean).toContain('[redacted]');
      }
    });

    test(`${kind}, cut after its first twelve characters: is not shown`, () => {
      for (const length of [12, 13, secret.length - 1]) {
        const clean = scrubber.text(`{"echo":"${secret.slice(0, length)}`);
        expect(clean.includes(secret.slice(0, length))).toBe(false);
      }
    });
  }

  test.each([
    '3f1c9b0e-6a52-4c07-9d3e-5b8f2a7c1d40',
    'sk:live:9d3e5b8f2a7c1d40Zq',
    's3cr3t-Zy9d3e5b8f2a7c1d40Zq',
  ])('%s, whose own separators are those that wrap a text, is found in every spelling (row 63)', (secret) => {
    const scrubber = new Scrubber([secret]);
    const spellings = {
      spaced: [...secret].join(' '),
      'zero-width': secret.replace(/.{9}(?=.)/g, '$&\u200b'),
      'soft hyphens': secret.replace(/.{9}(?=.)/g, '$&\u00ad'),
      'without its separators': secret.replace(/[-:]/g, ''),
      folded: `${secret.slice(0, 17)}\r\n ${secret.slice(17)}`,
      'in capitals': secret.toUpperCase(),
      'in small letters': secret.toLowerCase(),
      'its end': `...${secret.slice(-20)}`,
      'its last twelve characters': secret.slice(-12),
    };
    for (const [how, spelt] of Object.entries(spellings)) {
      expect(scrubber.text(`secret ${spelt} is wrong`), how).toMatch(
        /^secret (\.\.\.)?\[redacted\] is wrong$/,
      );
    }
  });

  test('what stands around it stays', () => {
    expect(new Scrubber([secrets.plain]).text(`before ${secrets.plain} after`)).toBe(
      'before [redacted] after',
    );
  });

  test('a short one is hidden where it stands alone, and tears no id apart', () => {
    const id = '73700000-0000-4000-8000-000000000737';
    expect(new Scrubber(['737']).text(`cvv "737" of ${id}, 17371`)).toBe(`cvv "[redacted]" of ${id}, 17371`);
  });
});

describe('a secret with something between its characters, or in the ways of mails and old servers', () => {
  const secret = secrets.plain;
  const hex = Buffer.from(secret).toString('hex');
  const bytes = hex.match(/../g) as string[];
  const base64 = Buffer.from(`id:${secret}:more`).toString('base64');
  const forms: Record<string, string> = {
    'base64 in lines': base64.replace(/.{10}/g, '$&\r\n'),
    'a folded header': `${secret.slice(0, 9)}\r\n ${secret.slice(9)}`,
    'quoted-printable': bytes.map((byte) => `=${byte.toUpperCase()}`).join(''),
    'soft line breaks': `${secret.slice(0, 9)}=\r\n${secret.slice(9)}`,
    'hexadecimal with spaces': bytes.join(' '),
    'hexadecimal with colons': bytes.join(':'),
    '\\x escapes': bytes.map((byte) => `\\x${byte}`).join(''),
    '\\u{} escapes': bytes.map((byte) => `\\u{${byte}}`).join(''),
    'octal escapes': bytes
      .map((byte) => `\\${Number.parseInt(byte, 16).toString(8).padStart(3, '0')}`)
      .join(''),
    '%u escapes': bytes.map((byte) => `%u00${byte}`).join(''),
    'entities with zeros': bytes.map((byte) => `&#x000000${byte};`).join(''),
    'zero-width characters': Array.from(secret).join('\u200b'),
    'soft hyphens': Array.from(secret).join('\u00ad'),
    spaces: Array.from(secret).join(' '),
  };
  test.each(Object.entries(forms))('%s', (_, spelt) => {
    expect(new Scrubber([secret]).text(`refused: ${spelt} of the merchant`)).not.toContain(spelt);
  });

  test('a CVV right behind its name', () => {
    expect(new Scrubber(['737']).text('cvv737 and code737')).toBe('cvv[redacted] and code[redacted]');
  });

  test('a card number that is spread over fields, or over a list', () => {
    const scrubber = new Scrubber(['4111111111111111']);
    const body = {
      parts: ['4111', '1111', '1111', '1111'],
      split: { bin: '41111111', rest: '11111111' },
      amount: 1990,
    };
    expect(scrubber.value(body)).toEqual({ parts: '[redacted]', split: '[redacted]', amount: 1990 });
  });
});

describe('a card number', () => {
  const cards = [
    '4111111111111111',
    '5555555555554444',
    '378282246310005',
    '30569309025904',
    '6362970000457013',
    '4222222222222',
    '6304000000000000000'.slice(0, 18).concat('0'),
  ].filter(isLuhn);

  const grouped = (pan: string, separator: string, sizes: readonly number[]) => {
    const groups: string[] = [];
    let at = 0;
    for (let index = 0; at < pan.length; index++) {
      const size = sizes[index % sizes.length] as number;
      groups.push(pan.slice(at, at + size));
      at += size;
    }
    return groups.join(separator);
  };

  test.each(separators)('with %j between its groups: is not shown, known or not', (separator) => {
    for (const pan of cards) {
      for (const sizes of [[4], [4, 6, 5], [1]]) {
        const spelt = grouped(pan, separator, sizes);
        for (const text of [
          spelt,
          `the card ${spelt} was refused`,
          `${spelt} 12/30`,
          `"${spelt}",`,
          `x=${spelt}&y=1`,
        ]) {
          for (const scrubber of [new Scrubber([]), new Scrubber([pan])])
            expect(scrubber.text(text), text).not.toContain(spelt);
        }
      }
    }
  });

  test.each(writings.filter(([name]) => !name.startsWith('in ')))(
    'of unknown origin, %s: is not shown',
    (_, write) => {
      for (const pan of cards) {
        const spelt = write(grouped(pan, ' ', [4]));
        expect(new Scrubber([]).text(`refused ${spelt} today`)).not.toContain(spelt);
      }
    },
  );

  test('in full-width digits: is not shown', () => {
    const wide = Array.from(cards[0] as string, (digit) =>
      String.fromCharCode(digit.charCodeAt(0) + 0xfee0),
    ).join('');
    expect(new Scrubber([]).text(`cartão ${wide}`)).toBe('cartão [redacted]');
  });

  test('what only looks like one stays: ids, times, documents, phone numbers, amounts', () => {
    const harmless = [
      '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      '00000000-0000-0000-0000-000000000000',
      '2026-01-01T00:00:00.000Z',
      '2026-01-01 00:00:00',
      '12.345.678/0001-95',
      '123.456.789-09',
      '+5511912345678',
      'R$ 1.999,90',
      'order-4111111111111112',
      '1767225600000',
    ];
    for (const text of harmless) expect(new Scrubber([]).text(text)).toBe(text);
  });
});

function isLuhn(pan: string): boolean {
  const digits = Array.from(pan, Number).reverse();
  const sum = digits.reduce(
    (all, digit, index) => all + (index % 2 === 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2),
    0,
  );
  return sum % 10 === 0;
}

describe('a value whose name says that it is secret', () => {
  const names = [
    'access_token accessToken ACCESS_TOKEN access-token id_token refreshToken apiKey api_key x-api-key hmacSecret',
    'hmac_secret upsell_token upsellToken cardTokenId client_secret clientSecret password passwd pin cvv cvc2',
    'securityCode private_key client_assertion pan card_number cardNumber authorization',
  ].flatMap((list) => list.split(' '));
  const value = 'v4lue-0f-A-secret.71';

  test.each(names)(
    '%s: is not shown in JSON, whole, cut or in a text, in a form, a header or a log',
    (name) => {
      const scrubber = new Scrubber([]);
      const texts = [
        `{"${name}":"${value}","more":1}`,
        `{"${name}":"${value}`,
        `{"${name}" : "${value}"}`,
        JSON.stringify(JSON.stringify({ [name]: value })),
        JSON.stringify(JSON.stringify({ deep: JSON.stringify({ [name]: value }) })),
        `${name}=${value}&more=1`,
        `a=1&${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
        `${name}: ${value}`,
        `'${name}' => '${value}'`,
        `request failed (${name}=${value})`,
        encodeURIComponent(`{"${name}":"${value}"}`),
        `&quot;${name}&quot;:&quot;${value}&quot;`,
      ];
      for (const text of texts) expect(scrubber.text(text), text).not.toContain(value);
      const shown = JSON.stringify(
        scrubber.value({ data: [{ [name]: value }], [name]: { inner: value }, list: { [name]: [value] } }),
      );
      expect(shown).not.toContain(value);
    },
  );

  test('a sentence about a secret stays', () => {
    const sentences = [
      'hmac_secret: must have at least 16 characters',
      'card.upsellToken: is expired',
      'token: is required',
      'Bearer authentication is required',
      'Check clientId and clientSecret, and that they belong to this baseUrl',
    ];
    for (const sentence of sentences) expect(new Scrubber([]).text(sentence)).toBe(sentence);
  });

  test('a CPF in its document stays: the merchant needs to see it', () => {
    const body = { customer: { document: { number: '12345678909', type: 'cpf' } }, cnpj: '11222333000181' };
    expect(new Scrubber([]).value(body)).toEqual(body);
  });
});

describe('cost (row 59)', () => {
  const bombs: Record<string, (size: number) => string> = {
    digits: (size) => '4'.repeat(size),
    'digits with spaces': (size) => '4 '.repeat(size / 2),
    'known digits with spaces': (size) => '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 '.repeat(size / 32),
    backslashes: (size) => '\\'.repeat(size),
    'percent signs': (size) => '%25'.repeat(size / 3),
    ampersands: (size) => '&amp;'.repeat(size / 5),
    quotes: (size) => '"'.repeat(size),
    'names without values': (size) => '"pin":'.repeat(size / 6),
    'names with open quotes': (size) => 'pin="'.repeat(size / 5),
    'dotted names': (size) => 'a.'.repeat(size / 2),
    'the beginning of a secret': (size) => 'sk_live_4f9aB1c8'.repeat(size / 16),
    bearers: (size) => 'bearer '.repeat(size / 7),
    uuids: (size) => '3f2504e0-4f89-41d3-9a0c-0305e82c3301 '.repeat(size / 37),
    entities: (size) => '&#52;'.repeat(size / 5),
  };

  test.each(Object.entries(bombs))('%s: in proportion to the size', (_, bomb) => {
    const scrubber = new Scrubber([secrets.plain, '4111111111111111', '737']);
    const timeOf = (size: number) => {
      const text = bomb(size);
      const started = performance.now();
      for (let turn = 0; turn < 4; turn++) scrubber.text(text);
      return performance.now() - started;
    };
    timeOf(8_000);
    const small = Math.min(timeOf(8_000), timeOf(8_000));
    const large = Math.min(timeOf(64_000), timeOf(64_000));
    // Eight times as long; a square would take 64 times.
    expect(large).toBeLessThan(Math.max(24 * small, 40));
  });

  test.each([
    [
      'escapes of three kinds around a long text',
      (index: number) => `aaaaaaaaaaaa${String(index).padStart(4, '0')}`,
      `&amp;amp;amp;amp;%2525252541\\\\\\\\${'a'.repeat(50_000)}`,
    ],
    [
      'thousands of short texts with escapes',
      (index: number) => `sec${index}qqqqqqq`,
      Array(3_000).fill('ab%25&amp;\\\\n41'),
    ],
  ])('%s, with as many secrets as are looked for: within a blink', (_, make, message) => {
    const answer = { token: Array.from({ length: 10 }, (__, index) => make(index)), message };
    const scrubber = new Scrubber([secrets.plain, '4111111111111111', '737'], secretsIn(answer));
    const started = performance.now();
    scrubber.value(answer);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('a secret of 10 MB: within a blink', () => {
    const started = performance.now();
    expect(new Scrubber(['x'.repeat(10_000_000)]).text('refused')).toBe('refused');
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('thousands of secrets in one answer: not shown, within a blink', () => {
    const body = { pin: Array.from({ length: 9_000 }, (_, index) => `pin-${index}`), note: 'pin-77' };
    const started = performance.now();
    const found = secretsIn(Object.fromEntries(body.pin.map((pin, index) => [`p${index}`, { pin }])));
    const shown = new Scrubber(found).value(body);
    expect(performance.now() - started).toBeLessThan(500);
    expect(JSON.stringify(shown)).not.toContain('pin-77');
  });

  test('a body of many short texts: within a blink', () => {
    const scrubber = new Scrubber(Array.from({ length: 40 }, (_, index) => `secret-number-${index}-4f9a`));
    const body = Array.from({ length: 8_000 }, (_, index) => `t${index}`);
    const started = performance.now();
    const shown = scrubber.value(body) as string[];
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([8_000, 't0', 't7999']);
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});

test('a `number` too short for a card is shown, unless it is in a card', () => {
  const body = { installments: { number: 3 }, page: { number: 2 }, invoice: { number: '1042' } };
  expect(secretsIn(body)).toEqual([]);
  expect(secretsIn({ card: { number: '4111' } })).toEqual(['4111']);
  expect(new Scrubber([]).value(body)).toEqual(body);
  expect(new Scrubber([]).value({ card: { number: '4111' }, number: 12_345_678 })).toEqual({
    card: { number: '[redacted]' },
    number: '[redacted]',
  });
});
