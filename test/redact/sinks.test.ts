import { inspect } from 'node:util';
import type { PaymentPlatformError } from 'payment-platform';
import { beforeEach, expect, test, vi } from 'vitest';
import { catchError, clientOn, credentials, onBothEngines } from '../support/engines.js';
import { openCard, paid } from '../support/payments.js';
import { rawServer } from '../support/raw-server.js';
import { closedAfterEach } from '../support/resources.js';
import { separators, writings } from '../support/spellings.js';

const opens = closedAfterEach();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const pan = '5555555555554444';
const cvv = '9137';
const groups = pan.match(/.{4}/g) as string[];

/** Lists spellings of the secret and spacings of the card number. */
const canaries: [name: string, text: string][] = [
  ...writings.map(([name, write]): [string, string] => [
    `the secret ${name}`,
    write(credentials.clientSecret),
  ]),
  ...separators.map((separator): [string, string] => [
    `the card with ${JSON.stringify(separator)}`,
    groups.join(separator),
  ]),
];

const http = (status: number, headers: Record<string, string>, body: string) => {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ 'content-length': String(bytes.length), ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`), bytes]);
};

const json = { 'content-type': 'application/json' };

/** Keeps the bytes that a header can hold. */
const inHeader = (text: string) => Buffer.from(text.replace(/[\r\n\0]/g, ' ')).toString('latin1');

/** Lists the places that can repeat a value from the call. */
const sinks: Record<string, (text: string) => Buffer> = {
  'the message of an error': (text) => http(400, json, JSON.stringify({ message: `refused ${text}!` })),
  'a nested field': (text) =>
    http(422, json, JSON.stringify({ error: { issues: [{ path: text, found: text }] } })),
  'the name of a field': (text) => http(400, json, JSON.stringify({ [text]: 1 })),
  'an HTML page': (text) => http(502, { 'content-type': 'text/html' }, `<html><p>${text}</p></html>`),
  'JSON that was cut': (text) => http(500, json, `{"note":${JSON.stringify(text)},"more":`),
  'a large body': (text) => http(500, json, JSON.stringify({ note: text, fill: 'x'.repeat(70_000) })),
  'the request id': (text) => http(400, { ...json, 'x-request-id': inHeader(text) }, '{}'),
  headers: (text) =>
    http(
      400,
      {
        ...json,
        server: inHeader(text),
        'cache-control': inHeader(text),
        'x-ratelimit-of': inHeader(text),
        'x-echo': inHeader(text),
      },
      '{}',
    ),
  'a response that differs from the API docs': (text) =>
    http(201, json, JSON.stringify({ ...paid, status: text, [text]: text, items: [{ [text]: text }] })),
  'a status line': (text) =>
    Buffer.from(`HTTP/1.1 400 ${inHeader(text)}\r\ncontent-length: 0\r\n\r\n`, 'latin1'),
  'bytes that are not HTTP': (text) => Buffer.from(`${text}\r\n\r\n`),
};

function everyText(value: unknown): string {
  return [
    inspect(value, { depth: 20, showHidden: true }),
    JSON.stringify(value) ?? '',
    String(value),
    (value as Error)?.stack ?? '',
  ].join('\n');
}

onBothEngines((engine) => {
  test.each(Object.entries(sinks))(
    'no error and no hook shows a secret that the response repeats in %s (row 63)',
    async (_, sink) => {
      let text = '';
      const server = opens(await rawServer(({ socket }) => socket.end(sink(text))));
      for (const [name, canary] of canaries) {
        text = canary;
        const events: unknown[] = [];
        const record = (event: unknown) => void events.push(event);
        const hooks = { onRequest: record, onResponse: record, onRetry: record, onDrift: record };
        const platform = opens(clientOn(engine, server.url, { maxRetries: 0, hooks }));
        const card = { ...openCard, card: { ...openCard.card, number: pan, cvv } };
        const result = await platform.payments.create(card).catch((error: PaymentPlatformError) => error);
        const shown = [...events, ...(result instanceof Error ? [result, result.cause] : [])]
          .map(everyText)
          .join('\n');
        for (const spelt of new Set([canary, inHeader(canary), JSON.stringify(canary).slice(1, -1)]))
          expect(shown.includes(spelt), `${name}: ${shown.slice(0, 3_000)}`).toBe(false);
        platform.close();
      }
    },
  );

  test('no message, request id or hook has control characters or direction marks', async () => {
    const nasty = 'a\u001b[2Jb\u202ec\u0007d\u2066e\u200bf\u0085g';
    const server = opens(
      await rawServer(({ socket }) =>
        socket.end(
          http(400, { ...json, 'x-request-id': 'id\u009b2J\u00ad' }, JSON.stringify({ message: nasty })),
        ),
      ),
    );
    const events: string[] = [];
    const platform = opens(
      clientOn(engine, server.url, {
        hooks: { onResponse: ({ requestId }) => events.push(requestId ?? '') },
      }),
    );
    const error = await catchError<PaymentPlatformError>(platform.payments.create(openCard));
    for (const text of [error.message, error.requestId ?? '', error.stack ?? '', ...events])
      expect(text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u);
    expect(error.message).toContain('The platform says: "');
  });
});

test('the code and the message of a network error are shown without a secret', async () => {
  const secret = credentials.clientSecret;
  const cause = Object.assign(new Error(`no route for ${secret}`), { code: `E_${secret}`, address: secret });
  const reasons: string[] = [];
  const platform = opens(
    clientOn('ky', 'https://platform.example', {
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
      hooks: { onRetry: ({ reason }) => reasons.push(reason) },
    }),
  );
  const error = await catchError<PaymentPlatformError>(platform.payments.create(openCard));
  expect(reasons).toHaveLength(2);
  for (const text of [everyText(error), everyText(error.cause), ...reasons])
    expect(text).not.toContain(secret);
});
