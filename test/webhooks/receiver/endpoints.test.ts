import {
  createReceiver,
  type DeliveryReport,
  memoryDedupe,
  type ReceiverOptions,
  sign,
  type WebhookEvent,
} from 'payment-platform/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { id, paid, secret } from './deliveries.js';

interface Shop {
  readonly shop: number;
}

const keys = new Map([
  ['/webhooks/shop-7', secret],
  ['/webhooks/shop-8', 'whsec_of_the_eighth_shop'],
  ['/webhooks?shop=7', secret],
  ['/webhooks?shop=8', 'whsec_of_the_eighth_shop'],
]);
const keyOf = (url: string) => keys.get(url) ?? 'whsec_of_nobody_at_all';

/** Presents a payload as a delivery that the endpoint's own secret has signed. */
const deliveredTo = (url: string, payload: object = paid, key = keyOf(url)) => {
  const body = JSON.stringify(payload);
  return { url, body, headers: sign({ body, secret: key }) };
};

const fails = () => {
  throw new Error('it failed');
};

/** Creates a receiver of two shops, and lists the deliveries that its handlers saw. */
const receiverOfShops = (options: Partial<ReceiverOptions<undefined, Shop>> = {}) => {
  const handled: [string | undefined, number][] = [];
  const reports: DeliveryReport<Shop>[] = [];
  const note = (_: WebhookEvent, { url, context }: { url: string | undefined; context: Shop }) =>
    void handled.push([url, context.shop]);
  const receiver = createReceiver<undefined, Shop>({
    secret: ({ url = '' }) => ({ secret: keys.get(url), context: { shop: Number(url.at(-1)) } }),
    dedupe: memoryDedupe(),
    on: { 'transaction.paid': note, 'transaction.refunded': note },
    onReceived: (report) => reports.push(report),
    ...options,
  });
  return { receiver, handled, reports };
};

