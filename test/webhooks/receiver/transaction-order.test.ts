import { describe, expect, test, vi } from 'vitest';
import { statusRanks } from '../../../src/contract/events.js';
import { delivered, id, receiverWith } from './deliveries.js';

const statuses = [
  'waiting_payment',
  'in_analysis',
  'refused',
  'expired',
  'cancelled',
  'paid',
  'refunded',
  'chargedback',
] as const;

/** Lists, for each handled status, the later notifications that count as outdated. */
const older: Readonly<Record<(typeof statuses)[number], readonly string[]>> = {
  waiting_payment: [],
  in_analysis: ['waiting_payment'],
  refused: ['waiting_payment', 'in_analysis'],
  expired: ['waiting_payment', 'in_analysis'],
  cancelled: ['waiting_payment', 'in_analysis', 'refused', 'expired'],
  paid: ['waiting_payment', 'in_analysis', 'refused', 'expired'],
  refunded: ['waiting_payment', 'in_analysis', 'refused', 'expired', 'cancelled', 'paid'],
  chargedback: ['waiting_payment', 'in_analysis', 'refused', 'expired', 'cancelled', 'paid'],
};

const notify = (status: string, transaction = id) =>
  delivered({ event: `transaction.${status}`, id: transaction, status });

const ordered = () => {
  const handled: string[] = [];
  const onOutdated = vi.fn();
  const { receiver } = receiverWith({
    order: 'forward-only',
    onOutdated,
    onUnhandled: (event) => void handled.push(event.event as string),
  });
  return { receiver, handled, onOutdated };
};

test('every transaction status in the API docs has a rank in the order of statuses', () => {
  expect(Object.keys(statusRanks).sort()).toEqual([...statuses].sort());
});

describe.each(statuses)('a delivery after %s (row 38)', (last) => {
  test.each(statuses.filter((status) => status !== last))(
    'with the status %s is outdated only if its status has the lower rank',
    async (status) => {
      const { receiver, handled, onOutdated } = ordered();
      await receiver.receive(notify(last));
      const isOlder = older[last].includes(status);
      expect(await receiver.receive(notify(status))).toMatchObject({
        status: 200,
        outcome: isOlder ? 'outdated' : 'unhandled',
      });
      expect(handled).toHaveLength(isOlder ? 1 : 2);
      expect(onOutdated).toHaveBeenCalledTimes(isOlder ? 1 : 0);
      // The store does not compare an outdated delivery again.
      expect(await receiver.receive(notify(status))).toMatchObject({ outcome: 'duplicate' });
    },
  );
});

test('an event is not outdated if it is about another payment, or has an unknown status or no payment id', async () => {
  const { receiver, handled } = ordered();
  await receiver.receive(notify('refunded'));
  await receiver.receive(notify('paid', 'another'));
  await receiver.receive(notify('a_new_state'));
  await receiver.receive(delivered({ event: 'transaction.paid', amount: 1 }));
  expect(handled).toHaveLength(4);
});

test('a delivery whose handler failed makes older statuses outdated, and is handled when it comes again', async () => {
  const handler = vi.fn().mockRejectedValueOnce(new Error('no stock'));
  const { receiver } = receiverWith({
    order: 'forward-only',
    on: { 'transaction.paid': handler, 'transaction.in_analysis': handler },
  });
  expect(await receiver.receive(notify('paid'))).toMatchObject({ status: 500 });
  expect(await receiver.receive(notify('in_analysis'))).toMatchObject({ outcome: 'outdated' });
  expect(await receiver.receive(notify('paid'))).toMatchObject({ outcome: 'handled' });
});

test('a transaction.status.updated event has the rank of its payment status', async () => {
  const { receiver } = receiverWith({
    order: 'forward-only',
    statusUpdated: 'deliver',
    onUnhandled: () => {},
  });
  const twin = (status: string) => delivered({ event: 'transaction.status.updated', id, status });
  await receiver.receive(twin('paid'));
  expect(await receiver.receive(twin('in_analysis'))).toMatchObject({ outcome: 'outdated' });
});
