import { type DedupeStore, type DedupeTransaction, memoryDedupe } from 'payment-platform/webhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deferred, delivered, id, paid, receiverWith, storeWith } from './deliveries.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the identity of a notification', () => {
  test('is the same for a repeated delivery, which counts as a duplicate (row 38)', async () => {
    const handler = vi.fn();
    const onDuplicate = vi.fn();
    const { receiver } = receiverWith({ on: { 'transaction.paid': handler }, onDuplicate });
    await receiver.receive(delivered());
    expect(await receiver.receive(delivered())).toEqual({ status: 200, outcome: 'duplicate', event: paid });
    expect(handler).toHaveBeenCalledOnce();
    expect(onDuplicate).toHaveBeenCalledWith(paid, expect.objectContaining({ changed: false }));
  });

  test.each([
    ['another event', { event: 'transaction.refunded' }],
    ['another id', { id: 'another' }],
    ['another status', { status: 'refunded' }],
  ])('is different for a notification with %s', async (_, difference) => {
    const onUnhandled = vi.fn();
    const { receiver } = receiverWith({ onUnhandled });
    await receiver.receive(delivered());
    await receiver.receive(delivered({ ...paid, ...difference }));
    expect(onUnhandled).toHaveBeenCalledTimes(2);
  });

  test.each([[undefined], [7], [''], [null]])(
    'is the digest of the body if the notification’s id is %j',
    async (other) => {
      const onUnhandled = vi.fn();
      const { receiver } = receiverWith({ onUnhandled });
      for (const amount of [1, 1, 2]) await receiver.receive(delivered({ ...paid, id: other, amount }));
      expect(onUnhandled).toHaveBeenCalledTimes(2);
      expect(onUnhandled.mock.calls[0]?.[1].id).toMatch(/^[0-9a-f]{64}$/);
    },
  );

  test('is short even if the notification’s id is very long', async () => {
    const onUnhandled = vi.fn();
    const { receiver } = receiverWith({ onUnhandled });
    await receiver.receive(delivered({ ...paid, id: 'x'.repeat(10_000) }));
    expect(onUnhandled.mock.calls[0]?.[1].id).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is the return value of the function `identity` if the receiver has one', async () => {
    const onUnhandled = vi.fn();
    const { receiver } = receiverWith({ onUnhandled, identity: async (event) => String(event.event) });
    await receiver.receive(delivered());
    expect(await receiver.receive(delivered({ ...paid, id: 'another' }))).toMatchObject({
      outcome: 'duplicate',
    });
  });

  test.each([
    [() => undefined, 0],
    [async () => undefined, 0],
    [
      ({ event, orderId }: { readonly event: string; readonly orderId?: unknown }) => `${event}:${orderId}`,
      1,
    ],
    [({ orderId }: { readonly orderId?: unknown }) => String(orderId ?? null), 1],
    [
      ({ event, data }: { readonly event: string; readonly data?: unknown }) =>
        JSON.stringify([event, data, data]),
      1,
    ],
  ])(
    'is the default if the function `identity` returns undefined or a missing value, which onError shows: %#',
    async (identity, reported) => {
      const onUnhandled = vi.fn();
      const { receiver, onError } = receiverWith({ onUnhandled, identity: identity as never });
      const outcomes = [];
      for (const id of ['one', 'two', 'two'])
        outcomes.push((await receiver.receive(delivered({ ...paid, id }))).outcome);
      expect(outcomes).toEqual(['unhandled', 'unhandled', 'duplicate']);
      expect(onError).toHaveBeenCalledTimes(3 * reported);
    },
  );

  test('can be sent as an idempotency key', async () => {
    const onUnhandled = vi.fn();
    const { receiver } = receiverWith({ onUnhandled, identity: () => 'Açaí do Zé\n\u2028' });
    await receiver.receive(delivered());
    expect(onUnhandled.mock.calls[0]?.[1].id).toMatch(/^[!-~]{1,200}$/);
  });

  test.each([() => '', () => 7 as never, () => Promise.reject(new Error('no'))])(
    'causes a 500 if the function `identity` returns an invalid one or rejects: %#',
    async (identity) => {
      const onUnhandled = vi.fn();
      const { receiver, onError } = receiverWith({ onUnhandled, identity });
      expect(await receiver.receive(delivered())).toMatchObject({ status: 500, outcome: 'failed' });
      expect(onError).toHaveBeenCalledWith(expect.any(Error), { during: 'identity', event: paid });
      expect(onUnhandled).not.toHaveBeenCalled();
    },
  );

  test('causes a 500 at the time limit if the function `identity` never settles', async () => {
    const { receiver } = receiverWith({ onUnhandled() {}, identity: () => new Promise(() => {}) });
    const received = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(25_000);
    expect(await received).toMatchObject({ status: 500 });
  });

  test('is not used with dedupe: false, and repeated deliveries are handled again', async () => {
    const handler = vi.fn();
    const { receiver } = receiverWith({ dedupe: false, on: { 'transaction.paid': handler } });
    for (let time = 0; time < 2; time++)
      expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'handled' });
    expect(handler).toHaveBeenCalledTimes(2);
  });
});

