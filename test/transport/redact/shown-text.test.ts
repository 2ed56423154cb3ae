import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/contract/index.js';
import { schemasOf } from '../../../src/contract/schemas.js';
import { ShownText } from '../../../src/transport/redact/shown-text.js';
import { isKnownWord } from '../../../src/transport/redact/vocabulary.js';
import { openCard } from '../../support/payments.js';

const secret = 'sk_live_9f8e7d6c5b4a3f2e1d0c';
const pan = '4111111111111111';
const cvv = '737';
const person = 'Ana Beatriz Ferreira';
const cpf = '12345678909';
const body = {
  externalId: 'order-1042',
  amount: 1990,
  paymentMethod: 'credit_card',
  customer: { name: person, email: 'ana@example.com', document: { number: cpf, type: 'cpf' } },
  items: [{ title: 'Café', quantity: 1, unitPrice: 1990 }],
  card: { ...openCard.card, number: pan, cvv, holderName: 'PAID ONLY' },
};
/** Made anew for each test, so that a mutation run sees which test needs what. */
const shownIn = (sent: object = body) =>
  new ShownText({ shown: ['key-7', '400'], secrets: [secret], body: sent });

describe('what is shown', () => {
  test.each([
    'The payment was refused: insufficient_funds',
    'customer.document.number must be a valid CPF',
    'items.0.unitPrice must be at least 100',
    'amount must be at most 15000000 cents',
    'The order order-1042 of 1990 cents with the key key-7 was already processed (400)',
    'O pagamento foi recusado pelo emissor: saldo insuficiente',
    'Parâmetro inválido: o campo "customer.document" não foi informado',
    'connect ECONNREFUSED',
    'Unexpected token in JSON',
    'Rate limit exceeded, try again later',
    'paymentMethod must be pix, credit_card or boleto',
  ])('%s', (text) => expect(shownIn().text(text)).toBe(text));

  test('every name of the contract is made of known words', () => {
    const names = new Set<string>();
    const walk = (schema: unknown): void => {
      const { def } = (schema ?? {}) as { def?: Record<string, unknown> };
      if (def === undefined) return;
      for (const [name, inner] of Object.entries((def.shape as Record<string, unknown>) ?? {})) {
        names.add(name);
        walk(inner);
      }
      for (const inner of [def.innerType, def.element]) walk(inner);
    };
    for (const { id } of operations) for (const schema of Object.values(schemasOf(id))) walk(schema);
    expect(names.size).toBeGreaterThan(80);
    const only = new ShownText({ shown: [], secrets: [], body: {} });
    expect([...names].filter((name) => !only.isName(name))).toEqual([]);
  });
});

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const numerais = ['zero', 'um', 'dois', 'três', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove'];
const base32 = (text: string) => {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
};
const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (/[a-m]/i.test(letter) ? 13 : -13)),
  );
const reversed = (text: string) => [...text].reverse().join('');
const spaced = (text: string, separator: string) => [...text].join(separator);
const b64 = (text: string) => Buffer.from(text).toString('base64');

