import { type DedupeStore, memoryDedupe } from 'payment-platform/webhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deferred, delivered, id, paid, receiverWith } from './deliveries.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a store that forgets a claim while its handler runs (row 71)', () => {
  /** Creates a store that can be emptied, as by FLUSHALL. */
  const forgetful = () => {
    let memory = memoryDedupe();
    const dedupe: DedupeStore = {
      claim: (...args) => memory.claim(...args),
      complete: (...args) => memory.complete(...args),
      release: (...args) => memory.release(...args),
      renew: (...args) => memory.renew?.(...args),
    };
    const forget = () => {
      memory = memoryDedupe();
    };
    return { dedupe, forget };
  };
  const stranger = { holder: 'stranger', digest: 'd' };

  /** Creates a receiver whose first handler runs until `work` is settled. */
  const working = (dedupe: DedupeStore) => {
    const work = deferred();
    const signals: AbortSignal[] = [];
    const handler = vi.fn((_: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return handler.mock.calls.length === 1 ? work.promise : undefined;
    });
    const { receiver, onError } = receiverWith({
      dedupe,
      lease: 3000,
      on: { 'transaction.paid': handler },
    });
    return { work, signals, handler, receiver, onError };
  };

  test('makes the receiver renew the claim, and no second handler runs', async () => {
    const { dedupe, forget } = forgetful();
    const { work, handler, receiver, onError } = working(dedupe);
    const first = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(500);
    forget();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'busy' });
    work.resolve();
    expect(await first).toMatchObject({ outcome: 'handled' });
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'duplicate' });
    expect(handler).toHaveBeenCalledOnce();
    expect(onError).not.toHaveBeenCalled();
  });

  test('can grant the claim to another process, and the receiver then returns a 503', async () => {
    const { dedupe, forget } = forgetful();
    const { work, signals, receiver, onError } = working(dedupe);
    const complete = vi.spyOn(dedupe, 'complete');
    const first = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(500);
    forget();
    const name = JSON.stringify(['transaction.paid', id, 'paid']);
    expect(await dedupe.claim(name, 60_000, stranger)).toBe('claimed');
    expect(signals[0]?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(500);
    expect(signals[0]?.aborted).toBe(true);
    expect(onError.mock.calls).toEqual([
      [
        expect.objectContaining({ message: expect.stringContaining('claimed by another process') }),
        { during: 'dedupe', event: paid },
      ],
    ]);
    await vi.advanceTimersByTimeAsync(2000);
    work.resolve();
    expect(await first).toMatchObject({ status: 503, outcome: 'overtaken' });
    expect(onError).toHaveBeenCalledOnce();
    expect(complete.mock.results).toEqual([{ type: 'return', value: false }]);
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'busy' });
  });

  test('can let a second handler run, and the receiver reports this to onError', async () => {
    const { dedupe, forget } = forgetful();
    const { work, handler, receiver, onError } = working(dedupe);
    const first = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(500);
    forget();
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'handled' });
    work.resolve();
    expect(await first).toMatchObject({ status: 503, outcome: 'overtaken' });
    expect(handler).toHaveBeenCalledTimes(2);
    expect(onError).toHaveBeenCalledOnce();
  });

  test('does not keep a claim that is renewed after the handler has failed', async () => {
    const { dedupe } = forgetful();
    const responded = deferred();
    const renew = vi.fn(async (...args: Parameters<DedupeStore['claim']>) => {
      await responded.promise;
      return (await dedupe.claim(...args)) === 'claimed';
    });
    const { work, receiver } = working({ ...dedupe, renew });
    const first = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(1000);
    work.reject(new Error('no stock'));
    expect(await first).toMatchObject({ outcome: 'failed' });
    responded.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(renew).toHaveBeenCalledOnce();
    expect(await receiver.receive(delivered())).toMatchObject({ outcome: 'handled' });
  });
});
