import type { WebhookEvent } from '../contract/events.js';
import type { Payment } from '../contract/payments/types.js';
import { statusOf } from '../webhooks/notification.js';
import type { PaymentRow } from './payment-row.js';
import type { PaymentStore } from './payment-store.js';
import type { Settler } from './settler.js';

/**
 * Finds a notification's row and settles it. The row has the payment's id; or it was sent, its outcome is unknown, and
 * its key is the payment's `externalId`. An `externalId` that you chose can belong to several payments.
 */
export async function observe<Transaction>(
  store: PaymentStore<Transaction>,
  settler: Settler<Transaction>,
  event: WebhookEvent,
  transaction: Transaction | undefined,
): Promise<PaymentRow | undefined> {
  const { event: name, ...rest } = event as { readonly event: string } & Partial<Payment>;
  const fields = { ...rest, status: rest.status ?? statusOf(name) } as Payment;
  const { id, externalReference } = fields;
  if (!isName(id)) return undefined;
  const reference = isName(externalReference) ? externalReference : undefined;
  const rows = await store.findByPayment(id, reference, transaction);
  const own = rows.find((row) => row.paymentId === id);
  if (own !== undefined) return settler.settle(own, fields, 'notification', transaction);
  const row = rows.find((one) => one.key === reference && one.reference === reference);
  return row !== undefined && isOpen(row) && (await settler.isOf(row, fields))
    ? settler.settle(row, fields, 'notification', transaction)
    : undefined;
}

/** PostgreSQL cannot store a string with a NUL. */
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('\0');

/** Whether an unknown payment may exist, even if a person found none. */
const isOpen = ({ state, attempts, inDoubt, paymentId }: PaymentRow): boolean =>
  paymentId === null && attempts > 0 && (state === 'sending' || state === 'unknown' || inDoubt);