describe('a webhook handler', () => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('no stock');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no stock'))],
  ])('causes a response that makes the platform retry if it %s', async (_, fail) => {
    const handler = vi.fn().mockImplementationOnce(fail);
    const { receiver, onError } = receiverWith({ on: { 'transaction.paid': handler } });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 500, outcome: 'failed' });
    expect(onError).toHaveBeenCalledWith(new Error('no stock'), { during: 'handler', event: paid });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 200, outcome: 'handled' });
    expect(handler).toHaveBeenCalledTimes(2);
  });

  test('runs once for simultaneous deliveries of one notification, and the later ones get a 503', async () => {
    const work = deferred();
    const handler = vi.fn(() => work.promise);
    const { receiver } = receiverWith({ on: { 'transaction.paid': handler } });
    const first = receiver.receive(delivered());
    for (let time = 0; time < 3; time++)
      expect(await receiver.receive(delivered())).toMatchObject({ status: 503, outcome: 'busy' });
    work.resolve();
    expect(await first).toMatchObject({ status: 200 });
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'duplicate' });
    expect(handler).toHaveBeenCalledOnce();
  });

  test('that exceeds its time limit causes a 503, and can still complete the delivery (row 44)', async () => {
    const work = deferred();
    const signals: AbortSignal[] = [];
    const handler = vi.fn((_: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return work.promise;
    });
    const { receiver } = receiverWith({ on: { 'transaction.paid': handler } });
    const received = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(24_999);
    expect(signals[0]?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await received).toEqual({ status: 503, outcome: 'timed-out', event: paid });
    expect(signals[0]?.aborted).toBe(true);
    // Advances time by more than any lease. The receiver extends the claim while the handler runs.
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'busy' });
    work.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'duplicate' });
    expect(handler).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('runs again for the next delivery if it fails after its time limit', async () => {
    const work = deferred();
    const handler = vi.fn().mockImplementationOnce(() => work.promise);
    const { receiver, onError } = receiverWith({ on: { 'transaction.paid': handler }, handlerTimeout: 10 });
    const received = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(10);
    expect(await received).toMatchObject({ outcome: 'timed-out' });
    work.reject(new Error('late'));
    await vi.advanceTimersByTimeAsync(0);
    expect(onError).toHaveBeenCalledWith(new Error('late'), { during: 'handler', event: paid });
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'handled' });
  });

  test('keeps the claim on its delivery for as long as it runs', async () => {
    const work = deferred();
    const handler = vi.fn(() => work.promise);
    const { receiver } = receiverWith({ on: { 'transaction.paid': handler }, handlerTimeout: 1000 });
    const first = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(await first).toMatchObject({ outcome: 'timed-out' });
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'busy' });
    expect(handler).toHaveBeenCalledOnce();
    work.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'duplicate' });
  });
});

