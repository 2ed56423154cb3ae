import { inspect } from 'node:util';
import {
  createReceiver,
  type IncomingDelivery,
  memoryDedupe,
  type ReceivedDelivery,
  sign,
  type WebhookVerificationError,
} from 'payment-platform/webhooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { deferred, delivered, id, paid, receiverWith, secret } from './deliveries.js';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('an authentic delivery', () => {
  test('goes to the handler of its event', async () => {
    const handler = vi.fn();
    const { receiver } = receiverWith({ on: { 'transaction.paid': handler } });
    expect(await receiver.receive(delivered())).toEqual({ status: 200, outcome: 'handled', event: paid });
    const [event, delivery] = handler.mock.calls[0] as [typeof paid, ReceivedDelivery];
    expect(event).toEqual(paid);
    expect(delivery).toMatchObject({ body: JSON.stringify(paid), secretIndex: 0, transaction: undefined });
    expect(delivery.id).toBe(JSON.stringify(['transaction.paid', id, 'paid']));
    expect(delivery.signal.aborted).toBe(false);
  });

  test('goes to a handler that is a method of a class instance, with the right `this`', async () => {
    class Handlers {
      readonly seen: unknown[] = [];
      readonly log = () => {};
      async 'transaction.paid'(event: unknown) {
        this.seen.push(event);
      }
    }
    const on = new Handlers();
    const { receiver } = receiverWith({ on });
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'handled' });
    expect(on.seen).toEqual([paid]);
  });

  test('without a handler is acknowledged, and a later receiver with a handler still handles it', async () => {
    const dedupe = memoryDedupe();
    const { receiver } = receiverWith({ dedupe });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 200, outcome: 'unhandled' });
    const handler = vi.fn();
    const later = receiverWith({ dedupe, on: { 'transaction.paid': handler } });
    expect(await later.receiver.receive(delivered())).toMatchObject({ outcome: 'handled' });
  });

  test.each(['constructor', '__proto__', 'toString', 'a.new.event'])(
    'goes to onUnhandled only once if its event has the unknown name %s',
    async (event) => {
      const onUnhandled = vi.fn();
      const { receiver } = receiverWith({ on: { 'transaction.paid': vi.fn() }, onUnhandled });
      for (const outcome of ['unhandled', 'duplicate'])
        expect(await receiver.receive(delivered({ event, id }))).toMatchObject({ status: 200, outcome });
      expect(onUnhandled).toHaveBeenCalledOnce();
    },
  );

  test('gets a 500 if onUnhandled rejects, so that the platform sends it again', async () => {
    const onUnhandled = vi.fn().mockRejectedValueOnce(new Error('the database is away'));
    const { receiver, onError } = receiverWith({ onUnhandled });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 500, outcome: 'failed' });
    expect(onError).toHaveBeenCalledWith(expect.any(Error), { during: 'handler', event: paid });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 200, outcome: 'unhandled' });
  });

  test('has the SDK’s field names if fieldNames is set', async () => {
    const { receiver } = receiverWith({ fieldNames: { 'payment.refusalReason': 'motivo' } });
    const { event } = await receiver.receive(delivered({ event: 'transaction.refused', motivo: 'funds' }));
    expect(event).toEqual({ event: 'transaction.refused', refusalReason: 'funds' });
  });

  test('is verified with the options now, tolerance and headerNames', async () => {
    let now = new Date('2026-01-01T00:00:00Z');
    const { receiver } = receiverWith({
      now: () => now,
      tolerance: 10,
      headerNames: { timestamp: 'X-Time', signature: 'X-Sign' },
    });
    const body = JSON.stringify(paid);
    const signed = sign({ body, secret, timestamp: now.getTime() / 1000 });
    const headers = { 'x-time': signed['x-service-timestamp'], 'x-sign': signed['x-service-signature'] };
    expect(await receiver.receive({ body, headers })).toMatchObject({ status: 200 });
    now = new Date('2026-01-01T00:00:11Z');
    expect(await receiver.receive({ body, headers })).toMatchObject({
      status: 400,
      reason: 'timestamp-too-old',
    });
  });
});

test('a receiver returns a 500 if its function `now` does not return a time', async () => {
  let time: number | undefined = Date.now();
  const { receiver, onError } = receiverWith({ now: () => time as number });
  expect(await receiver.receive(delivered())).toMatchObject({ status: 200 });
  time = undefined;
  expect(await receiver.receive(delivered())).toMatchObject({ status: 500, outcome: 'failed' });
  expect(onError.mock.calls[0]?.[0].message).toBe(
    'The function `now` returned no time. Return a Date or milliseconds.',
  );
});

