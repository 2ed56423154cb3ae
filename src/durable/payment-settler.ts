import type { PaymentPlatform } from '../client.js';
import { findRank } from '../contract/events.js';
import { createPaymentOperation } from '../contract/payments/operations.js';
import type { Payment } from '../contract/payments/types.js';
import { isKnownFormat, type PaymentRow } from '../stores/payment-row.js';
import { endedWithoutHook, secondPaid, secondPayment } from './durable-error.js';
import type { Kind } from './kind.js';
import type { ResolvedOptions } from './options.js';
import { type Payload, withoutSecrets } from './payload.js';
import { type PaymentRecord, toRecord } from './payment-record.js';
import { type HeldRow, Settler, timeLeft } from './settler.js';
import { afterSecondPayment, mergePayments, settled } from './transitions.js';

export type Payments = Pick<PaymentPlatform['payments'], 'create' | 'reconcile' | 'validate'>;

export const paymentKind: Kind = {
  noun: 'payment',
  scope: '',
  canRepeat: true,
  namesRecord: false,
  atOnce: 1_000,
  effect: 'the customer can be charged',
  mayExist:
    'The recorded payment may exist. A new key charges again, so refund the recorded payment first, or keep the order as it was.',
  advice: [
    createPaymentOperation.adviceIfUnknown,
    'The payment may exist. `run` and `settle` send it again with the same key.',
  ],
};

type Compared = Pick<Payment, 'amount' | 'paymentMethod'>;
const compared = ['amount', 'paymentMethod'] as const;

const withoutPersonal = ({ id, status, amount, paymentMethod }: Payment) => ({
  id,
  status,
  amount,
  paymentMethod,
});

export class PaymentSettler<Transaction> extends Settler<Transaction, Payload, Payment, PaymentRecord> {
  readonly #payments: Payments;

  constructor(payments: Payments, options: ResolvedOptions<Transaction>) {
    super(paymentKind, options);
    this.#payments = payments;
  }

  /**
   * The row stays unchanged if its format is later or its payload cannot be sent, or if the platform may have
   * forgotten the key.
   */
  async refresh(held: HeldRow): Promise<{ readonly row: PaymentRow; readonly isCurrent: boolean }> {
    const { row } = held;
    const unasked = { row, isCurrent: false };
    if (!isKnownFormat(row)) return unasked;
    const payload = await this.codec.readPayload(row);
    const pursuedFor = timeLeft(held, row.refreshUntil ?? row.deadline);
    if (typeof payload === 'string' || pursuedFor <= 0) return unasked;
    const payment = await this.send(row, payload, pursuedFor);
    if (findId(payment) === undefined) return unasked;
    this.compare(row, payload, payment);
    const present = await this.settle(row, payment);
    if (row.paymentId === findId(payment)) return { row: present, isCurrent: true };
    throw secondPayment(await this.toRecord(present));
  }

  /**
   * If the row is in doubt, calls `reconcile` instead of `create`, so that a rejection does not count as proof.
   * With the timeout as its interval, `reconcile` sends once: the row's own pauses follow.
   */
  protected override send(
    { key, inDoubt }: PaymentRow,
    { payment, extraBody }: Payload,
    within: number,
  ): Promise<Payment> {
    const timeout = Math.ceil(Math.min(this.options.timeout, within));
    const options = { idempotencyKey: key, timeout, ...(extraBody && { extraBody: { ...extraBody } }) };
    return inDoubt
      ? this.#payments.reconcile(payment, { ...options, interval: timeout })
      : this.#payments.create(payment, options);
  }

  /**
   * The key may have been used before for another payment, and the platform may have ignored the new payload.
   * The returned payment is stored anyway, because it exists.
   */
  protected override compare({ key }: PaymentRow, { payment: sent }: Payload, payment: Payment): void {
    const { amount, paymentMethod }: Partial<Payment> = payment;
    const differs =
      (amount ?? sent.amount) !== sent.amount || (paymentMethod ?? sent.paymentMethod) !== sent.paymentMethod;
    if (!differs) return;
    const message = `The payment of the key ${key} has another amount or method than its payload. Was the key used for another payment?`;
    this.report(new Error(message), { during: 'conflict', key });
  }

  /**
   * Does not check which process holds the row, because an existing payment settles the row for every
   * process. If only a notification settled a row, it is in doubt: the notification can be about another
   * payment, and the platform may not know the row's key.
   */
  override async settle(
    row: PaymentRow,
    news: Payment,
    source: 'response' | 'notification' = 'response',
    transaction?: Transaction,
  ): Promise<PaymentRow> {
    const paymentId = findId(news) ?? row.paymentId;
    const known = await this.codec.readResult(row);
    // The stored payment can be newer than the received one. A process that cannot decrypt it must not
    // replace it.
    if (row.payment !== null && known === undefined) throw this.unreadable(row);
    const isOther = row.paymentId !== null && paymentId !== row.paymentId;
    if (isOther) return this.#settleSecond(row, known, news, source);
    const latest = mergePayments(
      known,
      source === 'response' ? news : this.#withoutConflict(row, known, news),
    );
    const text = await this.#seal(row, latest);
    const inDoubt = source === 'notification' && (row.state !== 'settled' || row.inDoubt);
    const present = await this.move(row, settled(row, text, paymentId, inDoubt), transaction);
    // Another process has changed the row if it has neither this result nor the old revision.
    const isMoved = present.payment === text || present.revision === row.revision;
    return isMoved ? present : this.settle(present, news, source, transaction);
  }