/** Ways to write a secret, of which no list is complete: none of them is known to the code. */
const spellings: [name: string, write: (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in capitals', (text) => text.toUpperCase()],
  ['in small letters', (text) => text.toLowerCase()],
  ['reversed', reversed],
  ['in ROT13', rot13],
  ['in hex', (text) => Buffer.from(text).toString('hex')],
  ['in hex with colons', (text) => (Buffer.from(text).toString('hex').match(/../g) ?? []).join(':')],
  ['in \\x escapes', (text) => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16)}`).join('')],
  ['in octal escapes', (text) => [...Buffer.from(text)].map((byte) => `\\${byte.toString(8)}`).join('')],
  [
    'in \\u escapes',
    (text) => [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ],
  ['in base64', b64],
  ['in base64 of base64', (text) => b64(b64(text))],
  ['in base64 for URLs', (text) => Buffer.from(text).toString('base64url')],
  ['in base64 of UTF-16', (text) => Buffer.from(text, 'utf16le').toString('base64')],
  ['in wrapped base64', (text) => (b64(text).match(/.{1,8}/g) ?? []).join('\n')],
  ['in base32', base32],
  ['in base36', (text) => BigInt(`0x${Buffer.from(text).toString('hex')}`).toString(36)],
  ['as a large number', (text) => BigInt(`0x${Buffer.from(text).toString('hex')}`).toString()],
  ['in binary', (text) => [...Buffer.from(text)].map((byte) => byte.toString(2)).join(' ')],
  ['as character codes', (text) => [...Buffer.from(text)].join(', ')],
  ['URL-encoded', (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('')],
  ['URL-encoded twice', (text) => [...Buffer.from(text)].map((byte) => `%25${byte.toString(16)}`).join('')],
  ['in a URL', (text) => `https://files.example/a?x=${encodeURIComponent(text)}&y=1`],
  ['as HTML entities', (text) => [...text].map((letter) => `&#${letter.charCodeAt(0)};`).join('')],
  [
    'as hex HTML entities',
    (text) => [...text].map((letter) => `&#x${letter.charCodeAt(0).toString(16)};`).join(''),
  ],
  ['quoted-printable', (text) => [...Buffer.from(text)].map((byte) => `=${byte.toString(16)}`).join('')],
  ['in JSON in JSON', (text) => JSON.stringify(JSON.stringify({ secret: text }))],
  ['in XML', (text) => `<secret>${text}</secret>`],
  ['as a CSV', (text) => [...text].join(';')],
  ['with spaces', (text) => spaced(text, ' ')],
  ['with dashes', (text) => spaced(text, '-')],
  ['with underscores', (text) => spaced(text, '____')],
  ['with dots', (text) => spaced(text, '.')],
  ['with slashes', (text) => spaced(text, '/')],
  ['with zero width spaces', (text) => spaced(text, '\u200b')],
  ['with soft hyphens', (text) => spaced(text, '\u00ad')],
  ['with line breaks', (text) => spaced(text, '\r\n')],
  ['with tabs', (text) => spaced(text, '\t')],
  ['with commas', (text) => spaced(text, ', ')],
  ['in groups of four', (text) => (text.match(/.{1,4}/g) ?? []).join(' ')],
  ['in groups of four with underscores', (text) => (text.match(/.{1,4}/g) ?? []).join('____')],
  ['in pairs', (text) => (text.match(/.{1,2}/g) ?? []).join(' ')],
  ['cut in the middle', (text) => `${text.slice(0, 8)} and then ${text.slice(8)}`],
  ['its first half', (text) => text.slice(0, Math.ceil(text.length / 2))],
  ['its second half', (text) => text.slice(Math.floor(text.length / 2))],
  ['without its first', (text) => text.slice(1)],
  ['without its last', (text) => text.slice(0, -1)],
  ['next to letters', (text) => `MC${text}X`],
  ['next to words', (text) => `payment${text}refused`],
  ['as track 1', (text) => `%B${text}^FERREIRA/ANA^2512101`],
  ['as track 2', (text) => `;${text}=2512101?`],
  [
    'full width',
    (text) => [...text].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join(''),
  ],
  ['in superscript digits', (text) => text.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '')],
  ['in Arabic digits', (text) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))],
  [
    'in mathematical digits',
    (text) => text.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
  ],
  ['with combining marks', (text) => spaced(text, '\u0301')],
  ['right to left', (text) => `\u202e${reversed(text)}\u202c`],
  ['as digits in words', (text) => text.replace(/\d/g, (digit) => `${digits[Number(digit)]} `)],
  ['as digits in Portuguese', (text) => text.replace(/\d/g, (digit) => `${numerais[Number(digit)]} `)],
  ['in a path of fields', (text) => `card.${text}.number`],
  ['as a name of a field', (text) => `{"${text}": "is invalid"}`],
  ['in a stack', (text) => `Error: refused\n    at check (${text}:1:2)`],
  ['in a sentence', (text) => `Sra. ${text} is not the holder of the account`],
  ['after its name', (text) => `client_secret=${text}`],
  ['in UTF-16 bytes as text', (text) => Buffer.from(text, 'utf16le').toString('latin1')],
];