describe('a rejected delivery', () => {
  const good = delivered();
  const rejections: [string, IncomingDelivery, number, string][] = [
    ['forged', delivered(paid, 'whsec_of_somebody_else'), 400, 'signature-mismatch'],
    ['without a signature', { ...good, headers: {} }, 400, 'missing-timestamp'],
    ['changed', { ...good, body: good.body.replace('1990', '1991') }, 400, 'signature-mismatch'],
    ['serialised again', { ...good, body: JSON.stringify(paid, null, 1) }, 400, 'signature-mismatch'],
    ['signed, but not JSON', delivered('paid'), 400, 'malformed-payload'],
    ['signed, but without an event', delivered({ id }), 400, 'missing-event'],
    ['too long', delivered(JSON.stringify({ ...paid, pad: 'x'.repeat(1000) })), 413, 'body-too-large'],
    ['empty', { ...good, body: '' }, 400, 'signature-mismatch'],
  ];

  test.each(rejections)(
    'causes a call to onRejected and to no handler: %s',
    async (_, delivery, status, reason) => {
      const onRejected = vi.fn();
      const handler = vi.fn();
      const { receiver, onError } = receiverWith({
        onRejected,
        maxBody: 1000,
        on: { 'transaction.paid': handler },
      });
      expect(await receiver.receive(delivery)).toMatchObject({ status, reason });
      const [error, headers] = onRejected.mock.calls[0] as [WebhookVerificationError, unknown];
      expect(error).toMatchObject({ name: 'WebhookVerificationError', reason });
      expect(headers).toBe(delivery.headers);
      expect(handler).not.toHaveBeenCalled();
      expect(onError).not.toHaveBeenCalled();
    },
  );

  test('gets a 500 if its body is a Promise, and onError says so', async () => {
    const { receiver, onError } = receiverWith();
    const { body, headers } = delivered();
    expect(await receiver.receive({ body: Promise.resolve(body) as never, headers })).toMatchObject({
      status: 500,
    });
    expect(onError.mock.calls[0]?.[0].message).toBe('The body is a Promise. Await it first.');
  });

  test('gets a 500 if its body was already parsed, and onError says how to avoid that', async () => {
    const onRejected = vi.fn();
    const { receiver, onError } = receiverWith({ onRejected });
    const { headers } = delivered();
    expect(await receiver.receive({ body: paid as never, headers })).toMatchObject({
      status: 500,
      outcome: 'failed',
      reason: 'body-already-parsed',
    });
    expect(onError.mock.calls[0]?.[0].message).toContain('above app.use(express.json())');
    expect(onRejected).not.toHaveBeenCalled();
  });

  test.each([
    undefined,
    null,
    1,
    {},
    { body: 1 },
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    ),
  ])('gets a 400 or a 500 if it has a wrong type, and the receiver does not throw: %#', async (nonsense) => {
    const { receiver } = receiverWith();
    const { status } = await receiver.receive(nonsense as never);
    expect([400, 500]).toContain(status);
  });
});