describe('the dedupe store of a receiver', () => {
  const away = () => Promise.reject(new Error('away'));

  test.each([
    ['rejects', away],
    [
      'throws',
      () => {
        throw new Error('away');
      },
    ],
  ])('causes a 503 if its `claim` %s, and nothing is handled', async (_, claim) => {
    const handler = vi.fn();
    const dedupe = storeWith({ claim });
    const { receiver, onError } = receiverWith({ dedupe, on: { 'transaction.paid': handler } });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 503, outcome: 'unavailable' });
    expect(onError).toHaveBeenCalledWith(new Error('away'), { during: 'dedupe', event: paid });
    expect(handler).not.toHaveBeenCalled();
  });

  test('counts as unavailable if it does not respond within five seconds, and a late claim is released', async () => {
    const responded = deferred<'claimed'>();
    const release = vi.fn(async () => {});
    const dedupe = storeWith({ claim: () => responded.promise, release });
    const { receiver } = receiverWith({ dedupe, on: { 'transaction.paid': vi.fn() } });
    const received = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(5001);
    expect(await received).toMatchObject({ outcome: 'unavailable' });
    release.mockClear();
    responded.resolve('claimed');
    await vi.advanceTimersByTimeAsync(0);
    expect(release).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is called three times if it cannot store the completion, and the response stays a 200', async () => {
    const complete = vi.fn(away);
    const release = vi.fn(async () => {});
    const handler = vi.fn();
    const dedupe = storeWith({ complete, release });
    const { receiver, onError } = receiverWith({ dedupe, on: { 'transaction.paid': handler } });
    const received = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(1100);
    expect(await received).toMatchObject({ status: 200, outcome: 'handled' });
    expect([complete.mock.calls.length, onError.mock.calls.length]).toEqual([3, 3]);
    expect(release).not.toHaveBeenCalled();
  });

  test('is called again after 100 milliseconds, and then after a second', async () => {
    const complete = vi.fn(away);
    const { receiver } = receiverWith({
      dedupe: storeWith({ complete }),
      on: { 'transaction.paid': vi.fn() },
    });
    const received = receiver.receive(delivered());
    const calls: number[] = [];
    for (const time of [0, 99, 1, 999, 1]) {
      await vi.advanceTimersByTimeAsync(time);
      calls.push(complete.mock.calls.length);
    }
    expect(calls).toEqual([1, 1, 2, 2, 3]);
    expect(await received).toMatchObject({ outcome: 'handled' });
  });

  test('makes the next delivery a duplicate even if storing the completion failed once', async () => {
    const memory = memoryDedupe();
    const complete = vi.fn(memory.complete.bind(memory)).mockImplementationOnce(away);
    const handler = vi.fn();
    const dedupe = { ...storeWith({}), claim: memory.claim.bind(memory), complete };
    const { receiver } = receiverWith({ dedupe, on: { 'transaction.paid': handler } });
    const received = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(100);
    expect(await received).toMatchObject({ outcome: 'handled' });
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'duplicate' });
  });

  test('does not change the 500 for a failed handler if it cannot release the claim', async () => {
    const dedupe = storeWith({ release: away });
    const { receiver, onError } = receiverWith({ dedupe, on: { 'transaction.paid': away } });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 500 });
    expect(onError.mock.calls.map(([, { during }]) => during)).toEqual(['handler', 'dedupe']);
  });

  test('receives the option lease in `claim`, and the option keepFor in `complete`', async () => {
    const memory = memoryDedupe();
    const claim = vi.fn(memory.claim.bind(memory));
    const complete = vi.fn(memory.complete.bind(memory));
    const dedupe = storeWith({ claim, complete });
    const { receiver } = receiverWith({
      dedupe,
      lease: 7000,
      keepFor: 3_600_000,
      on: { 'transaction.paid': () => {} },
    });
    await receiver.receive(delivered());
    const details = { holder: expect.stringMatching(/^[0-9a-f-]{36}$/), digest: expect.any(String) };
    expect(claim.mock.calls).toEqual([[expect.stringContaining(id), 7000, details]]);
    expect(complete.mock.calls).toEqual([[expect.stringContaining(id), 3_600_000, details]]);
  });

  test.each([true, 'OK', 1, null, undefined, false, {}, 'Claimed'])(
    'counts as unavailable if its `claim` returns %j (row 69)',
    async (result) => {
      const handler = vi.fn();
      const dedupe = storeWith({ claim: async () => result as never });
      const { receiver, onError } = receiverWith({ dedupe, on: { 'transaction.paid': handler } });
      expect(await receiver.receive(delivered())).toMatchObject({ status: 503, outcome: 'unavailable' });
      expect(onError.mock.calls[0]?.[1]).toMatchObject({ during: 'dedupe' });
      expect(handler).not.toHaveBeenCalled();
    },
  );

  test.each(['QUEUED', null, undefined, 1])(
    'counts as unavailable if its `advance` returns %j, and nothing is handled (row 70)',
    async (nonsense) => {
      const dedupe = storeWith({ advance: () => nonsense as never });
      const on = { 'transaction.paid': () => expect.unreachable() };
      const { receiver, onError } = receiverWith({ dedupe, order: 'forward-only', on });
      expect(await receiver.receive(delivered())).toMatchObject({ status: 503, outcome: 'unavailable' });
      expect(onError.mock.calls[0]?.[1]).toMatchObject({ during: 'dedupe' });
    },
  );

  test.each(['ROLLBACK', null, undefined, 1])(
    'causes a 500 if its `commit` returns %j, because nothing was committed (row 70)',
    async (nonsense) => {
      const begin = async () => ({
        client: undefined,
        advance: async () => true,
        commit: async () => nonsense as never,
        rollback: async () => {},
      });
      const { receiver, onError } = receiverWith({
        dedupe: storeWith({ begin }),
        on: { 'transaction.paid': () => {} },
      });
      expect(await receiver.receive(delivered())).toMatchObject({ status: 500, outcome: 'failed' });
      expect(onError.mock.calls[0]?.[1]).toMatchObject({ during: 'dedupe' });
    },
  );

  test('causes a 503 if its transaction begins after five seconds, and that transaction is rolled back', async () => {
    const begun = deferred<DedupeTransaction<undefined>>();
    const rollback = vi.fn(async () => {});
    const dedupe = storeWith({ begin: () => begun.promise });
    const { receiver } = receiverWith({ dedupe, on: { 'transaction.paid': vi.fn() } });
    const received = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(5001);
    expect(await received).toMatchObject({ status: 503, outcome: 'unavailable' });
    begun.resolve({ client: undefined, advance: async () => true, commit: async () => true, rollback });
    await vi.advanceTimersByTimeAsync(0);
    expect(rollback).toHaveBeenCalledOnce();
  });

  test('counts as unavailable if its `advance` does not respond within five seconds', async () => {
    const dedupe = storeWith({ advance: () => new Promise(() => {}) });
    const { receiver } = receiverWith({ dedupe, order: 'forward-only', on: { 'transaction.paid': vi.fn() } });
    const received = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(5001);
    expect(await received).toMatchObject({ status: 503, outcome: 'unavailable' });
  });

  test('commits its transaction after the handler has ended, and rolls it back if the handler fails', async () => {
    const steps: string[] = [];
    const dedupe: DedupeStore<string> = {
      ...storeWith({}),
      begin: async () => ({
        client: 'client',
        advance: async () => true,
        commit: async () => steps.push('commit') > 0,
        rollback: async () => void steps.push('rollback'),
      }),
    };
    const handler = vi.fn(async (_: unknown, delivery: { transaction: string }) => {
      steps.push(delivery.transaction);
      if (steps.length === 1) throw new Error('no stock');
    });
    const { receiver } = receiverWith({
      dedupe: dedupe as never,
      on: { 'transaction.paid': handler as never },
    });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 500 });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 200, outcome: 'handled' });
    expect(steps).toEqual(['client', 'rollback', 'client', 'commit']);
  });

  test('does not change the 200 if it hangs after the handler has ended', async () => {
    const handler = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 12_000)));
    const dedupe = storeWith({ complete: () => new Promise(() => {}) });
    const { receiver, onError } = receiverWith({ dedupe, on: { 'transaction.paid': handler } });
    const received = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(25_001);
    expect(await received).toMatchObject({ status: 200, outcome: 'handled' });
    expect(onError.mock.calls[0]?.[1]).toMatchObject({ during: 'dedupe' });
    expect(handler).toHaveBeenCalledOnce();
  });

  test('causes a 503 and a call to onError if it gave the receiver’s claim to another process (row 71)', async () => {
    const dedupe = {
      ...storeWith({}),
      begin: async () => ({
        client: 'client',
        advance: async () => true,
        commit: async () => false,
        rollback: async () => {},
      }),
    };
    const { receiver, onError } = receiverWith({
      dedupe: dedupe as never,
      on: { 'transaction.paid': () => {} },
    });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 503, outcome: 'overtaken' });
    expect(onError.mock.calls).toEqual([
      [
        expect.objectContaining({ message: expect.stringContaining('may run twice') }),
        expect.objectContaining({ during: 'dedupe' }),
      ],
    ]);
  });
});