describe('secrets and personal data, in spellings that nobody listed (row 77)', () => {
  const values: [name: string, value: string][] = [
    ['a secret', secret],
    ['a PAN', pan],
    ['a CPF', cpf],
    ['a name', person],
    ['an e-mail address', 'ana.ferreira@example.com'],
    ['a phone number', '+55 11 91234-5678'],
    ['a card that the call did not send', '5500000000000004'],
  ];
  test.each(values)('%s', (_name, value) => {
    expect(spellings.length).toBeGreaterThanOrEqual(60);
    for (const [name, write] of spellings) {
      const text = shownIn().text(write(value)).replaceAll('[redacted]', ' ');
      const parts = value.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
      // What is left of it are words of the vocabulary (and a documented number, the code of a letter), and none of its own.
      for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? [])
        expect([name, word, isKnownWord(word) || word === '100']).toEqual([name, word, true]);
      for (const part of parts) expect([name, text.includes(part)]).toEqual([name, false]);
    }
  });

  test('what the call sent as the name of a person is not shown, even where it is a word', () => {
    expect(shownIn().text('paid only once')).toBe('[redacted] once');
    expect(shownIn().text('status_paid and PaidBy')).toBe('[redacted] and [redacted]');
  });

  test('accents, glued words and field names that are data do not help', () => {
    const order = {
      amount: 100,
      customer: { name: 'Média Cartão' },
      metadata: { '5555555555554444': 1, amount: '5555555555554444' },
    };
    const only = new ShownText({ shown: [], secrets: [], body: order, hidden: { name: 'campo limite' } });
    for (const text of [
      'MEDIA CARTAO',
      'MediaCartao',
      'media_cartao',
      'metadata.5555555555554444',
      '5555555555554444',
      'campo limite',
    ])
      expect([text, only.text(text)]).toEqual([text, '[redacted]']);
    for (const id of ['5555555555554444', '52998224725', 'a555555555555444'])
      expect([
        id,
        new ShownText({
          shown: [],
          secrets: [],
          body: { a: '529.982.247-25', b: '5555555555554444' },
        }).repeatsHidden(id.replace(/^a/, '')),
      ]).toEqual([id, true]);
  });

  test('the first, the middle and the last digits of a value are found in a header', () => {
    const only = new ShownText({ shown: [], secrets: [], body: { number: '5555444433332221' } });
    const found = ['555544', '443333', '332221', 'x332221', '332221x', '33222', '322210'];
    expect(found.filter((text) => only.repeatsHidden(text))).toEqual(found.slice(0, 5));
  });

  test('a name of a field that is a number is not shown in a path', () => {
    const order = { metadata: { '5500000000000004': 1 }, customer: null, items: ['abc'] };
    const only = new ShownText({ shown: [], secrets: [], body: order });
    expect(only.text('metadata.5500000000000004')).toBe('[redacted]');
    expect(only.text('customer.0 and items.0.0 and items.0')).toBe('[redacted] and [redacted] and items.0');
  });

  test('an order number with a word of three letters that the call sent as something else', () => {
    const only = (externalId: string) =>
      new ShownText({ shown: [], secrets: [], body: { externalId, customer: { name: 'Ana Li' } } });
    expect(only('order-ana').text('order-ana')).toBe('[redacted]');
    expect(only('order-li').text('order-li')).toBe('order-li');
    expect(only('order-42').text('order-42')).toBe('order-42');
  });

  test('another form of a word that the call sent, and a word glued from two', () => {
    const only = (name: string) => new ShownText({ shown: [], secrets: [], body: { customer: { name } } });
    expect(only('Payment').text('the payments')).toBe('the [redacted]');
    expect(only('Paidonly').text('PaidOnly_status')).toBe('[redacted]');
  });

  test('an order number that repeats a name is not shown, and one that repeats a digit or two is', () => {
    const said = (sent: { externalId: string }) =>
      new ShownText({ shown: [], secrets: [], body: sent }).text(sent.externalId);
    expect(said({ externalId: 'Zork of 77' })).toBe('Zork of 77');
    const customer = { name: person };
    expect(said({ externalId: 'order-ferreira', customer } as never)).toBe('[redacted]');
    expect(said({ externalId: 'order-77', quantity: 77 } as never)).toBe('order-77');
  });

  test('an order number that has the digits of a longer number that the call sent is not shown', () => {
    const said = (externalId: string, number: string) =>
      new ShownText({ shown: [], secrets: [], body: { externalId, customer: { number } } }).text(externalId);
    expect(said('123.456.789-09', cpf)).toBe('[redacted]');
    expect(said('12-345', '12345')).toBe('[redacted]');
    expect(said('12-34', '1234')).toBe('12-34');
  });

  test('a credential of known words is not shown, however it is divided', () => {
    const only = (credential: string) => new ShownText({ shown: [], secrets: [credential], body: {} });
    const said = (text: string, credential = 'payment-account-token') => only(credential).text(text);
    expect(said('the payment-account-token was not found')).toBe('the [redacted] was not found');
    expect(said('the account payment-account-token was not found')).toBe(
      'the account [redacted] was not found',
    );
    expect(said('the payment token of the account')).toBe('the payment token of the account');
    for (const text of [
      'PAYMENT, account: token_status',
      'paymentAccountTokenStatus',
      'payment (account) token',
    ])
      expect([text, said(text)]).toEqual([text, '[redacted]']);
    expect(said('of the payment', 'of-the')).toBe('[redacted]');
    expect(said('of a payment', 'of-a')).toBe('of a payment');
    expect(said('of-a payment', 'of-a')).toBe('[redacted] payment');
    for (const name of ['paymentAccountToken', 'payment_account_token_status', 'payment.account.token'])
      expect([name, only('payment-account-token').isName(name)]).toEqual([name, false]);
    expect(only('payment-account-token').path('payment.accountToken')).toBeUndefined();
    // So many letters of it in a row are a part of it; a word of it is not.
    expect(only('payment-account-token').path('payment.account')).toBeUndefined();
    expect(only('payment-account-token').path('payment.status')).toBe('payment.status');
  });

  test('a word that the call sent is not shown in pieces that are words, nor as the word that it is a form of', () => {
    const only = new ShownText({ shown: [], secrets: [], body: { holderName: 'ELENA CAMPOS' } });
    expect(only.text('ele na lista')).toBe('[redacted]');
    expect(only.text('o campo')).toBe('o [redacted]');
    expect([only.isName('ele_na_lista'), only.isName('campo')]).toEqual([false, false]);
  });

  test('a value of a naming field hides its words, unless it is written as a name of the API', () => {
    const said = (type: string) =>
      new ShownText({ shown: [], secrets: [], body: { type } }).text('campo pago');
    expect([said('CAMPO PAGO'), said('campo_pago')]).toEqual(['[redacted]', 'campo pago']);
  });

  test('all of what is hidden is hidden whatever its field is called', () => {
    const hidden = { externalId: 'order-1042', amount: 1990 };
    const only = new ShownText({ shown: [], secrets: [], body: undefined, hidden });
    expect(only.text('order-1042 of 1990 cents')).toBe('[redacted] of [redacted] cents');
  });

  test('what passes: a secret that is an ordinary word, and that the call did not send', () => {
    expect(shownIn().text('the secret is refund')).toBe('the secret is refund');
  });
});