describe.each([
  ['the path', '/webhooks/shop-7', '/webhooks/shop-8'],
  ['the query', '/webhooks?shop=7', '/webhooks?shop=8'],
])('a receiver for several shops, told apart by %s', (_, seven, eight) => {
  test('tells handlers, hooks, identity and onReceived which shop a delivery is for', async () => {
    const seen: unknown[] = [];
    const { receiver, handled, reports } = receiverOfShops({
      identity: (event, { url, context }) => {
        seen.push([url, context.shop]);
        return String(event.id);
      },
      onDuplicate: (_event, { url, context }) => seen.push(['duplicate', url, context.shop]),
    });
    await receiver.receive(deliveredTo(eight));
    await receiver.receive(deliveredTo(eight));
    expect(handled).toEqual([[eight, 8]]);
    expect(seen).toEqual([
      [eight, 8],
      [eight, 8],
      ['duplicate', eight, 8],
    ]);
    expect(reports.map(({ delivery: { url, context } }) => [url, context])).toEqual([
      [eight, { shop: 8 }],
      [eight, { shop: 8 }],
    ]);
  });

  test('handles the same event of each shop, so that no shop can swallow another’s', async () => {
    const { receiver, handled } = receiverOfShops();
    const outcomes: string[] = [];
    for (const url of [eight, seven, eight, seven])
      outcomes.push((await receiver.receive(deliveredTo(url))).outcome);
    expect(outcomes).toEqual(['handled', 'handled', 'duplicate', 'duplicate']);
    expect(handled).toEqual([
      [eight, 8],
      [seven, 7],
    ]);
  });

  test.each<[string, Partial<ReceiverOptions>, object]>([
    ['the default identity', {}, paid],
    ['the body as identity', {}, { event: 'transaction.paid', status: 'paid' }],
    ['the merchant’s own identity', { identity: (event: WebhookEvent) => String(event.id) }, paid],
    ["changed: 'deliver'", { changed: 'deliver' }, paid],
  ])('does so with %s, and also if `secret` returns no context', async (_what, options, payload) => {
    const outcomes: string[] = [];
    const receiver = createReceiver({
      secret: ({ url = '' }) => keys.get(url),
      dedupe: memoryDedupe(),
      on: { 'transaction.paid': () => {} },
      ...options,
    });
    for (const url of [eight, seven, seven]) {
      outcomes.push((await receiver.receive(deliveredTo(url, payload))).outcome);
      if (options.changed) await receiver.receive(deliveredTo(url, { ...payload, amount: 5 }));
    }
    expect(outcomes).toEqual(['handled', 'handled', 'duplicate']);
  });

  test('orders notifications of each shop on its own', async () => {
    const { receiver } = receiverOfShops({ order: 'forward-only' });
    const refunded = { event: 'transaction.refunded', id, status: 'refunded' };
    expect(await receiver.receive(deliveredTo(eight, refunded))).toMatchObject({ outcome: 'handled' });
    expect(await receiver.receive(deliveredTo(seven))).toMatchObject({ outcome: 'handled' });
    expect(await receiver.receive(deliveredTo(eight))).toMatchObject({ outcome: 'outdated' });
  });

  test('rejects a delivery that another shop has signed, without its context', async () => {
    const { receiver, reports } = receiverOfShops({ onRejected: () => {} });
    const forged = deliveredTo(seven, paid, keyOf(eight));
    expect(await receiver.receive(forged)).toMatchObject({ status: 400 });
    expect(reports[0]?.delivery.context).toBeUndefined();
  });

  test('passes the url of a rejected delivery to onRejected', async () => {
    const onRejected = vi.fn();
    const { receiver } = receiverOfShops({ onRejected });
    await receiver.receive(deliveredTo(seven, paid, keyOf(eight)));
    expect(onRejected.mock.lastCall?.[2]).toMatchObject({ url: seven });
  });

  test.each<[string, Partial<ReceiverOptions<undefined, Shop>>]>([
    ['handler', { on: { 'transaction.paid': fails } }],
    ['handler', { on: { 'transaction.paid': fails }, dedupe: false }],
    ['identity', { identity: fails }],
    ['dedupe', { dedupe: Object.assign(memoryDedupe(), { claim: fails }) }],
    ['hook', { onReceived: fails }],
    ['hook', { onUnhandled: () => {}, on: {}, onReceived: fails }],
  ])('tells onError which shop a delivery is for if its %s fails', async (during, options) => {
    const onError = vi.fn();
    const { receiver } = receiverOfShops({ onError, ...options });
    await receiver.receive(deliveredTo(eight));
    expect(onError.mock.lastCall?.[1]).toMatchObject({ during, url: eight, context: { shop: 8 } });
  });

  test('tells onRejected which shop’s secret did not sign a delivery, but not before the secret is known', async () => {
    const onRejected = vi.fn();
    const { receiver } = receiverOfShops({ onRejected });
    await receiver.receive(deliveredTo(seven, paid, keyOf(eight)));
    expect(onRejected.mock.lastCall?.[2].context).toEqual({ shop: 7 });
    await receiver.receive({ ...deliveredTo(seven), headers: {} });
    expect(onRejected.mock.lastCall?.[2].context).toBeUndefined();
  });

  test('recognises a notification again after the shop’s secret was rotated', async () => {
    const next = 'whsec_the_next_secret';
    for (const context of [undefined, { shop: 7 }]) {
      let now: string | string[] = keyOf(seven);
      const receiver = createReceiver<undefined, unknown>({
        secret: () => (context === undefined ? now : { secret: now, context }),
        dedupe: memoryDedupe(),
        on: { 'transaction.paid': () => {} },
      });
      const outcomes = [(await receiver.receive(deliveredTo(seven))).outcome];
      for (const rotated of [[next, keyOf(seven)], next]) {
        now = rotated;
        outcomes.push((await receiver.receive(deliveredTo(seven, paid, next))).outcome);
      }
      expect(outcomes).toEqual(['handled', 'duplicate', 'duplicate']);
    }
  });
});

