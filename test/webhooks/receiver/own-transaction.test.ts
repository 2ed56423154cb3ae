import type { DedupeStore } from 'payment-platform/webhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deferred, delivered, id, paid, receiverWith, storeWith } from './deliveries.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Opened = Awaited<ReturnType<NonNullable<DedupeStore['begin']>>>;

/** A store whose transactions record their steps. */
function transactional(own: Partial<Opened> = {}, steps: Partial<DedupeStore> = {}) {
  const happened: string[] = [];
  const note = <Result>(step: string, result: Result) => {
    happened.push(step);
    return result;
  };
  const begin = vi.fn(async () => ({
    client: undefined,
    advance: async () => note('advance', true),
    commit: async () => note('commit', true),
    rollback: async () => note('rollback', undefined),
    ...own,
  }));
  const renew = vi.fn(() => true);
  return { happened, begin, renew, dedupe: storeWith({ begin, renew, advance: () => true, ...steps }) };
}

describe('a store that opens transactions', () => {
  test('gets the claimed id and its holder, and its transaction runs the handler and commits', async () => {
    const run = vi.fn(async (handler: () => unknown) => (await handler()) as never);
    const claim = vi.fn(() => 'claimed' as const);
    const { happened, begin, dedupe } = transactional({ run }, { claim });
    const handler = vi.fn();
    const { receiver } = receiverWith({ dedupe, on: { 'transaction.paid': handler } });
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'handled' });
    const [[name, , details]] = claim.mock.calls as unknown as [[string, number, object]];
    expect(begin.mock.calls).toEqual([[name, details]]);
    expect(run).toHaveBeenCalledOnce();
    expect(handler).toHaveBeenCalledOnce();
    expect(happened).toEqual(['commit']);
  });

  test('is rolled back if its handler fails, and its claim is released', async () => {
    const release = vi.fn();
    const { happened, dedupe } = transactional({}, { release });
    const handler = () => Promise.reject(new Error('no stock'));
    const { receiver, onError } = receiverWith({ dedupe, on: { 'transaction.paid': handler } });
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'failed', status: 500 });
    expect(happened).toEqual(['rollback']);
    expect(release).toHaveBeenCalledOnce();
    expect(onError.mock.calls).toMatchObject([[{ message: 'no stock' }, { during: 'handler', event: paid }]]);
  });

  test('runs no handler for a state that is outdated in the transaction, and marks the delivery as done', async () => {
    const handler = vi.fn();
    const { happened, dedupe } = transactional({ advance: async () => false });
    const onOutdated = vi.fn();
    const { receiver } = receiverWith({
      dedupe,
      order: 'forward-only',
      onOutdated,
      on: { 'transaction.paid': handler },
    });
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'outdated' });
    expect(handler).not.toHaveBeenCalled();
    expect(onOutdated).toHaveBeenCalledOnce();
    expect(happened).toEqual(['commit']);
  });

  test.each([
    [false, 2],
    [true, 0],
  ])(
    'renews the claim of a slow handler unless the transaction keeps it: %s',
    async (keepsClaim, renewals) => {
      const { renew, dedupe } = transactional({ keepsClaim });
      const work = deferred();
      const { receiver } = receiverWith({
        dedupe,
        lease: 3_000,
        on: { 'transaction.paid': () => work.promise },
      });
      const received = receiver.receive(delivered());
      await vi.advanceTimersByTimeAsync(2_500);
      work.resolve();
      expect(await received).toMatchObject({ outcome: 'handled' });
      expect(renew).toHaveBeenCalledTimes(renewals);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(renew).toHaveBeenCalledTimes(renewals);
    },
  );

  test.each([
    ['while it runs, if the client rejects late statements', true, 'failed'],
    ['never, if its statements could run outside the transaction', false, 'pending'],
  ])('ends the transaction of a handler that never ends %s', async (_, rejectsLateStatements, outcome) => {
    const { happened, dedupe } = transactional({ rejectsLateStatements });
    let received = 'pending';
    const handler = vi.fn(() => new Promise(() => {}));
    const { receiver } = receiverWith({
      dedupe,
      handlerTimeout: 1_000,
      on: { 'transaction.paid': handler },
      onReceived: (report) => {
        received = report.outcome;
      },
    });
    void receiver.receive(delivered());
    // The signal aborts after one second, and the handler then has another.
    await vi.advanceTimersByTimeAsync(1_900);
    expect(happened).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(happened).toEqual(outcome === 'failed' ? ['rollback'] : []);
    expect(handler).toHaveBeenCalledOnce();
    expect(received).not.toBe('handled');
  });

  test('responds with 503 if it opens no transaction, and rolls nothing back', async () => {
    const { happened, dedupe } = transactional({}, { begin: () => Promise.reject(new Error('no client')) });
    const { receiver, onError } = receiverWith({ dedupe, on: { 'transaction.paid': vi.fn() } });
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'unavailable', status: 503 });
    expect(happened).toEqual([]);
    expect(onError.mock.calls).toMatchObject([[{ message: 'no client' }, { during: 'dedupe' }]]);
  });
});

