import { createReceiver, type DedupeStore, sign } from 'payment-platform/webhooks';
import { expect } from 'vitest';

const secret = 'whsec_0123456789abcdef';
const events = 5_000;
/** The number of deliveries in flight. More of them could exceed the receiver's time limit for a store. */
const atOnce = 500;

/**
 * Delivers each of 5,000 notifications twice at the same time, to different receivers, and expects that each
 * notification is handled once.
 *
 * @param stores one store per receiver, all over the same data
 */
export async function deliverTwice(stores: readonly DedupeStore<unknown>[]): Promise<void> {
  const handled = new Map<unknown, number>();
  const receivers = stores.map((dedupe) =>
    createReceiver<unknown>({
      secret,
      dedupe,
      on: { 'transaction.paid': ({ id }) => void handled.set(id, (handled.get(id) ?? 0) + 1) },
      onError: (error) => expect.unreachable(String(error)),
    }),
  );
  const deliver = async (index: number) => {
    const id = `many-${Math.floor(index / 2)}`;
    const body = JSON.stringify({ event: 'transaction.paid', id, status: 'paid' });
    return (await receivers[index % receivers.length]?.receive({ body, headers: sign({ body, secret }) }))
      ?.status;
  };
  const statuses = new Set<number | undefined>();
  for (let sent = 0; sent < 2 * events; sent += atOnce) {
    const wave = Array.from({ length: atOnce }, (_, index) => deliver(sent + index));
    for (const status of await Promise.all(wave)) statuses.add(status);
  }
  // A duplicate that arrives during the first handling gets a 503, so the platform resends it.
  expect(statuses).toEqual(new Set(statuses.has(503) ? [200, 503] : [200]));
  expect(handled.size).toBe(events);
  expect(new Set(handled.values())).toEqual(new Set([1]));
}