test('a context identifies the endpoint whatever the order of its properties and the url', async () => {
  const contexts = [
    { shop: 7, region: 'sul' },
    { region: 'sul', shop: 7 },
  ];
  const receiver = createReceiver({
    secret: () => ({ secret, context: contexts.shift() }),
    dedupe: memoryDedupe(),
    on: { 'transaction.paid': () => {} },
  });
  const outcomes = [];
  for (const url of ['/webhooks/shop-7', '/webhooks/shop-7?attempt=2'])
    outcomes.push((await receiver.receive(deliveredTo(url, paid, secret))).outcome);
  expect(outcomes).toEqual(['handled', 'duplicate']);
});

test.each(['Infinity Pizza', 'Academia Infinity'])('a shop can be called %s', async (shop) => {
  const receiver = createReceiver({
    secret: () => ({ secret, context: { shop } }),
    dedupe: memoryDedupe(),
    onUnhandled() {},
  });
  expect((await receiver.receive(deliveredTo('/', paid, secret))).outcome).toBe('unhandled');
});

describe('a context that cannot identify an endpoint', () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  test.each([
    ['is empty', {}, /must be JSON that names the endpoint/],
    ['is a Map', new Map([['shop', 7]]), /must be JSON that names the endpoint/],
    ['lacks the shop', { type: 'shop', shop: undefined }, /without missing values/],
    ['has null instead of the shop', { type: 'shop', shop: null }, /without missing values/],
    ['has an empty string as the shop', { shop: '' }, /without missing values/],
    ['has an empty object as the shop', { shop: {} }, /without missing values/],
    ['is built from a missing value', { shop: 'shop-undefined' }, /without missing values/],
    ['is the string of a missing value', { shop: 'Infinity' }, /without missing values/],
    ['ends with a missing value', { shop: 'shop-null' }, /without missing values/],
    ['is built from a missing number', { shop: 'shop-NaN' }, /without missing values/],
    ['is a name with a missing value', { shop: 'Infinity Pizza undefined' }, /without missing values/],
    ['is built from an infinite number', { shop: 'shop-Infinity' }, /without missing values/],
    ['is built from an invalid date', { shop: 'shop Invalid Date' }, /without missing values/],
    ['is null', null, /must be JSON that names the endpoint/],
    ['is a function', () => 7, /must be JSON that names the endpoint/],
    [
      'contains an instance of a class',
      { shop: new URL('https://shop.example') },
      /without .* class instances/,
    ],
    ['contains a Map', { shop: new Map([['id', 7]]) }, /without .* class instances/],
    ['contains a date', { shop: 7, createdAt: new Date(0) }, /without .* dates/],
    ['contains a number without JSON', { shop: Number.NaN }, /must be JSON that names the endpoint/],
    ['refers to itself', circular, /must be JSON that names the endpoint/],
    ['contains the secret', { shop: 7, key: secret }, /must not contain the secret/],
  ])('causes a 503, and onError says why, if it %s', async (_, context, message) => {
    const onError = vi.fn();
    const receiver = createReceiver({
      secret: () => ({ secret, context: context as never }),
      on: { 'transaction.paid': () => expect.unreachable() },
      onError,
    });
    expect(await receiver.receive(deliveredTo('/', paid, secret))).toMatchObject({ status: 503 });
    expect(onError.mock.lastCall?.[0].message).toMatch(message);
    expect(onError.mock.lastCall?.[0].message).not.toContain(secret);
    expect(onError.mock.lastCall?.[1]).toEqual({ during: 'secret', url: '/' });
  });
});

test.each([
  ['a URL object', { url: new URL('https://shop.example/webhooks?a=1') }, '/webhooks?a=1'],
  ['undefined', undefined, undefined],
])('receive never rejects, and reports the path, if the delivery has %s', async (_, given, url) => {
  const onReceived = vi.fn();
  const receiver = createReceiver({
    secret: 'whsec_0123456789abcdef',
    dedupe: memoryDedupe(),
    onUnhandled: () => undefined,
    onRejected: () => undefined,
    onError: () => undefined,
    onReceived,
  });
  const delivery = given && { ...given, body: '{}', headers: {} };
  expect((await receiver.receive(delivery as never)).status).toBeGreaterThanOrEqual(400);
  expect(onReceived.mock.calls[0]?.[0].delivery.url).toBe(url);
});
