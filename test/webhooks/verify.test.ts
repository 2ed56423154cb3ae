import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { isPaymentPlatformError, PaymentPlatform } from 'payment-platform';
import {
  type Delivery,
  parseUnverified,
  sign,
  verify,
  verifyAsync,
  type WebhookVerificationError,
} from 'payment-platform/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { computeDigest } from '../../src/platform/node-crypto.js';
import { catchError, credentials } from '../support/engines.js';

const secret = 'whsec_0123456789abcdef';
const now = Date.parse('2026-01-01T12:00:00Z');
const seconds = String(now / 1000);
const body = JSON.stringify({
  event: 'transaction.paid',
  id: '0b7e2b0a-6f0c-4a8e-9f0e-1c2d3e4f5a6b',
  amount: 1990,
  note: 'Café ☕',
});

/** Signs with node:crypto, independently of `sign`. */
const hmac = (timestamp = seconds, text: string | Uint8Array = body, key = secret) =>
  createHmac('sha256', key).update(`${timestamp}.`).update(text).digest();

const delivered = (signature: string, timestamp = seconds, raw: string | Uint8Array = body): Delivery => ({
  body: raw,
  headers: { 'x-service-timestamp': timestamp, 'x-service-signature': signature },
});

const implementations: [
  string,
  (delivery: Delivery, options: Parameters<typeof verify>[1]) => Promise<unknown>,
][] = [
  ['verify', async (delivery, options) => verify(delivery, options)],
  ['verifyAsync', verifyAsync],
  [
    'platform.webhooks.verify',
    async (delivery, options) =>
      new PaymentPlatform({ baseUrl: 'https://a.example', ...credentials }).webhooks.verify(
        delivery,
        options,
      ),
  ],
];