describe('a delivery’s body stream', () => {
  const parts = ['{"event":"transaction.paid","note":"caf', '\u00e9 \u{1f375}"}'];
  const bytes = new TextEncoder().encode(parts.join(''));

  /** Yields one byte at a time, so that every multi-byte character is split. */
  async function* byByte() {
    for (const byte of bytes) yield Uint8Array.of(byte);
  }

  test('can be split at any byte', async () => {
    const { headers } = delivered(parts.join(''));
    const { receiver } = receiverWith();
    expect(await receiver.receive({ body: byByte(), headers })).toMatchObject({
      status: 200,
      event: { note: 'caf\u00e9 \u{1f375}' },
    });
    const stream = new Response(bytes).body as ReadableStream<Uint8Array>;
    expect(await receiver.receive({ body: stream, headers })).toMatchObject({ status: 200 });
  });

  test('is cancelled as soon as it exceeds maxBody', async () => {
    let sent = 0;
    const ended = vi.fn();
    async function* endless() {
      try {
        for (;;) {
          sent += 100;
          yield new Uint8Array(100);
        }
      } finally {
        ended();
      }
    }
    const { receiver } = receiverWith({ maxBody: 1000 });
    const { headers } = delivered();
    expect(await receiver.receive({ body: endless(), headers })).toMatchObject({
      status: 413,
      outcome: 'too-large',
    });
    expect(sent).toBe(1100);
    expect(ended).toHaveBeenCalledOnce();
  });

  test.each([
    ['not signed', {}],
    ['old', sign({ body: '{}', secret, timestamp: 1_000_000_000 })],
  ])('is not read if the delivery is %s (row 68)', async (_, headers) => {
    const body = { [Symbol.asyncIterator]: vi.fn() };
    expect(await receiverWith().receiver.receive({ body, headers })).toMatchObject({ status: 400 });
    expect(body[Symbol.asyncIterator]).not.toHaveBeenCalled();
  });

  test('is read although 64 stalled bodies fill the memory, and the oldest one gets a 503 (row 68)', async () => {
    const { headers } = delivered(parts.join(''));
    const { receiver, onError } = receiverWith({ maxBody: 100 });
    const outcomes: string[] = [];
    const stalls = Array.from({ length: 64 }, () => deferred());
    const stalled = stalls.map(async ({ promise }) => {
      async function* body() {
        yield new Uint8Array(100);
        await promise;
      }
      outcomes.push((await receiver.receive({ body: body(), headers })).outcome);
    });
    await Promise.resolve();
    expect(await receiver.receive({ body: byByte(), headers })).toMatchObject({ status: 200 });
    expect(outcomes).toEqual(['unavailable']);
    expect(onError.mock.calls[0]?.[0].message).toContain('64 times maxBody');
    async function* large() {
      yield new Uint8Array(100);
    }
    for (let time = 0; time < 3; time++)
      expect(await receiver.receive({ body: large(), headers })).toMatchObject({ outcome: 'rejected' });
    expect(outcomes).toEqual(['unavailable']);
    async function* another() {
      yield new Uint8Array(100);
      await Promise.all(stalls.map(({ promise }) => promise));
    }
    const last = [
      receiver.receive({ body: another(), headers }),
      receiver.receive({ body: another(), headers }),
    ];
    await Promise.resolve();
    expect(await receiver.receive({ body: byByte(), headers })).toMatchObject({ status: 200 });
    expect(outcomes).toEqual(['unavailable', 'unavailable', 'unavailable']);
    expect(onError).toHaveBeenCalledOnce();
    for (const { resolve } of stalls) resolve();
    await Promise.all([...stalled, ...last]);
    expect(outcomes.filter((outcome) => outcome === 'unavailable')).toHaveLength(3);
  });

  test('gets a 503 if it is the oldest stream and exceeds the memory that is left (row 68)', async () => {
    const { headers } = delivered();
    const { receiver } = receiverWith({ maxBody: 100 });
    const end = deferred();
    const grow = deferred();
    async function* oldest() {
      yield new Uint8Array(50);
      await grow.promise;
      yield new Uint8Array(50);
      await end.promise;
    }
    async function* stalled(bytes: number) {
      yield new Uint8Array(bytes);
      await end.promise;
    }
    const first = receiver.receive({ body: oldest(), headers });
    const others = [50, ...Array.from({ length: 63 }, () => 100)].map((bytes) =>
      receiver.receive({ body: stalled(bytes), headers }),
    );
    await Promise.resolve();
    grow.resolve();
    expect(await first).toMatchObject({ status: 503, outcome: 'unavailable' });
    end.resolve();
    for (const { outcome } of await Promise.all(others)) expect(outcome).toBe('rejected');
  });

  test('frees its memory even if its chunks are transferred or reused (row 68)', async () => {
    const { receiver } = receiverWith({ maxBody: 1000 });
    const text = JSON.stringify({ ...paid, note: 'x'.repeat(700) });
    const { headers } = delivered(text);
    async function* detached() {
      const chunk = new Uint8Array(100);
      yield chunk;
      structuredClone(chunk.buffer, { transfer: [chunk.buffer] });
      yield new Uint8Array(800);
    }
    for (let time = 0; time < 100; time++) await receiver.receive({ body: detached(), headers });
    const all = new TextEncoder().encode(text);
    async function* reused() {
      const chunk = new Uint8Array(100);
      for (let at = 0; at < all.length; at += 100) {
        const part = all.subarray(at, at + 100);
        chunk.set(part);
        yield chunk.subarray(0, part.length);
      }
    }
    expect(await receiver.receive({ body: reused(), headers })).toMatchObject({ status: 200 });
  });

  test('is not read if its Content-Length is too large', async () => {
    const body = { [Symbol.asyncIterator]: vi.fn() };
    const { receiver } = receiverWith({ maxBody: 1000 });
    const headers = { ...delivered().headers, 'Content-Length': '1001' };
    expect(await receiver.receive({ body, headers })).toMatchObject({ status: 413 });
    expect(body[Symbol.asyncIterator]).not.toHaveBeenCalled();
  });

  test('causes a 408 at the time limit if it stalls, and is cancelled a second later', async () => {
    vi.useFakeTimers();
    const cancel = vi.fn();
    const body = new ReadableStream<Uint8Array>({ start: (c) => c.enqueue(bytes.subarray(0, 5)), cancel });
    const { receiver } = receiverWith();
    const received = receiver.receive({ body, headers: delivered().headers });
    await vi.advanceTimersByTimeAsync(25_000);
    expect(await received).toMatchObject({ status: 408, outcome: 'incomplete', reason: 'body-incomplete' });
    await vi.advanceTimersByTimeAsync(999);
    expect(cancel).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(cancel).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('causes a 408 if it fails', async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (c) => c.error(new Error('reset')) });
    const { receiver } = receiverWith();
    expect(await receiver.receive({ body, headers: delivered().headers })).toMatchObject({ status: 408 });
  });
});

