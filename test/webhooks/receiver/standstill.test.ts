import { createReceiver, type DedupeStore, memoryDedupe, sign } from 'payment-platform/webhooks';
import { expect, onTestFinished, test, vi } from 'vitest';

const secret = 'whsec_0123456789abcdef';
const body = JSON.stringify({ event: 'transaction.paid', id: 'p-1', status: 'paid' });

/**
 * Creates two receivers with one store. The first receiver is suspended for longer than its lease after its
 * first claim.
 */
function receivers(meanwhile: () => Promise<unknown>) {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const memory = memoryDedupe();
  let isFirst = true;
  const slow = Object.assign(Object.create(memory), {
    claim: async (...values: Parameters<DedupeStore['claim']>) => {
      const found = await memory.claim(...values);
      if (!isFirst) return found;
      isFirst = false;
      vi.advanceTimersByTime(16_000);
      await meanwhile();
      return found;
    },
  }) as DedupeStore;
  const handled: string[] = [];
  const receive = (name: string, dedupe: DedupeStore) => {
    const on = { 'transaction.paid': () => void handled.push(name) };
    const receiver = createReceiver({ secret, dedupe, on, onError: () => undefined });
    return () => receiver.receive({ body, headers: sign({ body, secret }) });
  };
  return { first: receive('first', slow), second: receive('second', memory), handled };
}

test('a suspended receiver does not handle a delivery that another process handled in the meantime', async () => {
  const { first, second, handled } = receivers(() => second());
  expect(await first()).toMatchObject({ status: 200, outcome: 'duplicate' });
  expect(handled).toEqual(['second']);
});

test('a suspended receiver claims its delivery again, and handles it if no other process did', async () => {
  const { first, handled } = receivers(async () => undefined);
  expect(await first()).toMatchObject({ outcome: 'handled' });
  expect(handled).toEqual(['first']);
});