describe.each(implementations)('%s', (_, check) => {
  const options = { secret, now };
  const catchReason = async (delivery: unknown, callOptions: Parameters<typeof verify>[1] = options) => {
    const error = await catchError<WebhookVerificationError>(check(delivery as Delivery, callOptions));
    expect(error.name).toBe('WebhookVerificationError');
    expect(error.code).toBe('webhook_verification_failed');
    expect(isPaymentPlatformError(error)).toBe(true);
    return error.reason;
  };

  describe('with a valid delivery', () => {
    const digest = hmac();
    const encodings: [string, string][] = [
      ['hex', digest.toString('hex')],
      ['hex in capitals', digest.toString('hex').toUpperCase()],
      ['base64', digest.toString('base64')],
      ['base64 without padding', digest.toString('base64').replace('=', '')],
      ['URL-safe base64', digest.toString('base64url')],
      ['URL-safe base64 with padding', `${digest.toString('base64url')}=`],
      ['hex with the prefix sha256=', `sha256=${digest.toString('hex')}`],
      ['base64 with the prefix v1=', `v1=${digest.toString('base64')}`],
      ['hex with white space around it', ` ${digest.toString('hex')} `],
    ];
    test.each(encodings)('accepts a signature in the format %s', async (_name, text) => {
      await expect(check(delivered(text), options)).resolves.toEqual(JSON.parse(body));
    });

    test.each([
      seconds,
      String(now),
      '2026-01-01T12:00:00Z',
      '2026-01-01T12:00:00.000Z',
      '2026-01-01T09:00:00-03:00',
      '2026-01-01T12:00Z',
      '2026-01-01T12:00:00.123456789Z',
    ])(
      'accepts the timestamp %s, and verifies the signature of exactly that string (row 41)',
      async (timestamp) => {
        await expect(
          check(delivered(hmac(timestamp).toString('hex'), timestamp), options),
        ).resolves.toMatchObject({ amount: 1990 });
        const other = timestamp === seconds ? String(now) : seconds;
        expect(await catchReason(delivered(hmac(other).toString('hex'), timestamp))).toBe(
          'signature-mismatch',
        );
      },
    );

    test('accepts bytes and a string', async () => {
      const bytes = new TextEncoder().encode(body);
      await expect(check(delivered(hmac().toString('hex'), seconds, bytes), options)).resolves.toEqual(
        JSON.parse(body),
      );
      await expect(
        check(delivered(hmac().toString('hex'), seconds, Buffer.from(body)), options),
      ).resolves.toEqual(JSON.parse(body));
      // The bytes are a view into a larger buffer, as from a body parser.
      const pool = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]);
      const view = pool.subarray(6, 6 + bytes.length);
      await expect(check(delivered(hmac().toString('hex'), seconds, view), options)).resolves.toEqual(
        JSON.parse(body),
      );
    });

    test('accepts headers in every type of object, in upper and lower case', async () => {
      const signature = hmac().toString('hex');
      const node: IncomingHttpHeaders = {
        'x-service-timestamp': seconds,
        'x-service-signature': signature,
        'set-cookie': ['a'],
      };
      const kinds = [
        node,
        new Headers({ 'X-Service-Timestamp': seconds, 'X-Service-Signature': signature }),
        { 'X-Service-Timestamp': seconds, 'X-SERVICE-SIGNATURE': signature },
        { 'x-service-timestamp': [seconds], 'x-service-signature': [signature] },
        Object.assign(Object.create(null), {
          'X-service-timestamp': seconds,
          'x-Service-signature': signature,
        }),
      ];
      for (const headers of kinds)
        await expect(check({ body, headers }, options)).resolves.toMatchObject({ amount: 1990 });
    });

    test('reads the headers that the option headerNames names', async () => {
      const headers = { 'X-Pay-Time': seconds, 'X-Pay-Sig': hmac().toString('hex') };
      const headerNames = { timestamp: 'X-Pay-Time', signature: 'x-pay-sig' };
      await expect(check({ body, headers }, { ...options, headerNames })).resolves.toMatchObject({
        amount: 1990,
      });
    });

    test('prefers a header name in lower case, and accepts a header named get', async () => {
      const signature = hmac().toString('hex');
      const both = {
        'X-Service-Timestamp': '1',
        'x-service-timestamp': seconds,
        'x-service-signature': signature,
      };
      await expect(check({ body, headers: both }, options)).resolves.toMatchObject({ amount: 1990 });
      const named = { get: 'a', 'x-service-timestamp': seconds, 'x-service-signature': signature };
      await expect(check({ body, headers: named }, options)).resolves.toMatchObject({ amount: 1990 });
    });

    test('accepts bytes in the memory of another thread or realm', async () => {
      const bytes = new TextEncoder().encode(body);
      const shared = new SharedArrayBuffer(bytes.length + 2);
      new Uint8Array(shared).set(bytes, 1);
      const foreign = runInNewContext('new ArrayBuffer(size)', { size: bytes.length });
      new Uint8Array(foreign).set(bytes);
      const whole = new SharedArrayBuffer(bytes.length);
      new Uint8Array(whole).set(bytes);
      for (const raw of [new Uint8Array(shared, 1, bytes.length), foreign, whole])
        await expect(check(delivered(hmac().toString('hex'), seconds, raw), options)).resolves.toEqual(
          JSON.parse(body),
        );
    });

    test('accepts any of several secrets during a rotation (row 42)', async () => {
      const delivery = delivered(hmac().toString('hex'));
      await expect(check(delivery, { now, secret: ['another-secret-of-16', secret] })).resolves.toMatchObject(
        { amount: 1990 },
      );
      expect(
        await catchReason(delivery, { now, secret: ['another-secret-of-16', 'and-a-third-one-too'] }),
      ).toBe('signature-mismatch');
    });

    test('accepts `now` as a Date, milliseconds or a function', async () => {
      const delivery = delivered(hmac().toString('hex'));
      for (const at of [now, new Date(now), () => now, () => new Date(now)]) {
        await expect(check(delivery, { secret, now: at })).resolves.toMatchObject({ amount: 1990 });
      }
    });

    test('accepts the secret instead of an options object', async () => {
      const headers = sign({ body, secret });
      await expect(check({ body, headers }, secret)).resolves.toMatchObject({ amount: 1990 });
      await expect(check({ body, headers }, ['another-secret-of-16', secret])).resolves.toMatchObject({
        amount: 1990,
      });
    });

    test('accepts an unknown event', async () => {
      const text = JSON.stringify({ event: 'transaction.teleported' });
      await expect(
        check(delivered(hmac(seconds, text).toString('hex'), seconds, text), options),
      ).resolves.toEqual({ event: 'transaction.teleported' });
    });

    test('accepts a byte order mark, which is part of the signed bytes (row 43)', async () => {
      const text = `\uFEFF${body}`;
      await expect(
        check(delivered(hmac(seconds, text).toString('hex'), seconds, text), options),
      ).resolves.toEqual(JSON.parse(body));
      const bytes = Buffer.from(text);
      await expect(
        check(delivered(hmac(seconds, bytes).toString('hex'), seconds, bytes), options),
      ).resolves.toEqual(JSON.parse(body));
    });
  });

  describe('with an invalid signature (row 40)', () => {
    const good = hmac().toString('hex');
    const flipped = (good[0] === '0' ? '1' : '0') + good.slice(1);
    test.each([
      [
        'made with another secret',
        hmac(seconds, body, 'another-secret-of-16').toString('hex'),
        'signature-mismatch',
      ],
      ['wrong in one digit', flipped, 'signature-mismatch'],
      ['made for another body', hmac(seconds, `${body} `).toString('hex'), 'signature-mismatch'],
      [
        'made for the body without the timestamp',
        createHmac('sha256', secret).update(body).digest('hex'),
        'signature-mismatch',
      ],
      ['one digit too short', good.slice(1), 'malformed-signature'],
      ['one digit too long', `${good}0`, 'malformed-signature'],
      ['a list of two signatures', `${good}, ${good}`, 'malformed-signature'],
      [
        'made with SHA-512',
        createHmac('sha512', secret).update(`${seconds}.${body}`).digest('hex'),
        'malformed-signature',
      ],
      ['in an unknown encoding', 'é'.repeat(64), 'malformed-signature'],
      ['prefixed with another scheme', `v2=${good}`, 'malformed-signature'],
      ['preceded by other characters', `x ${good}`, 'malformed-signature'],
      ['in base64 with two characters of padding', `${hmac().toString('base64')}=`, 'malformed-signature'],
      ['base64 and one character too short', hmac().toString('base64').slice(1), 'malformed-signature'],
      ['base64 and two characters too short', hmac().toString('base64').slice(2), 'malformed-signature'],
      [
        'unpadded base64 and one character too short',
        hmac().toString('base64url').slice(1),
        'malformed-signature',
      ],
      ...Array.from('/:@G`g', (character): [string, string, string] => [
        `not hex: its first character is ${character}`,
        character + good.slice(1),
        'malformed-signature',
      ]),
      ...Array.from('/:@G`g', (character): [string, string, string] => [
        `not hex: its last character is ${character}`,
        good.slice(0, -1) + character,
        'malformed-signature',
      ]),
    ])('rejects a signature that is %s', async (_name, signature, reason) => {
      expect(await catchReason(delivered(signature))).toBe(reason);
    });

    test('rejects a missing or empty signature', async () => {
      expect(await catchReason(delivered(''))).toBe('missing-signature');
      expect(await catchReason({ body, headers: { 'x-service-timestamp': seconds } })).toBe(
        'missing-signature',
      );
      expect(await catchReason({ body, headers: new Headers({ 'x-service-timestamp': seconds }) })).toBe(
        'missing-signature',
      );
    });

    test('rejects two signatures in a list', async () => {
      expect(
        await catchReason({
          body,
          headers: { 'x-service-timestamp': seconds, 'x-service-signature': [good, good] },
        }),
      ).toBe('malformed-signature');
    });
  });

  describe('with the option `timestamp` (row 41)', () => {
    const at = (text: string) => delivered(hmac(text).toString('hex'), text);

    test.each<[string, string, (text: string) => number]>([
      ['microseconds', `${now}000`, (text) => Number(text) / 1000],
      ['nanoseconds', `${now}000000`, (text) => Number(BigInt(text) / 1_000_000n)],
      ['fractions of a second', `${now / 1000}`, (text) => Number(text) * 1000],
      ['ISO 8601 without a zone', new Date(now).toISOString().slice(0, -1), (text) => Date.parse(`${text}Z`)],
      [
        'local time three hours behind UTC',
        new Date(now - 10_800_000).toISOString().slice(0, -5),
        (text) => Date.parse(`${text}-03:00`),
      ],
    ])('reads a timestamp in %s: %s', async (_, text, timestamp) => {
      expect(await check(at(text), { ...options, timestamp })).toMatchObject({ event: 'transaction.paid' });
      const late = { ...options, timestamp, now: now + 301_000 };
      expect(await catchReason(at(text), late)).toBe('timestamp-too-old');
    });

    test.each<[string, unknown]>([
      ['NaN', () => Number.NaN],
      ['Infinity', () => Number.POSITIVE_INFINITY],
      ['a time beyond every Date', () => 8.64e15 + 1],
      ['a string', (text: string) => text],
      ['undefined', () => undefined],
      ['a promise', async () => now],
      [
        'an error',
        () => {
          throw new Error('no time');
        },
      ],
    ])('rejects the delivery if it returns or throws %s', async (_, timestamp) => {
      const error = await catchError(check(at(seconds), { ...options, timestamp } as never));
      expect(error).toMatchObject({ reason: 'malformed-timestamp' });
      expect(error.message).toContain('For another format, set the option `timestamp`');
    });

    test('rejects an option `timestamp` that is not a function', async () => {
      const error = await catchError(check(at(seconds), { ...options, timestamp: 'seconds' } as never));
      expect(error.message).toContain('timestamp must be a function');
    });
  });

  test('names the delivery’s and this machine’s time in the message if a clock is wrong (row 41)', async () => {
    const error = await catchError(
      check(delivered(hmac().toString('hex')), { ...options, now: now + 3_600_000 }),
    );
    const sent = new Date(Number(seconds) * 1000).toISOString();
    const received = new Date(now + 3_600_000).toISOString();
    expect(error.message).toBe(
      `The timestamp ${sent} is 3600 seconds old, and the tolerance is 300 seconds. It is a replay, or a clock is wrong. This receiver's clock says ${received} (option \`now\`).`,
    );
  });

  describe('with a timestamp (row 41)', () => {
    const at = (milliseconds: number) => {
      const text = String(milliseconds / 1000);
      return delivered(hmac(text).toString('hex'), text);
    };
    test('rejects a timestamp more than 300 seconds away, and accepts one exactly 300 seconds away', async () => {
      await expect(check(at(now - 300_000), options)).resolves.toEqual(JSON.parse(body));
      await expect(check(at(now + 300_000), options)).resolves.toEqual(JSON.parse(body));
      expect(await catchReason(at(now - 301_000))).toBe('timestamp-too-old');
      expect(await catchReason(at(now + 301_000))).toBe('timestamp-in-future');
      expect(
        await catchReason(delivered(hmac(String(now - 301_000)).toString('hex'), String(now - 301_000))),
      ).toBe('timestamp-too-old');
    });

    test('accepts a timestamp exactly at the tolerance, and rejects one a millisecond beyond it', async () => {
      const zero = { ...options, tolerance: 0 };
      await expect(check(at(now), zero)).resolves.toEqual(JSON.parse(body));
      const late = String(now - 1);
      expect(await catchReason(delivered(hmac(late).toString('hex'), late), zero)).toBe('timestamp-too-old');
      const early = String(now + 1);
      expect(await catchReason(delivered(hmac(early).toString('hex'), early), zero)).toBe(
        'timestamp-in-future',
      );
    });

    test('reads a number up to 100,000,000,000 as seconds, and a larger one as milliseconds', async () => {
      const border = 100_000_000_000;
      const inSeconds = String(border);
      await expect(
        check(delivered(hmac(inSeconds).toString('hex'), inSeconds), { secret, now: border * 1000 }),
      ).resolves.toEqual(JSON.parse(body));
      const inMilliseconds = String(border + 1);
      await expect(
        check(delivered(hmac(inMilliseconds).toString('hex'), inMilliseconds), { secret, now: border + 1 }),
      ).resolves.toEqual(JSON.parse(body));
    });

    test('rejects a timestamp outside the option tolerance, and accepts one within it', async () => {
      expect(await catchReason(at(now - 61_000), { ...options, tolerance: 60 })).toBe('timestamp-too-old');
      for (const tolerance of [7_200, 86_400])
        await expect(check(at(now - 3_600_000), { ...options, tolerance })).resolves.toEqual(
          JSON.parse(body),
        );
    });

    test.each([
      'abc',
      '-5',
      '1e9',
      '0x10',
      '1767268800.5',
      'NaN',
      'Thu, 01 Jan 2026 12:00:00 GMT',
      '2026-01-01',
      '2026-13-01T00:00:00Z',
      '9'.repeat(30),
    ])('rejects %s as malformed', async (text) => {
      expect(await catchReason(delivered(hmac(text).toString('hex'), text))).toBe('malformed-timestamp');
    });

    test('rejects a missing timestamp', async () => {
      expect(await catchReason({ body, headers: { 'x-service-signature': 'a' } })).toBe('missing-timestamp');
      expect(await catchReason({ body, headers: {} })).toBe('missing-timestamp');
      expect(await catchReason({ body })).toBe('missing-timestamp');
    });

    test('rejects an old timestamp with an error that names this machine’s time (row 28)', async () => {
      const error = await catchError(check(at(now - 3_600_000), options));
      expect(error.message).toContain('3600 seconds old');
      expect(error.message).toContain('2026-01-01T12:00:00.000Z');
      const ahead = await catchError(check(at(now + 3_600_000), options));
      expect(ahead.message).toContain('3600 seconds in the future');
    });
  });

  describe('with a secret or other options (row 42)', () => {
    test.each([
      [''],
      ['fifteen chars !'],
      ['x'.repeat(257)],
      [undefined],
      [null],
      [7],
      [[]],
      [['whsec_0123456789abcdef', '']],
      [[Array.from({ length: 16 }, () => 'x')]],
    ])('throws a ConfigurationError for the secret %j', async (wrong) => {
      const error = await catchError(
        check(delivered(hmac().toString('hex')), { now, secret: wrong as string }),
      );
      expect(error.name).toBe('ConfigurationError');
      expect(error.message).toContain('16 to 256');
      expect(error.message).not.toContain('fifteen');
    });

    test.each(['x'.repeat(16), 'x'.repeat(256)])('accepts the secret %s', async (long) => {
      const text = hmac(seconds, body, long).toString('hex');
      await expect(check(delivered(text), { now, secret: long })).resolves.toEqual(JSON.parse(body));
    });

    test.each([
      { tolerance: -1 },
      { tolerance: Number.NaN },
      { tolerance: Number.POSITIVE_INFINITY },
      { tolerance: '300' },
      { now: 'yesterday' },
    ])('throws a ConfigurationError for the options %j', async (wrong) => {
      const error = await catchError(
        check(delivered(hmac().toString('hex')), { ...options, ...wrong } as never),
      );
      expect(error.name).toBe('ConfigurationError');
    });
  });

  describe('with an invalid body (row 43)', () => {
    const signed = (text: string | Uint8Array) =>
      delivered(hmac(seconds, text).toString('hex'), seconds, text);

    test.each([[JSON.parse(body)], [undefined], [null], [7], [[1]]])(
      'rejects a parsed body: %j',
      async (parsed) => {
        const error = await catchError<WebhookVerificationError>(
          check({ ...delivered(hmac().toString('hex')), body: parsed }, options),
        );
        expect(error.reason).toBe('body-already-parsed');
        for (const framework of ['express.raw', 'addContentTypeParser', 'c.req.text()', 'request.text()'])
          expect(error.message).toContain(framework);
      },
    );

    test('rejects half a surrogate pair that replaces the signed character U+FFFD', async () => {
      const text = '{"event":"a\ufffd"}';
      const torn = { ...signed(text), body: '{"event":"a\ud800"}' };
      expect(await catchReason(torn)).toBe('signature-mismatch');
      await expect(check(signed(text), options)).resolves.toEqual({ event: 'a\ufffd' });
      await expect(check(signed('{"event":"😀"}'), options)).resolves.toEqual({ event: '😀' });
      const native = String.prototype as { isWellFormed?: unknown };
      const { isWellFormed } = native;
      native.isWellFormed = undefined;
      try {
        expect(await catchReason(torn)).toBe('signature-mismatch');
        await expect(check(signed('{"event":"😀"}'), options)).resolves.toEqual({ event: '😀' });
      } finally {
        native.isWellFormed = isWellFormed;
      }
    });

    test('keeps an error that the option `timestamp` throws as the cause', async () => {
      const cause = new RangeError('no time');
      const timestamp = () => {
        throw cause;
      };
      const error = await catchError(check(delivered(hmac().toString('hex')), { ...options, timestamp }));
      expect(error).toMatchObject({ reason: 'malformed-timestamp', cause });
    });

    test('shows no part of an invalid JSON body in the error', async () => {
      for (const text of ['cpf 52998224725', '{"cpf":x52998224725}', '{"event":']) {
        const error = await catchError(check(signed(text), options));
        expect(error).toMatchObject({ reason: 'malformed-payload', message: 'The body is not JSON.' });
        expect(inspect(error, { showHidden: true })).not.toContain('529982');
        expect(error.cause).toBeUndefined();
      }
    });

    test('rejects a body that was serialised again', async () => {
      const spaced = JSON.stringify(JSON.parse(body), null, 2);
      expect(await catchReason(delivered(hmac().toString('hex'), seconds, spaced))).toBe(
        'signature-mismatch',
      );
    });

    test('rejects a body in another character set', async () => {
      expect(await catchReason(delivered(hmac().toString('hex'), seconds, Buffer.from(body, 'latin1')))).toBe(
        'signature-mismatch',
      );
    });

    test('rejects an authentic body that is not a JSON object', async () => {
      expect(await catchReason(signed('{"event":'))).toBe('malformed-payload');
      expect(await catchReason(signed(''))).toBe('malformed-payload');
      expect(await catchReason(signed('[1]'))).toBe('malformed-payload');
      expect(await catchReason(signed('"transaction.paid"'))).toBe('malformed-payload');
      expect(await catchReason(signed(Buffer.from([0x7b, 0xff, 0x7d])))).toBe('malformed-payload');
    });

    test('rejects an authentic body without an event', async () => {
      for (const text of ['{}', '{"event":""}', '{"event":7}'])
        expect(await catchReason(signed(text))).toBe('missing-event');
    });

    test('checks the signature before it parses the body', async () => {
      expect(await catchReason(delivered('0'.repeat(64), seconds, '{"event":'))).toBe('signature-mismatch');
    });
  });

  test('changes no prototype if a payload contains __proto__ (row 47)', async () => {
    const text = '{"event":"transaction.paid","__proto__":{"polluted":true}}';
    await check(delivered(hmac(seconds, text).toString('hex'), seconds, text), options);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('keeps the digits of an integer beyond 2^53 (row 49)', async () => {
    const text = '{"event":"transaction.paid","amount":9007199254740993}';
    await expect(
      check(delivered(hmac(seconds, text).toString('hex'), seconds, text), options),
    ).resolves.toMatchObject({ amount: '9007199254740993' });
  });

  test('throws typed errors for odd headers, bodies and options, and never crashes', async () => {
    const good = hmac().toString('hex');
    const odd: unknown[] = [
      new Map([['x-service-timestamp', [seconds]]]),
      { get: () => 7 },
      null,
      7,
      [],
      { undefined: seconds },
    ];
    for (const headers of odd) expect(await catchReason({ body, headers })).toMatch(/^missing-/);
    for (const delivery of [null, undefined, 7, 'x', []])
      expect(await catchReason(delivery)).toBe('body-already-parsed');
    const wrong = [
      { tolerence: 5 },
      { now: Number.POSITIVE_INFINITY },
      { now: 1e17 },
      { headerNames: { timestamp: 5 } },
      { headerNames: { signature: '' } },
      { headerNames: { timestamp: null } },
      { now: -8.64e15 - 2 },
      { now: () => Number.NaN },
    ];
    for (const callOptions of wrong) {
      expect((await catchError(check(delivered(good), { ...options, ...callOptions } as never))).name).toBe(
        'ConfigurationError',
      );
    }
    const numbered = { ...options, headerNames: { timestamp: 5 } };
    expect((await catchError(check(delivered(good), numbered as never))).message).toContain(
      'headerNames.timestamp must be a string',
    );
    const known = 'Known: secret, now, tolerance, timestamp, decodeSignature, headerNames, fieldNames.';
    for (const [named, remedy] of [
      [{ tolerence: 5 }, 'Did you mean tolerance?'],
      [{ unknown: undefined }, known],
    ] as const) {
      const error = await catchError(check(delivered(good), { ...options, ...named } as never));
      expect(error.message).toBe(`verify: ${Object.keys(named)} is an unknown option. ${remedy}`);
    }
    const buffer = new TextEncoder().encode(body).buffer;
    for (const bytes of [buffer, new DataView(buffer)]) {
      await expect(check(delivered(good, seconds, bytes as never), options)).resolves.toMatchObject({
        amount: 1990,
      });
    }
  });

  test('accepts the earliest and the latest possible Date as `now`', async () => {
    const good = delivered(hmac().toString('hex'));
    expect(await catchReason(good, { ...options, now: 8.64e15 })).toBe('timestamp-too-old');
    expect(await catchReason(good, { ...options, now: -8.64e15 })).toBe('timestamp-in-future');
  });

  test('never includes the secret or the expected signature in an error', async () => {
    const error = await catchError<WebhookVerificationError>(check(delivered('0'.repeat(64)), options));
    const text = [error.message, error.stack, JSON.stringify(error)].join();
    expect(text).not.toContain(secret);
    expect(text).not.toContain(hmac().toString('hex'));
  });
});