describe('receiver.fetch', () => {
  const url = 'https://shop.example/webhooks';
  const request = (delivery = delivered(), more: RequestInit = {}) =>
    new Request(url, { method: 'POST', ...delivery, ...more });

  test('returns a Response, even if it is called as a plain function', async () => {
    const handler = vi.fn();
    const { fetch } = receiverWith({ on: { 'transaction.paid': handler } }).receiver;
    const response = await fetch(request());
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(handler).toHaveBeenCalledOnce();
  });

  test('does not tell the sender why a delivery was rejected', async () => {
    const { receiver } = receiverWith();
    const response = await receiver.fetch(request(delivered(paid, 'whsec_of_somebody_else')));
    expect([response.status, await response.text(), [...response.headers]]).toEqual([400, '', []]);
  });

  test.each(['GET', 'PUT', 'HEAD'])('rejects %s with a 405', async (method) => {
    const response = await receiverWith().receiver.fetch(new Request(url, { method }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test.each([
    ['nothing', undefined],
    ['the context of Hono', { req: { raw: request() } }],
    ['the request of node:http', { method: 'POST', headers: {}, rawHeaders: [] }],
  ])('returns a 500 for %s instead of a Request, and the error says how to pass one', async (_, wrong) => {
    const { receiver, onError } = receiverWith();
    expect((await receiver.fetch(wrong as never)).status).toBe(500);
    expect(onError.mock.calls[0]?.[0].message).toBe(
      'receiver.fetch takes a Request, such as context.req.raw in Hono. In node:http, use toNodeHandler.',
    );
  });

  test('returns a 500 for a Request whose body was already read, and calls onError', async () => {
    const { receiver, onError } = receiverWith();
    const read = request();
    await read.json();
    expect((await receiver.fetch(read)).status).toBe(500);
    expect(onError.mock.calls[0]?.[0].message).toContain('request.json()');
    const locked = request();
    locked.body?.getReader();
    expect((await receiver.fetch(locked)).status).toBe(500);
  });

  test('passes a promise to waitUntil if the handler runs longer than the response', async () => {
    vi.useFakeTimers();
    const work = deferred();
    const { receiver } = receiverWith({ on: { 'transaction.paid': () => work.promise } });
    const waitUntil = vi.fn();
    const response = receiver.fetch(request(), { waitUntil });
    await vi.advanceTimersByTimeAsync(25_000);
    expect((await response).status).toBe(503);
    work.resolve();
    await waitUntil.mock.calls[0]?.[0];
    expect((await receiver.fetch(request())).status).toBe(200);
  });
});

describe('the event transaction.status.updated', () => {
  const twin = { ...paid, event: 'transaction.status.updated' };

  test('is acknowledged but not handled if the receiver has a handler for the specific event (row 39)', async () => {
    const handler = vi.fn();
    const onUnhandled = vi.fn();
    const { receiver } = receiverWith({ on: { 'transaction.paid': handler }, onUnhandled });
    await receiver.receive(delivered());
    expect(await receiver.receive(delivered(twin))).toMatchObject({ status: 200, outcome: 'ignored' });
    expect(handler).toHaveBeenCalledOnce();
    expect(onUnhandled).not.toHaveBeenCalled();
  });

  test('goes to its own handler if the specific event has no handler (row 39)', async () => {
    const generic = vi.fn();
    const specific = vi.fn();
    const { receiver } = receiverWith({
      on: { 'transaction.status.updated': generic, 'transaction.paid': specific },
    });
    expect(await receiver.receive(delivered(twin))).toMatchObject({ outcome: 'ignored' });
    expect(await receiver.receive(delivered({ ...twin, status: 'refused' }))).toMatchObject({
      outcome: 'handled',
    });
    expect(await receiver.receive(delivered({ event: twin.event, id: 'other' }))).toMatchObject({
      outcome: 'handled',
    });
    expect([generic.mock.calls.length, specific.mock.calls.length]).toEqual([2, 0]);
  });

  test('reaches onUnhandled if the API has no specific event for its status', async () => {
    const news = delivered({ ...twin, status: 'partially_refunded' });
    const onUnhandled = vi.fn();
    const { receiver } = receiverWith({ on: { 'transaction.paid': vi.fn() }, onUnhandled });
    expect(await receiver.receive(news)).toMatchObject({ outcome: 'unhandled' });
    expect(onUnhandled).toHaveBeenCalledOnce();
    const enqueue = vi.fn();
    const queued = receiverWith({ acknowledge: 'first', enqueue });
    expect(await queued.receiver.receive(news)).toMatchObject({ outcome: 'enqueued' });
  });

  test("is handled like every other event if the option statusUpdated is 'deliver'", async () => {
    const generic = vi.fn();
    const { receiver } = receiverWith({
      statusUpdated: 'deliver',
      on: { 'transaction.status.updated': generic, 'transaction.paid': vi.fn() },
    });
    expect(await receiver.receive(delivered(twin))).toMatchObject({ outcome: 'handled' });
  });
});

describe("a receiver with acknowledge: 'first'", () => {
  test('returns a 202 when enqueue has accepted an event, and a 200 for its repetition', async () => {
    const enqueue = vi.fn().mockRejectedValueOnce(new Error('the queue is away'));
    const { receiver } = receiverWith({ acknowledge: 'first', enqueue });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 500 });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 202, outcome: 'enqueued' });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 200, outcome: 'duplicate' });
    expect(await receiver.receive(delivered({ ...paid, event: 'transaction.status.updated' }))).toMatchObject(
      {
        outcome: 'ignored',
      },
    );
    expect(await receiver.receive(delivered({ event: 'a.new.event', id }))).toMatchObject({ status: 202 });
    expect(enqueue.mock.calls.at(-1)?.[1].id).toContain('a.new.event');
  });
});

