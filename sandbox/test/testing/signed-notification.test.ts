import { expect, test } from 'vitest';
import { transactionEvents } from '../../../src/contract/events.js';
import { createReceiver, verify } from '../../../src/webhooks/index.js';
import { type NotificationOptions, signedNotification } from '../../testing/index.js';

const secret = 'a-secret-of-the-merchant';

test.each(transactionEvents)(
  'a receiver accepts a signedNotification for %s, as a delivery and as a Request',
  async (event) => {
    const handled: unknown[] = [];
    const receiver = createReceiver({
      secret,
      statusUpdated: 'deliver',
      on: { [event]: (value: { event: string }) => void handled.push(value.event) },
    });
    const { body, headers, toRequest } = signedNotification(event, { secret });
    expect((await receiver.receive({ body, headers })).outcome).toBe('handled');
    expect((await receiver.fetch(toRequest())).status).toBe(200);
    expect((await receiver.fetch(signedNotification(event, { secret }).toRequest())).status).toBe(200);
    expect(handled).toEqual([event, event]);
  },
);

test('a signedNotification has the status of its event', () => {
  const status = (event: (typeof transactionEvents)[number]) =>
    JSON.parse(signedNotification(event).body).status;
  expect(status('transaction.chargedback')).toBe('chargedback');
  expect(status('transaction.status.updated')).toBe('paid');
});

test.each(['seconds', 'milliseconds', 'iso'] as const)(
  'a signedNotification with a timestamp in %s passes verify, in hex and in base64',
  (timestamp) => {
    const now = new Date('2026-03-01T12:00:00Z');
    for (const encoding of ['hex', 'base64'] as const) {
      const delivery = signedNotification('transaction.paid', { secret, now, encoding, timestamp });
      expect(verify(delivery, { secret, now: () => now }).event).toBe('transaction.paid');
    }
  },
);

test('a receiver rejects a signedNotification with an old timestamp', () => {
  const delivery = signedNotification('transaction.paid', { secret, now: Date.now() - 301_000 });
  expect(() => verify(delivery, { secret })).toThrow(
    expect.objectContaining({ reason: 'timestamp-too-old' }),
  );
});

test('signedNotification leaves the caller’s payload unchanged, even with an undocumented event', () => {
  const payload = { event: 'payout.paid', id: 1 };
  expect(JSON.parse(signedNotification(payload, { secret }).body)).toEqual(payload);
});

test('signedNotification signs nothing without a secret, and can add or replace headers', () => {
  const { headers, toRequest } = signedNotification('transaction.paid', {
    headers: { 'User-Agent': 'other', 'x-more': '1' },
    url: 'https://merchant.example/hooks?a=1',
  });
  expect(headers).toEqual({ 'content-type': 'application/json', 'user-agent': 'other', 'x-more': '1' });
  expect(toRequest().url).toBe('https://merchant.example/hooks?a=1');
  expect(toRequest().headers.get('x-more')).toBe('1');
});

test.each<[string, unknown, unknown]>([
  ['samples.notification: the event must be one of ', 'transaction.payed', {}],
  ['signedNotification: the notification must be one of ', { id: 1 }, {}],
  [
    'signedNotification: secrets is an unknown option. Did you mean secret?',
    'transaction.paid',
    { secrets: 1 },
  ],
  ['signedNotification: now must be a Date or milliseconds since 1970', 'transaction.paid', { now: 'noon' }],
  ['signedNotification: url must be a URL', 'transaction.paid', { url: '/hooks' }],
  ["signedNotification: timestamp must be 'seconds', ", 'transaction.paid', { timestamp: 'minutes' }],
])('signedNotification rejects wrong arguments: %s', (message, notification, options) => {
  const make = () => signedNotification(notification as 'transaction.paid', options as NotificationOptions);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});

test('no error of signedNotification contains the secret', () => {
  const make = () =>
    signedNotification('transaction.paid', { secret: [secret] } as unknown as NotificationOptions);
  expect(make).toThrow('signedNotification: secret must be a string');
  expect(make).not.toThrow(secret);
});