test('sign uses the current time, in whole seconds', () => {
  vi.spyOn(Date, 'now').mockReturnValue(now + 999);
  expect(sign({ body, secret })).toEqual({
    'x-service-timestamp': seconds,
    'x-service-signature': hmac().toString('hex'),
  });
});

test('verifyAsync parses the bytes that it verified, even if the buffer changes', async () => {
  const bytes = new TextEncoder().encode(body);
  const call = verifyAsync(delivered(hmac().toString('hex'), seconds, bytes), { secret, now });
  bytes.fill(0x20);
  await expect(call).resolves.toEqual(JSON.parse(body));
});

test('verifyAsync imports the secret as a key that cannot be exported', async () => {
  const importKey = vi.spyOn(crypto.subtle, 'importKey');
  await verifyAsync(delivered(hmac().toString('hex')), { secret, now });
  const [[format, , algorithm, extractable, usages] = []] = importKey.mock.calls;
  expect([format, algorithm, extractable, usages]).toEqual([
    'raw',
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  ]);
});

test('sign returns the platform’s headers, in hex or base64, for a given time', () => {
  expect(sign({ body, secret, timestamp: seconds })).toEqual({
    'x-service-timestamp': seconds,
    'x-service-signature': hmac().toString('hex'),
  });
  expect(sign({ body: Buffer.from(body), secret, timestamp: now, encoding: 'base64' })).toEqual({
    'x-service-timestamp': String(now),
    'x-service-signature': hmac(String(now)).toString('base64'),
  });
});

