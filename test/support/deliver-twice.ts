import { createReceiver, type DedupeStore, sign } from 'payment-platform/webhooks';
import { expect } from 'vitest';
import { eventually } from './eventually.js';

const secret = 'whsec_0123456789abcdef';
/** The number of deliveries in flight. More of them could exceed the receiver's time limit for a store. */
const atOnce = 500;

interface DeliveryOptions {
  /** The number of notifications. Default 5,000. */
  readonly events?: number;
  /** Lets stores fail, and sends each delivery again until its response is a 200, as the platform does. */
  readonly canFail?: boolean;
}

/**
 * Delivers each notification twice at the same time, to different receivers, and expects that each
 * notification is handled once.
 *
 * @param stores one store per receiver, all over the same data
 */
export async function deliverTwice(
  stores: readonly DedupeStore<unknown>[],
  { events = 5_000, canFail = false }: DeliveryOptions = {},
): Promise<void> {
  const errors: unknown[] = [];
  const handled = new Map<unknown, number>();
  const receivers = stores.map((dedupe) =>
    createReceiver<unknown>({
      secret,
      dedupe,
      on: { 'transaction.paid': ({ id }) => void handled.set(id, (handled.get(id) ?? 0) + 1) },
      onError: (error) => errors.push(error),
    }),
  );
  const deliver = async (index: number) => {
    const id = `many-${Math.floor(index / 2)}`;
    const body = JSON.stringify({ event: 'transaction.paid', id, status: 'paid' });
    const receiver = receivers[index % receivers.length];
    return (await receiver?.receive({ body, headers: sign({ body, secret }) }))?.status;
  };
  const deliverUntilHandled = (index: number) =>
    eventually(async () => {
      const status = await deliver(index);
      expect(status).toBe(200);
      return status;
    });
  const statuses = new Set<number | undefined>();
  for (let sent = 0; sent < 2 * events; sent += atOnce) {
    const send = canFail ? deliverUntilHandled : deliver;
    const wave = Array.from({ length: atOnce }, (_, index) => send(sent + index));
    for (const status of await Promise.all(wave)) statuses.add(status);
  }
  if (!canFail) expect(errors).toEqual([]);
  // A duplicate that arrives during the first handling gets a 503, so the platform resends it.
  expect(statuses).toEqual(new Set(statuses.has(503) ? [200, 503] : [200]));
  expect(handled.size).toBe(events);
  expect(new Set(handled.values())).toEqual(new Set([1]));
}