describe('a receiver’s hook', () => {
  const hostile = [
    [
      'throws',
      () => {
        throw new Error('hook');
      },
    ],
    ['rejects', () => Promise.reject(new Error('hook'))],
    ['never settles', () => new Promise(() => {})],
  ] as const;

  test.each(hostile)('does not change the response if it %s (row 51)', async (_, hook) => {
    const { receiver } = receiverWith({
      on: { 'transaction.paid': () => {} },
      onDuplicate: hook,
      onRejected: hook,
      onError: hook,
    });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 200 });
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'duplicate' });
    expect(await receiver.receive({ ...delivered(), body: 'forged' })).toMatchObject({ status: 400 });
    expect(await receiver.receive({ ...delivered(), body: {} as never })).toMatchObject({ status: 500 });
  });

  test('onRejected is optional: without it, the console gets one warning per reason and minute, with the count', async () => {
    vi.useFakeTimers();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const receiver = createReceiver({ secret, dedupe: false, onUnhandled: () => {} });
    const forge = () => receiver.receive(delivered(paid, 'whsec_of_somebody_else'));
    for (let index = 0; index < 50; index++) await forge();
    await receiver.receive({ body: '{}', headers: {} });
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /rejected a webhook delivery \(signature-mismatch\)\. The signature does not match/,
        ),
      ],
      [expect.stringMatching(/\(missing-timestamp\)/)],
    ]);
    vi.advanceTimersByTime(60_000);
    for (let index = 0; index < 3; index++) await forge();
    expect(warn).toHaveBeenCalledTimes(3);
    expect(warn.mock.lastCall?.[0]).toContain('49 more since the last warning');
    vi.useRealTimers();
  });

  test('is optional: a receiver without onError prints failures, with the payment and its order, to the console', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const failure = new Error('no stock');
    const receiver = createReceiver({ secret, on: { 'transaction.paid': () => Promise.reject(failure) } });
    await receiver.receive(delivered({ ...paid, externalReference: 'order-1042' }));
    expect(print).toHaveBeenCalledWith(
      `payment-platform: webhook handler failed for transaction.paid ${id} order-1042:`,
      failure,
    );
  });
});

test('inspect and JSON.stringify show no secret of a receiver (row 50)', () => {
  const { receiver } = receiverWith();
  expect(inspect(receiver, { depth: 9, showHidden: true }) + JSON.stringify(receiver)).not.toContain(secret);
});
