import * as api from '@opentelemetry/api';
import { createReceiver, memoryDedupe, openTelemetry, type ReceiverOptions } from 'payment-platform/webhooks';
import { expect, test } from 'vitest';
import { secret } from './deliveries.js';

const wrong: [string, unknown, RegExp][] = [
  ['undefined', undefined, /must be an object with secret/],
  ['no secret', {}, /secret is missing\. Pass the endpoint's hmac_secret/],
  [
    'an empty secret, such as an unset variable (row 42)',
    { secret: '' },
    /secret is missing.*PAYMENT_PLATFORM_WEBHOOK_SECRET/,
  ],
  ['an empty list of secrets (row 42)', { secret: [] }, /secret must be/],
  ['a secret that is too short', { secret: [secret, 'short'] }, /secret must be/],
  ['an unknown option', { secret, dedup: false }, /dedup is an unknown option\. Did you mean dedupe\?/],
  [
    'a misspelt event',
    { secret, on: { 'transaction.payed': () => {} } },
    /on\.transaction\.payed is an unknown event\. Known: transaction\.waiting_payment, /,
  ],
  [
    'a handler that is not a function',
    { secret, on: { 'transaction.paid': 1 } },
    /on\.transaction\.paid must be a function/,
  ],
  [
    'an undefined handler, such as a misspelt method',
    { secret, on: { 'transaction.paid': undefined } },
    /on\.transaction\.paid must be a function. Leave the event out if you do not handle it/,
  ],
  [
    'a tolerance in milliseconds',
    { secret, tolerance: 300_000 },
    /tolerance must be a number of seconds from 0/,
  ],
  [
    'a keepFor in seconds',
    { secret, keepFor: 604_800 },
    /keepFor is in milliseconds, and must be at least 3600000/,
  ],
  [
    'an event name without its prefix',
    { secret, on: { paid() {} } },
    /on\.paid is an unknown event\. Did you mean transaction\.paid\?/,
  ],
  [
    'a misspelt method of a class',
    {
      secret,
      on: new (class {
        'transaction.payd'() {}
      })(),
    },
    /on\.transaction\.payd is an unknown event/,
  ],
  [
    'a misspelt event whose handler is not a function',
    { secret, on: { 'transaction.payd': [] } },
    /on\.transaction\.payd is/,
  ],
  ['a promise of secrets', { secret: Promise.resolve(secret) }, /secret is a Promise. Await it first/],
  ['a promise of a store', { secret, dedupe: Promise.resolve() }, /dedupe is a Promise. Await it first/],
  [
    'a store that is a boolean',
    { secret, dedupe: true },
    /dedupe must be a store, such as redisDedupe\(client\)/,
  ],
  ['a store without release', { secret, dedupe: { claim() {}, complete() {} } }, /dedupe must be/],
  ['a clock that returns no time', { secret, now: () => 'noon' }, /now must be a function/],
  [
    'a time limit longer than a timer allows',
    { secret, handlerTimeout: 2 ** 31 },
    /handlerTimeout must be milliseconds/,
  ],
  ['a time limit of 0', { secret, handlerTimeout: 0 }, /handlerTimeout must be/],
  ['a lease of 0', { secret, lease: 0 }, /lease must be/],
  ['a maxBody of 0', { secret, maxBody: 0 }, /maxBody must be bytes/],
  ['an unknown value of statusUpdated', { secret, statusUpdated: 'both' }, /must be 'ignore' or 'deliver'/],
  ["acknowledge: 'first' without enqueue", { secret, acknowledge: 'first' }, /enqueue is required/],
  ["enqueue without acknowledge: 'first'", { secret, enqueue() {} }, /enqueue is for acknowledge/],
  [
    'handlers together with enqueue',
    { secret, acknowledge: 'first', enqueue() {}, on: {} },
    /on and onUnhandled have no effect/,
  ],
  [
    'an order without a store',
    { secret, dedupe: false, order: 'forward-only' },
    /order needs a dedupe store/,
  ],
  [
    'an order with a store that has no advance',
    { secret, dedupe: { claim() {}, complete() {}, release() {} }, order: 'forward-only' },
    /order needs a dedupe store that has `advance`/,
  ],
];

test.each(wrong)('createReceiver rejects %s', (_, options, message) => {
  expect(() => createReceiver(options as never)).toThrow(message);
  expect(() => createReceiver(options as never)).toThrow(
    expect.objectContaining({ name: 'ConfigurationError' }),
  );
});

test('createReceiver names every invalid option in one error, without a secret', () => {
  const options = { secret: 'short-secret', maxBody: 0, keepFor: -1 } as never;
  expect(() => createReceiver(options)).toThrow(/secret .*\n- keepFor .*\n- maxBody /);
  expect(() => createReceiver(options)).not.toThrow(/short-secret/);
});

test('createReceiver accepts every option, and undefined for every option except the secret', () => {
  const nothing = () => {};
  const all: Required<Omit<ReceiverOptions, 'enqueue'>> = {
    secret,
    on: { 'transaction.paid': nothing },
    dedupe: memoryDedupe({ maxEntries: 10 }),
    keepFor: 12_000,
    lease: 1,
    onUnhandled: nothing,
    onDuplicate: nothing,
    onChanged: nothing,
    changed: 'ignore',
    onOutdated: nothing,
    onRejected: nothing,
    onError: nothing,
    statusUpdated: 'deliver',
    order: 'forward-only',
    acknowledge: 'handled',
    handlerTimeout: 1,
    maxBody: 1,
    identity: () => 'id',
    tolerance: 1,
    timestamp: Number,
    now: () => new Date(),
    headerNames: {},
    fieldNames: {},
    decodeSignature: () => undefined,
    onReceived: nothing,
    telemetry: openTelemetry(api),
    concurrency: 1,
  };
  expect(() => createReceiver(all)).not.toThrow();
  expect(() => createReceiver({ secret, acknowledge: 'first', enqueue: nothing })).not.toThrow();
  for (const name of [...Object.keys(all), 'enqueue'].filter((name) => name !== 'secret'))
    expect(() => createReceiver({ secret, [name]: undefined }), name).not.toThrow();
});