describe('memoryDedupe', () => {
  const details = (holder: string) => ({ holder, digest: 'd' });

  test('forgets the oldest completed deliveries, but no delivery that is being handled', async () => {
    const store = memoryDedupe({ maxEntries: 2 });
    expect(await store.claim('working', 1000, details('a'))).toBe('claimed');
    await store.complete('first', 1000, details('a'));
    await store.complete('second', 1000, details('a'));
    expect(await store.claim('working', 1000, details('b'))).toBe('busy');
    expect(await store.claim('second', 1000, details('b'))).toBe('done');
    expect(await store.claim('first', 1000, details('b'))).toBe('claimed');
    expect(await store.claim('third', 1000, details('b'))).toBe('busy');
  });

  test('contains at most maxEntries deliveries, even after 20,000 of them', async () => {
    const store = memoryDedupe({ maxEntries: 1000 });
    for (let index = 0; index < 20_000; index++) {
      await store.claim(String(index), 1000, details('a'));
      await store.complete(String(index), 1_000_000, details('a'));
    }
    expect(await store.claim('19000', 1000, details('b'))).toBe('done');
    expect(await store.claim('18000', 1000, details('b'))).toBe('claimed');
  });

  test.each([{ maxEntries: 0 }, { maxEntries: 1.5 }, { max: 1 }])('rejects the options %o', (options) => {
    expect(() => memoryDedupe(options as never)).toThrow(/^memoryDedupe: /);
  });
});
