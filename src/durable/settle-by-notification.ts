import { statusUpdated, type WebhookEvent } from '../contract/events.js';
import type { Payment } from '../contract/payments/types.js';
import { findRank, findStatus } from '../webhooks/notification.js';
import type { PaymentRow } from './payment-row.js';
import type { PaymentSettler } from './payment-settler.js';
import type { PaymentStore } from './payment-store.js';

/**
 * Finds a notification's row and settles it. A row matches if it has the payment's id. A row without an id
 * matches if its key is the payment's `externalId`, and if it was sent with an unknown outcome. An
 * `externalId` that the merchant chose does not match, because it can belong to several payments.
 */
export async function settleByNotification<Transaction>(
  store: PaymentStore<Transaction>,
  settler: PaymentSettler<Transaction>,
  event: WebhookEvent,
  transaction: Transaction | undefined,
): Promise<PaymentRow | undefined> {
  const { event: name, ...rest } = event as { readonly event: string } & Partial<Payment>;
  const fields = { ...rest, status: laterStatus(rest.status, findStatus(name)) } as Payment;
  const { id, externalReference } = fields;
  if (!isStorable(id)) return undefined;
  const reference = isStorable(externalReference) ? externalReference : undefined;
  const rows = await store.findByPayment(id, reference, transaction);
  const own = rows.find((row) => row.paymentId === id);
  if (own !== undefined) return settler.settle(own, fields, 'notification', transaction);
  // Only events about a payment's status match by reference. An event about a payout, for example, can
  // contain the order's reference and amount.
  if (findStatus(name) === undefined && name !== statusUpdated) return undefined;
  const row = rows.find((one) => one.key === reference && one.reference === reference);
  return row !== undefined && isOpen(row) && (await settler.belongsTo(row, fields))
    ? settler.settle(row, fields, 'notification', transaction)
    : undefined;
}

/**
 * Chooses between the status in a notification and the status in its event's name. The API docs list no
 * payment status for some events, so a chargeback can arrive with the status `paid`.
 */
const laterStatus = (status: string | undefined, named: string | undefined): string | undefined =>
  named === undefined || (findRank(status) ?? -1) > (findRank(named) ?? -1) ? status : named;

/** Checks for a string that is not empty and contains no NUL, which PostgreSQL cannot store. */
const isStorable = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('\0');

/**
 * Checks whether a payment may exist for a row without a payment id. A row that a person cancelled after
 * finding no payment also counts, if it is in doubt.
 */
const isOpen = ({ state, attempts, inDoubt, paymentId }: PaymentRow): boolean =>
  paymentId === null && attempts > 0 && (state === 'sending' || state === 'unknown' || inDoubt);