describe('a claim that is older than its lease before the handler starts', () => {
  /** Advancing takes longer than the lease. */
  const slowly = (claims: ('claimed' | 'busy')[]) => {
    const claim = vi.fn(() => claims.shift() ?? 'claimed');
    const advance = async () => {
      await vi.advanceTimersByTimeAsync(4_000);
      return true;
    };
    const handler = vi.fn();
    const dedupe = storeWith({ claim, advance });
    const { receiver } = receiverWith({
      dedupe,
      lease: 3_000,
      order: 'forward-only',
      on: { 'transaction.paid': handler },
    });
    return { claim, handler, receive: () => receiver.receive(delivered()) };
  };

  test('is claimed again, and the handler runs', async () => {
    const { claim, handler, receive } = slowly(['claimed', 'claimed']);
    expect(await receive()).toMatchObject({ outcome: 'handled' });
    expect(claim).toHaveBeenCalledTimes(2);
    expect(handler).toHaveBeenCalledOnce();
  });

  test('runs no handler if another process has the claim by then', async () => {
    const { handler, receive } = slowly(['claimed', 'busy']);
    expect(await receive()).toMatchObject({ outcome: 'busy' });
    expect(handler).not.toHaveBeenCalled();
  });
});

test('a delivery is claimed only once if the handler starts within the lease', async () => {
  await vi.advanceTimersByTimeAsync(60_000);
  const claim = vi.fn(() => 'claimed' as const);
  const { receiver } = receiverWith({ dedupe: storeWith({ claim }), on: { 'transaction.paid': vi.fn() } });
  expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'handled' });
  expect(claim).toHaveBeenCalledOnce();
});

test('a slow handler over a store without `renew` ends without an error', async () => {
  const work = deferred();
  const { receiver, onError } = receiverWith({
    dedupe: storeWith({}),
    lease: 1_000,
    on: { 'transaction.paid': () => work.promise },
  });
  const received = receiver.receive(delivered());
  await vi.advanceTimersByTimeAsync(900);
  work.resolve();
  expect(await received).toMatchObject({ outcome: 'handled' });
  expect(onError).not.toHaveBeenCalled();
});

test('a renewal that ends after its handler does not count as a lost claim', async () => {
  const [work, renewal] = [deferred(), deferred<boolean>()];
  const { receiver, onError } = receiverWith({
    dedupe: storeWith({ renew: () => renewal.promise }),
    lease: 3_000,
    on: { 'transaction.paid': () => work.promise },
  });
  const received = receiver.receive(delivered());
  await vi.advanceTimersByTimeAsync(1_100);
  work.resolve();
  expect(await received).toMatchObject({ outcome: 'handled' });
  renewal.resolve(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(onError).not.toHaveBeenCalled();
});

test('a renewal that fails is reported, and the handler goes on', async () => {
  const work = deferred();
  const renew = () => Promise.reject(new Error('the store is away'));
  const { receiver, onError } = receiverWith({
    dedupe: storeWith({ renew }),
    lease: 3_000,
    on: { 'transaction.paid': () => work.promise },
  });
  const received = receiver.receive(delivered());
  await vi.advanceTimersByTimeAsync(1_100);
  expect(onError).toHaveBeenCalledWith(
    expect.objectContaining({ message: 'the store is away' }),
    expect.objectContaining({ during: 'dedupe' }),
  );
  work.resolve();
  expect(await received).toMatchObject({ outcome: 'handled' });
});

test('the failure of onDuplicate names the event and the endpoint’s context', async () => {
  const { receiver, onError } = receiverWith({
    secret: () => ({ secret: 'whsec_0123456789abcdef', context: { shop: 7 } }),
    onDuplicate: () => Promise.reject(new Error('no log')),
    on: { 'transaction.paid': vi.fn() },
  } as never);
  await receiver.receive(delivered());
  expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'duplicate' });
  await vi.advanceTimersByTimeAsync(0);
  expect(onError.mock.calls).toMatchObject([
    [{ message: 'no log' }, { during: 'hook', event: { id }, context: { shop: 7 } }],
  ]);
});