describe('for every text', () => {
  const anything = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .array(
        fc.oneof(
          fc.constantFrom('payment', 'card.number', pan, secret, cvv, ' ', '_', '-', '1990', 'Ana'),
          fc.string({ maxLength: 6 }),
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join('')),
  );

  test('no word of it is outside of the vocabulary, the documented numbers and the values of the call', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const words =
          shownIn()
            .text(text)
            .replaceAll('[redacted]', ' ')
            .match(/[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu) ?? [];
        for (const word of words) {
          const isOwn = ['order-1042', '1990', 'credit_card', 'key-7', '400', '1'].includes(word);
          const isNumber = /^(?:100|15000000|255|256|300|1800|3600)$/.test(word);
          const pieces = word.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{L}+/gu) ?? [];
          const isMade = pieces.length > 0 && !/\p{N}/u.test(word) && pieces.every(isKnownWord);
          const isPath = /^(?:items\.0|card|customer)\b/.test(word);
          expect(isOwn || isNumber || isMade || isPath || isKnownWord(word), word).toBe(true);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test('blanks in a row are one', () => {
    expect(shownIn().text('the \n\t payment')).toBe('the payment');
  });

  test('it is one line of printable characters', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(shownIn().text(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('the words of the contract are known, and of numbers that are spelt out only zero and one', () => {
  for (const word of ['Onboarding', 'withdrawals', 'cvv', 'onboardings', 'THREEDS'])
    expect([word, isKnownWord(word)]).toEqual([word, true]);
  const numbers = [...digits, ...'um dois três quatro cinco seis sete oito nove'.split(' ')];
  expect(numbers.filter(isKnownWord)).toEqual(['zero', 'one']);
});

test('a form of a word is known if three letters of it are left', () => {
  expect(['pays', 'payments', 'recusadas'].map(isKnownWord)).toEqual([true, true, true]);
  expect(['xs', 'ids', 'xd'].map(isKnownWord)).toEqual([false, false, false]);
});

describe('names and paths', () => {
  test.each(['amount', 'insufficient_funds', 'card_declined', 'refusalReason', 'last4', 'CPFNumber'])(
    '%s is a name',
    (name) => {
      expect(shownIn().isName(name)).toBe(true);
    },
  );

  test('a name has a hundred characters at most', () => {
    const name = `${'amount_'.repeat(13)}status_id`;
    expect([shownIn().isName(name), shownIn().isName(`${name}s`)]).toEqual([true, false]);
  });

  test.each(['nome \u{1f170}', 'card \u2683', 'card\namount', 'n\u00famero'])(
    '%j has not the characters of a name',
    (name) => {
      expect([shownIn().isName(name), shownIn().path(name)]).toEqual([false, undefined]);
    },
  );

  test.each([person, 'ferreira', 'x9', '411111', secret, 'amount'.repeat(17)])('%s is none', (name) => {
    expect(shownIn().isName(name)).toBe(false);
  });

  test.each(['customer.document', '#/card', '$.amount', '/refund/status'])('%s is a path', (path) =>
    expect(shownIn().path(path)).toBe(path),
  );

  test.each(['items.0.unitPrice', 'items[0].unitPrice', '/items/0'])(
    '%s is a path if the call sent it, and else one without its index',
    (path) => {
      expect(shownIn({ items: [{ unitPrice: 1 }] }).path(path)).toBe(path);
      expect(shownIn({ amount: 1 }).path(path)).toMatch(/^items\.\{n\}/);
    },
  );

  test.each(['items.45.39', 'card.number.45', 'items.12345'])('%s does not show its digits', (path) =>
    expect(shownIn().path(path)).toBe(path.replace(/\d+/g, '{n}')),
  );

  test.each(['', '.', '0', 'items.123456', 'items.1a', 'ferreira.amount', 'amount.ferreira'])(
    '%j is none',
    (path) => expect(shownIn().path(path)).toBeUndefined(),
  );

  test('what the call sent is found where it is repeated, and where a part of it is', () => {
    for (const text of [
      person,
      `x${cpf}x`,
      'ANA BEATRIZ',
      '456789',
      secret.toUpperCase(),
      `req_${secret.slice(3, 10)}`,
      'grant_ferreira',
      'x737x',
    ])
      expect(shownIn().repeatsHidden(text), text).toBe(true);
    const souza = new ShownText({ shown: [], secrets: [], body: { name: 'Ana Souza Lima' } });
    expect([souza.repeatsHidden('grant_souza'), souza.repeatsHidden('grant_lima')]).toEqual([true, false]);
    for (const text of ['', 'Ana', '45678', 'https://platform.host/boleto/1'])
      expect(shownIn().repeatsHidden(text), text).toBe(false);
  });
});

describe('what is shown of the values of a body', () => {
  const said = (text: string, sent: object) =>
    new ShownText({ shown: [], secrets: [], body: sent }).text(text);

  test('those of an order, where an order has them', () => {
    expect(said('7714', { amount: 7714 })).toBe('7714');
    expect(said('7714', { items: [{ unitPrice: 7714 }] })).toBe('7714');
    expect(said('7714', { card: { amount: 7714 } })).toBe('[redacted]');
    expect(said('7714', { metadata: { unitPrice: '7714' } })).toBe('7714');
    expect(said('7714', { metadata: [{ amount: 7714 }] })).toBe('[redacted]');
  });

  test('no digit or two, which may be a piece of a card number', () => {
    for (const amount of [7, 77]) expect(said(`${amount}`, { amount })).toBe('[redacted]');
    expect(said('777', { amount: 777 })).toBe('777');
    expect(said('777', { quantity: 777 })).toBe('[redacted]');
  });

  test('a value that names something of the API hides no word, and any other does', () => {
    expect(said('the card was refused', { type: 'card' })).toBe('the card was refused');
    expect(said('the card was refused', { holderName: 'card' })).toBe('the [redacted] was refused');
    expect(said('the card was refused', { list: [['card']] })).toBe('the [redacted] was refused');
  });
});

test('of a call that sent more than 20,000 characters, nothing is shown', () => {
  const shownOf = (length: number) =>
    new ShownText({ shown: [], secrets: ['x'.repeat(length)], body: {} }).text('the amount');
  expect(shownOf(20_000)).toBe('the amount');
  expect(shownOf(20_001)).toBe('[redacted]');
});
