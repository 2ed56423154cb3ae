import { findRank, findStatus, statusUpdated, type WebhookEvent } from '../contract/events.js';
import type { Payment } from '../contract/payments/types.js';
import { StoreError } from '../errors/store.js';
import { isKnownFormat, type PaymentRow } from '../stores/payment-row.js';
import type { MerchantStore } from './merchant-store.js';
import { isStorable } from './payload.js';
import type { PaymentSettler } from './payment-settler.js';

export type Observation =
  | { readonly outcome: 'applied' | 'outdated' | 'mismatch'; readonly row: PaymentRow }
  | { readonly outcome: 'unknown'; readonly row?: undefined };

const unknown: Observation = { outcome: 'unknown' };

/**
 * A row matches if it has the payment's id. A row without an id matches if it has the payment's `externalId`,
 * and the payment may exist. The amount and the method must also match.
 */
export async function settleByNotification<Transaction>(
  store: MerchantStore<Transaction>,
  settler: PaymentSettler<Transaction>,
  event: WebhookEvent,
  transaction: Transaction | undefined,
): Promise<Observation> {
  const { event: name, ...rest } = event as { readonly event: string } & Partial<Payment>;
  const named = findStatus(name);
  const fields = { ...rest, status: laterStatus(rest.status, named) } as Payment;
  const { id, externalReference } = fields;
  if (!isStorable(id)) return unknown;
  const reference = isStorable(externalReference) ? externalReference : undefined;
  const rows = await store.findByPayment(id, reference, transaction);
  const row = rows.find(({ paymentId }) => paymentId === id) ?? chooseRow(rows, name, fields);
  if (row === undefined) {
    if (isAboutStatus(name) && fields.status === 'paid') await reportPaid(settler, rows);
    return unknown;
  }
  // The platform sends the notification again, maybe to a process with the later version.
  if (!isKnownFormat(row)) throw laterFormat(row);
  if (!(await settler.belongsTo(row, fields))) return { outcome: 'mismatch', row };
  const present = await settler.settle(row, fields, 'notification', transaction);
  // Another payment has settled the row in the meantime. `settle` has reported both.
  if (present.paymentId !== id) return unknown;
  const status = named ?? fields.status;
  const known = await settler.codec.readResult(present);
  return { outcome: (status ?? known?.status) === known?.status ? 'applied' : 'outdated', row: present };
}

const laterFormat = ({ key }: PaymentRow) =>
  new StoreError(
    `The payment ${key} was recorded by a later version of this package. The notification was not applied. Update this process.`,
  );

/** Reports a paid event that no row matches, for the `externalId` of a payment that was settled or rejected. */
async function reportPaid<Transaction>(
  settler: PaymentSettler<Transaction>,
  rows: readonly PaymentRow[],
): Promise<void> {
  const settled = rows.find(({ state }) => state === 'settled');
  const rejected = rows.find(({ state, attempts }) => state === 'failed' && attempts > 0);
  if (settled !== undefined) await settler.reportSecondPaid(settled);
  else if (rejected !== undefined) settler.reportPaidAfterRejection(rejected);
}

function chooseRow(rows: readonly PaymentRow[], name: string, { status }: Payment): PaymentRow | undefined {
  if (!isAboutStatus(name)) return undefined;
  const sent = rows.filter(mayExist);
  // A payment that this table has never sent can exist only if another system has created it. It must then not
  // be sent, unless it is over.
  const unsent = isAlive(status)
    ? rows.filter(({ attempts, dueAt }) => attempts === 0 && dueAt !== null)
    : [];
  const [row] = sent.length > 0 ? sent : unsent;
  if (row !== undefined && rows.length > 1)
    throw new Error(
      `A notification cannot be assigned yet: ${rows.length} recorded payments have its externalId, and the id of ${row.key} is not known. It is applied when it is resent after the response.`,
    );
  return row;
}

/**
 * Checks for an event about a payment's status. Only those match by reference: an event about a payout, for
 * example, can contain the order's reference and amount.
 */
const isAboutStatus = (name: string) => findStatus(name) !== undefined || name === statusUpdated;

const isAlive = (status: unknown) => ['waiting_payment', 'in_analysis', 'paid'].includes(String(status));

/**
 * Chooses between the status in a notification and the status in its event's name. The API docs list no
 * payment status for some events, so a chargeback can arrive with the status `paid`.
 */
const laterStatus = (status: string | undefined, named: string | undefined): string | undefined =>
  named === undefined || (findRank(status) ?? -1) > (findRank(named) ?? -1) ? status : named;

/** A row that a person cancelled after finding no payment also counts, if it is in doubt. */
const mayExist = ({ state, attempts, inDoubt, paymentId }: PaymentRow): boolean =>
  paymentId === null && attempts > 0 && (state === 'sending' || state === 'unknown' || inDoubt);
