import { eventOfStatus, type WebhookEvent } from '../contract/events.js';
import type { Payment } from '../contract/payments/types.js';
import { statusRanks } from '../webhooks/notification.js';
import type { PaymentRow } from './payment-row.js';
import type { PaymentStore } from './payment-store.js';
import type { Settler } from './settler.js';

/**
 * Finds the row of a notification, and settles it. By the id of the payment, or by the `externalId` it was sent with: but
 * only if exactly one payment that was sent and is not known has that.
 */
export async function observe<Transaction>(
  store: PaymentStore<Transaction>,
  settler: Settler<Transaction>,
  event: WebhookEvent,
): Promise<PaymentRow | undefined> {
  const { event: name, ...rest } = event as { readonly event: string } & Partial<Payment>;
  const fields = { ...rest, status: rest.status ?? statusOf(name) };
  const { id, externalReference } = fields;
  if (typeof id !== 'string' || id === '') return undefined;
  const reference = typeof externalReference === 'string' ? externalReference : undefined;
  const rows = await store.findByPayment(id, reference);
  const own = rows.find((row) => row.paymentId === id);
  if (own !== undefined) return settler.settle(own, fields as Payment);
  const open = rows.filter(
    ({ state, attempts, paymentId }) => paymentId === null && attempts > 0 && isOpen.has(state),
  );
  return open.length === 1 ? settler.settle(open[0] as PaymentRow, fields as Payment) : undefined;
}

/** The states in which there may be a payment that is not known. */
const isOpen: ReadonlySet<string> = new Set(['sending', 'unknown', 'given_up']);

/** The status of an event that is named for one. */
const statusOf = (name: string): string | undefined =>
  Object.keys(statusRanks).find((status) => name === eventOfStatus(status));
