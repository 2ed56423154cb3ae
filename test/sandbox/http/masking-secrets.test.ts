import { describe, expect, test } from 'vitest';
import { maskSecrets } from '../../../src/sandbox/http/mask-secrets.js';
import { testCards } from '../../../src/sandbox/index.js';
import { call, lastRequest, pay, sandboxForTest } from '../support.js';

const words = [
  ['access', 'token'],
  ['id', 'token'],
  ['refresh', 'token'],
  ['upsell', 'token'],
  ['api', 'key'],
  ['x', 'api', 'key'],
  ['hmac', 'secret'],
  ['client', 'secret'],
  ['webhook', 'secret', 'key'],
  ['private', 'key'],
  ['card', 'cvv'],
  ['security', 'code'],
  ['user', 'password'],
  ['password'],
  ['authorization'],
  ['proxy', 'authorization'],
  ['cvv2'],
];

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const spellings: readonly ((parts: readonly string[]) => string)[] = [
  (parts) => parts.join('_'),
  (parts) => parts.join('-'),
  (parts) => parts.join(''),
  (parts) => parts.map(capital).join(''),
  (parts) => parts.map((part, index) => (index === 0 ? part : capital(part))).join(''),
  (parts) => parts.join('_').toUpperCase(),
  (parts) => parts.map(capital).join('-'),
  (parts) => parts.join('__'),
];

/** Spellings that are recognised only as the name of a whole field. */
const looseSpellings: typeof spellings = [
  (parts) => parts.join(' '),
  (parts) => parts.join('%5F'),
  (parts) => parts.join('\u2011'),
  (parts) => `card[${parts.join('_')}]`,
  (parts) => `cards.0.${parts.join('_')}`,
];

const namesBy = (ways: typeof spellings) => words.flatMap((parts) => ways.map((spell) => spell(parts)));

const canary = 'c4n4ry-Zx';