test('sign rejects a wrong body, secret, time and encoding, and names each of them', () => {
  const wrong = { body: {}, secret: 7, timestamp: {}, encoding: 'binary' };
  expect(() => sign(wrong as never)).toThrow(
    /- body must be a string or bytes\.\n- secret must be a string\.\n- timestamp must be .*\n- encoding must be 'hex' or 'base64'\./,
  );
});

describe('parseUnverified', () => {
  test('parses strings and bytes, and returns the SDK’s field names', () => {
    for (const raw of [body, Buffer.from(body)]) expect(parseUnverified(raw)).toEqual(JSON.parse(body));
    const renamed = JSON.stringify({ event: 'transaction.refused', why: 'x' });
    expect(
      parseUnverified(renamed, { fieldNames: { 'payment.refusalReason': 'why' } } as never),
    ).toMatchObject({
      refusalReason: 'x',
    });
  });

  test('omits a field whose path does not exist in the payload', () => {
    const listFields = (data: unknown, path: string) =>
      Object.keys(
        parseUnverified(JSON.stringify({ event: 'x', data }), { fieldNames: { 'payment.split': path } }),
      );
    for (const data of [undefined, null, 'text', 7])
      expect(listFields(data, 'data.length')).not.toContain('split');
    expect(listFields({}, 'data.constructor')).not.toContain('split');
    expect(listFields({ constructor: [] }, 'data.constructor')).toContain('split');
  });

  test('rejects a body without an event, a body that was already parsed and an unknown option', () => {
    const reason = (raw: unknown) => {
      try {
        return parseUnverified(raw as string);
      } catch (error) {
        return (error as WebhookVerificationError).reason;
      }
    };
    expect(reason({ event: 'x' })).toBe('body-already-parsed');
    expect(reason('[]')).toBe('malformed-payload');
    expect(reason('{}')).toBe('missing-event');
    expect(() => parseUnverified(body, { secret } as never)).toThrow(/secret is an unknown option/);
  });
});

test('the digest of a body is its SHA-256, with node:crypto and with WebCrypto', async () => {
  const { computeDigest: ofWebCrypto } = await import('../../src/platform/web-crypto.js');
  for (const raw of [body, Buffer.from(body)]) {
    const expected = createHash('sha256').update(raw).digest('hex');
    expect([computeDigest(raw), await ofWebCrypto(raw)]).toEqual([expected, expected]);
  }
});

test('verify and sign throw an error that names the remedy if node:crypto is missing', async () => {
  const { hmac, isSignedBy } = await import('../../src/platform/web.js');
  const { verifyWithNames } = await import('../../src/client-in-workers.js');
  for (const verifyUnavailable of [isSignedBy, verifyWithNames])
    expect(() => verifyUnavailable()).toThrow(/verifyAsync/);
  expect(() => hmac()).toThrow(/sign needs node:crypto/);
});