  #seal(row: PaymentRow, payment: Payment): Promise<string> {
    return this.codec.encodeResult(row, row.payload === null ? withoutPersonal(payment) : payment);
  }

  /**
   * Handles a second payment of a key: the key has no effect, or a notification about another payment
   * settled the row. In a row in doubt, the second payment is kept unless the first has a later status,
   * because the customer may have paid it.
   */
  async #settleSecond(
    row: PaymentRow,
    known: Payment | undefined,
    news: Payment,
    source: 'response' | 'notification',
  ): Promise<PaymentRow> {
    const isReplaced =
      source === 'response' &&
      row.inDoubt &&
      (findRank(news.status) ?? -1) >= (findRank(known?.status) ?? -1);
    const both = `${shownId(row.paymentId)} and ${shownId(findId(news) ?? null)}`;
    const message = `Two payments have the key ${row.key} (${both}). The ${isReplaced ? 'second' : 'first'} is kept.`;
    this.report(new Error(message), { during: 'conflict', key: row.key });
    if (source === 'notification') return row;
    const kept = isReplaced ? { payment: await this.#seal(row, news), paymentId: findId(news) ?? null } : row;
    return this.move(row, afterSecondPayment({ ...row, ...kept }, message));
  }

  async reportSecondPaid(row: PaymentRow): Promise<void> {
    this.report(secondPaid(await this.toRecord(row)), { during: 'conflict', key: row.key });
  }

  /** A platform or a gateway can reject a request that was executed. */
  reportPaidAfterRejection({ key }: PaymentRow): void {
    const message = `The externalId of the key ${key} was paid, although the recorded payment was rejected. Compare both with the platform, before the customer pays again.`;
    this.report(new Error(message), { during: 'conflict', key });
  }

  #withoutConflict({ key }: PaymentRow, known: Payment | undefined, news: Payment): Payment {
    const [before, now] = [known?.externalReference, news.externalReference];
    if ((before ?? now) === (now ?? before)) return news;
    const message = `A notification about the payment of the key ${key} has another externalReference. The stored one is kept.`;
    this.report(new Error(message), { during: 'conflict', key });
    return { ...news, externalReference: before as string };
  }

  /** The API docs do not show either field in a notification, so a missing field matches. */
  async belongsTo(row: PaymentRow, news: Partial<Compared>): Promise<boolean> {
    const recorded = await this.#readRecorded(row);
    const present = compared.filter((field) => (news[field] ?? null) !== null);
    if (recorded === undefined || present.some((field) => recorded[field] === undefined))
      return this.#reject(row, `whose payload was ${row.payload === null ? 'erased' : 'changed'}`);
    const other = present.filter((field) => news[field] !== recorded[field]);
    return other.length === 0 || this.#reject(row, `but has another ${other.join(' and ')}`);
  }

  /**
   * If this process lacks the encryption key, the platform sends the notification again, maybe to a process
   * that has it.
   */
  async #readRecorded(row: PaymentRow): Promise<Partial<Compared> | undefined> {
    const known = await this.codec.readResult(row);
    const isKnown = compared.every((field) => (known?.[field] ?? null) !== null);
    const payload = isKnown ? 'changed' : await this.codec.readPayload(row);
    if (payload === 'unreadable' || (known === undefined && row.payment !== null)) throw this.unreadable(row);
    const sent: Partial<Compared> | undefined = payload === 'changed' ? undefined : payload.payment;
    if (known === undefined && sent === undefined) return undefined;
    return {
      amount: known?.amount ?? sent?.amount,
      paymentMethod: known?.paymentMethod ?? sent?.paymentMethod,
    } as Partial<Compared>;
  }

  #reject({ key }: PaymentRow, why: string): false {
    const message = `A notification may be about the payment ${key}, ${why}. It was not applied. Compare the payment with the platform.`;
    this.report(new Error(message), { during: 'conflict', key });
    return false;
  }

  /** Keeps the fields that later notifications are compared with. */
  protected override async reduceResult(row: PaymentRow): Promise<string | null> {
    const payment = await this.codec.readResult(row);
    if (row.payment !== null && payment === undefined) throw this.unreadable(row);
    const recorded = payment && (await this.#readRecorded(row));
    const kept = payment && withoutPersonal({ ...payment, ...recorded, id: row.paymentId as string });
    return kept === undefined ? null : this.codec.encodeResult(row, kept);
  }

  protected override show(payload: Payload): object {
    return withoutSecrets(payload);
  }

  override async toRecord<Extra extends object>(row: PaymentRow): Promise<PaymentRecord<Extra>> {
    return toRecord(row, (await this.codec.readResult(row)) as (Payment & Extra) | undefined);
  }

  protected override findId(payment: Payment): string | undefined {
    return findId(payment);
  }

  protected override async endedWithoutHook(row: PaymentRow): Promise<Error> {
    return endedWithoutHook(await this.toRecord(row));
  }
}

const findId = ({ id }: Payment): string | undefined =>
  typeof id === 'string' && id !== '' ? id : undefined;

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Any other string is not shown, because it could contain anything. */
const shownId = (id: string | null): string => (id !== null && uuid.test(id) ? id : 'another id');