describe('a secret is hidden by its name, however the name is written', () => {
  test('as a field, at any depth, in JSON and in a form', async () => {
    const sandbox = sandboxForTest();
    for (const name of [...namesBy(spellings), ...namesBy(looseSpellings)]) {
      const secret = { [name]: canary };
      await pay(sandbox, { ...secret, deep: [{ deeper: secret }], text: JSON.stringify(secret) });
      await pay(sandbox, { text: JSON.stringify({ text: JSON.stringify([secret]) }) });
      await call(sandbox, '/oauth/token', {
        method: 'POST',
        body: new URLSearchParams(secret).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      await call(sandbox, `/v1/webhooks?a=b&${new URLSearchParams(secret)}`);
      const shown = JSON.stringify(sandbox.journal.requests.slice(-4));
      expect(shown, name).not.toContain(canary);
    }
  });

  const texts: Readonly<Record<string, (name: string) => string>> = {
    'a header': (name) => `GET / HTTP/1.1\r\nhost: a\r\n${name}: ${canary} ${canary}\r\naccept: */*`,
    'a header in one line': (name) => `-H "${name}: ${canary}" -X POST`,
    'a query': (name) => `https://shop.example/hook?page=1&${name}=${canary}&b=c`,
    'a query in a URL in a query': (name) =>
      `https://a.example/?next=${encodeURIComponent(`https://b.example/?${name}=${canary}&c=d`)}`,
    'a query in HTML': (name) => `<a href="/x?a=b&amp;${name}=${canary}&amp;c=d">x</a>`,
    'a query with an encoded value': (name) => `/x?${name}=%20%26${canary}%20${canary}`,
    'an assignment': (name) => `${name} = "${canary}"; go`,
    'a shell variable': (name) => `export ${name}='${canary}' && go`,
    'JSON that is cut': (name) => `{"a":1,"${name}":"${canary}","b":[`,
    'JSON that is cut within it': (name) => `{"a":1,"${name}":"${canary}`,
    'JSON with a space': (name) => `{"a":1,"${name}" : "${canary}, with \\"quotes\\", and ${canary}","b":`,
    'JSON in JSON that is cut': (name) => `{"a":"{\\"${name}\\":\\"${canary}\\"}","b`,
    'JSON in JSON in JSON that is cut': (name) =>
      JSON.stringify(JSON.stringify(JSON.stringify({ [name]: canary }))).slice(0, -1),
    'JSON in percent': (name) => encodeURIComponent(JSON.stringify({ [name]: canary })),
    'JSON in HTML': (name) => `<i data-x="{&quot;${name}&quot;:&quot;${canary}&quot;}">`,
  };

  test.each(Object.entries(texts))('in a text that is %s', async (_, write) => {
    const sandbox = sandboxForTest();
    for (const name of namesBy(spellings)) {
      const text = write(name);
      await pay(sandbox, { metadata: { note: text } });
      await call(sandbox, `/v1/cards/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}`);
      const shown = JSON.stringify(sandbox.journal.requests.slice(-2));
      expect(shown, name).not.toContain(canary);
    }
  });

  test.each([
    ['a bearer token', 'curl -H "X: Bearer abcdef.123456"', 'curl -H "X: Bearer ***"'],
    ['the password of a URL', 'https://me:c4n4ry@a.example/x', 'https://me:***@a.example/x'],
  ])('%s is hidden without a name', async (_, text, shown) => {
    const sandbox = sandboxForTest();
    await pay(sandbox, { note: text });
    expect(lastRequest(sandbox).body).toEqual({ note: shown });
  });

  test('a secret that the sandbox made is hidden in any field', async () => {
    const sandbox = sandboxForTest();
    const { clientSecret } = sandbox.clientOptions();
    await pay(sandbox, { note: `it is ${clientSecret}.`, [clientSecret]: 1 }, clientSecret);
    await call(sandbox, `/v1/${clientSecret}?${clientSecret}`);
    expect(JSON.stringify(sandbox.journal.requests)).not.toContain(clientSecret);
    expect(sandbox.journal.requests[0]?.body).toEqual({ note: 'it is ***.', '***': '***' });
  });
});

test.each([
  { cardTokenId: '5a9db0c5-0000-4000-8000-000000000001', expirationMonth: 12, expirationYear: 2030 },
  { note: 'the token is gone, see https://a.example/x?page=2&size=10#top', tokenType: 'Bearer' },
  { note: '2026-01-15T10:30:00.000Z, 10:30, R$ 1.234,56, CEP 01310-100, 100% & more, C:\\new\\table' },
  { note: 'João pagou às 10h: “ok” – 50 ％, 4 parcelas', id: '41111111-1111-4111-8111-111111111111' },
  { webhook_url: 'https://shop.example:8443/hook?shop=12#x', events: ['transaction.paid'] },
  { phone: '+55 (11) 91234-5678', customer: { document: { number: '123.456.789-09' } } },
  { list: '[ 1, 2.50, "x" ]', more: '{"a": 1.0}' },
])('what is not a secret does not change: %j', async (body) => {
  const sandbox = sandboxForTest();
  await pay(sandbox, body);
  expect(lastRequest(sandbox).body).toEqual(body);
});

test.each(['name', 'key'])('a value that is named by the field %s beside it is hidden', async (field) => {
  const sandbox = sandboxForTest();
  const headers = [
    { [field]: 'client-secret', value: canary },
    { [field]: 'accept', value: 'x' },
    { [field]: 'card_number', value: '4111-1111-1111-1112' },
  ];
  await pay(sandbox, { metadata: { headers } });
  expect(lastRequest(sandbox).body).toEqual({
    metadata: {
      headers: [
        { [field]: 'client-secret', value: '***' },
        { [field]: 'accept', value: 'x' },
        { [field]: 'card_number', value: '***************1112' },
      ],
    },
  });
});

test('a text in the field of a phone is masked as text', async () => {
  const sandbox = sandboxForTest();
  const fullWidth = testCards.approved.replace(/\d/g, (digit) =>
    String.fromCodePoint(0xff10 + Number(digit)),
  );
  await pay(sandbox, { phone: `client_secret=${canary}`, customer: { phone: fullWidth } });
  expect(lastRequest(sandbox).body).toEqual({
    phone: 'client_secret=***',
    customer: { phone: '************1111' },
  });
});

describe('the time is proportional to the length', () => {
  const length = 60_000;
  const of = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
  const pieces = [
    ...[
      '4',
      '4 ',
      '4111 ',
      `4${' '.repeat(8)}`,
      ' ',
      '-',
      '\u00a0',
      '\uff14',
      '\u{1d7d2}\u2009',
      '41111111-1111-4111-8111-111111111111 4',
    ],
    ...['%34', '%', '%25', '&', '&amp;', '&#52;', '&#', '\\', '\\u0034', '\\n', '"', "'"],
    ...[
      '[',
      '{"a":',
      '[]',
      '"[',
      'token',
      'token=',
      'token:',
      'token="',
      'token:"x"y ',
      'token="  ',
      'a-b_c.',
      'bearer ',
      '://',
      '://a:',
      'a[b]',
      'a.',
    ],
  ];
  const shapes: Readonly<Record<string, (text: string) => unknown>> = {
    'a field': (text) => ({ note: text }),
    'a name': (text) => ({ [text]: 'x' }),
    'a phone': (text) => ({ phone: text }),
    'a card number': (text) => ({ card: { number: text } }),
    'a document': (text) => ({ cpf: text }),
    'text that is JSON': (text) => JSON.stringify({ a: { b: text } }),
    'many fields': (text) => ({ pin: text.match(/.{1,40}/gs), ...text.match(/.{1,90}/gs) }),
  };
  /** The better of two, in milliseconds. */
  const timeOf = (value: unknown) => {
    const times = [1, 2].map(() => {
      const start = performance.now();
      maskSecrets(value);
      return performance.now() - start;
    });
    return Math.min(...times);
  };

  test.each(pieces)('%j repeated', (piece) => {
    for (const [name, shape] of Object.entries(shapes)) {
      const [half, whole] = [timeOf(shape(of(piece, length / 2))), timeOf(shape(of(piece, length)))];
      // A very short time does not show growth.
      expect(whole, `${name}: ${half} ms, then ${whole} ms`).toBeLessThan(Math.max(3.5 * half, 150));
    }
  });
});
