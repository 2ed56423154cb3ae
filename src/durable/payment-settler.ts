import type { PaymentPlatform } from '../client.js';
import type { Payment } from '../contract/payments/types.js';
import { isFinal, type PaymentRow, type RowChange, rowVersion } from '../stores/payment-row.js';
import { findRank } from '../webhooks/notification.js';
import { endedWithoutHook, secondPaid, secondPayment } from './durable-error.js';
import type { DurableFailure, ResolvedOptions } from './options.js';
import { type Payload, RowCodec } from './payload.js';
import { type PaymentRecord, parseObject, toRecord } from './payment-record.js';
import {
  afterDamage,
  afterDeadline,
  afterFailure,
  afterResponseWithoutId,
  afterSecondPayment,
  afterStandstill,
  afterUnreadablePayload,
  mergePayments,
  settled,
} from './transitions.js';

/** The client's methods that durable payments use. */
export type Payments = Pick<PaymentPlatform['payments'], 'create' | 'reconcile' | 'validate'>;

/**
 * A row that this process holds. `heldSince` is the value of `performance.now()` just before the row was
 * claimed or read.
 */
export interface HeldRow {
  readonly row: PaymentRow;
  readonly heldSince: number;
}

/**
 * Returns the milliseconds until a row's deadline, or another time by the store's clock. The store's clock measures the time until the row was
 * read. This process's monotonic clock measures the time since then.
 */
const timeLeft = ({ row, heldSince }: HeldRow, end: number = row.deadline): number =>
  end - row.now - (performance.now() - heldSince);

export interface Attempted {
  readonly row: PaymentRow;
  /** The payment from the response, even if the store could not save it. */
  readonly payment?: Payment | undefined;
  readonly error?: unknown;
}

/** The fields that a notification must share with its payment. */
type Compared = Pick<Payment, 'amount' | 'paymentMethod'>;
const compared = ['amount', 'paymentMethod'] as const;

const withoutPersonal = ({ id, status, amount, paymentMethod }: Payment) => ({
  id,
  status,
  amount,
  paymentMethod,
});

export class PaymentSettler<Transaction> {
  readonly codec: RowCodec;
  readonly #payments: Payments;
  readonly #options: ResolvedOptions<Transaction>;
  #hasReportedForeign = false;
  /** When the rows of other merchants are counted next, by the monotonic clock. */
  #nextCount = 0;

  constructor(payments: Payments, options: ResolvedOptions<Transaction>) {
    this.#payments = payments;
    this.#options = options;
    this.codec = new RowCodec(options.sealer);
  }

  /**
   * Claims due rows for this process. The lease counts from just before the store's query, by a monotonic
   * clock. A process that was suspended after the query therefore notices that it no longer holds the row.
   *
   * @throws the store's errors
   */
  async claim(limit: number, key?: string): Promise<readonly HeldRow[]> {
    const { store, lease } = this.#options;
    const heldSince = performance.now();
    const rows = await store.claim({ lease, limit, version: rowVersion, key });
    return rows.map((row) => ({ row, heldSince }));
  }

  /**
   * Sends the payment of a row that this process holds. Never rejects: a failing store is reported.
   *
   * @param isThrown whether the caller throws a final failure. Otherwise, it is reported if it has no hook.
   */
  async attempt(held: HeldRow, isThrown = false): Promise<Attempted> {
    const work = () => this.#attempt(held);
    const attempted = await (this.#options.telemetry?.durable.attempt(held.row, work) ?? work());
    if (!isThrown) await this.#reportEnd(attempted.row);
    return attempted;
  }

  async #reportEnd(row: PaymentRow): Promise<void> {
    const { onFailed, onGivenUp } = this.#options;
    const hasFailed = row.state === 'failed' && onFailed === undefined;
    if (hasFailed || (row.state === 'given_up' && onGivenUp === undefined))
      this.report(endedWithoutHook(await this.record(row)), { during: 'send', key: row.key });
  }

  async #attempt(held: HeldRow): Promise<Attempted> {
    const { row } = held;
    const payload = await this.codec.readPayload(row);
    if (payload === 'changed') return this.#ending(row, () => this.#move(row, afterDamage(row)));
    // Nothing is awaited between these checks and the call. The call checks its own deadline before its first
    // byte.
    const pursuedFor = timeLeft(held);
    if (pursuedFor <= 0) return this.#ending(row, () => this.#move(row, afterDeadline(row)));
    if (payload === 'unreadable') {
      this.report(new Error(unreadable(row.key)), { during: 'read', key: row.key });
      return this.#ending(row, () => this.#move(row, afterUnreadablePayload(row, this.#options)));
    }
    const { lease, timeout } = this.#options;
    const leaseLeft = lease - (performance.now() - held.heldSince);
    if (leaseLeft < Math.min(timeout, lease / 2)) {
      this.report(new Error(stoodStill(row.key)), { during: 'claim', key: row.key });
      return this.#ending(row, () => this.#move(row, afterStandstill(row)));
    }
    try {
      const payment = await this.#send(row, payload, Math.min(pursuedFor, leaseLeft));
      if (findId(payment) === undefined)
        return await this.#ending(row, () => this.#move(row, afterResponseWithoutId(row, this.#options)));
      this.#compare(row, payload.payment, payment);
      const ended = await this.#ending(row, () => this.settle(row, payment, 'response'), { payment });
      // A notification may have settled the row with another payment in the meantime.
      const isOther = ended.row.state === 'settled' && ended.row.paymentId !== findId(payment);
      return isOther ? { row: ended.row } : ended;
    } catch (error) {
      return this.#ending(row, () => this.#move(row, afterFailure(row, error, this.#options)), { error });
    }
  }

  /**
   * Fetches the present state of a settled payment, with the same payload and key. The row stays unchanged if
   * its payload cannot be sent, or if the platform may have forgotten the key.
   */
  async refresh(held: HeldRow): Promise<{ readonly row: PaymentRow; readonly isCurrent: boolean }> {
    const { row } = held;
    const unasked = { row, isCurrent: false };
    const payload = await this.codec.readPayload(row);
    const pursuedFor = timeLeft(held, row.refreshUntil ?? row.deadline);
    if (typeof payload === 'string' || pursuedFor <= 0) return unasked;
    const payment = await this.#send(row, payload, pursuedFor);
    if (findId(payment) === undefined) return unasked;
    this.#compare(row, payload.payment, payment);
    const present = await this.settle(row, payment, 'response');
    if (row.paymentId === findId(payment)) return { row: present, isCurrent: true };
    throw secondPayment(await this.record(present));
  }

  /**
   * Sends a row's payload with its key, within the given milliseconds. If the row is in doubt, calls
   * `reconcile` instead of `create`.
   */
  #send({ key, inDoubt }: PaymentRow, { payment, extraBody }: Payload, within: number): Promise<Payment> {
    const timeout = Math.ceil(Math.min(this.#options.timeout, within));
    const options = { idempotencyKey: key, timeout, ...(extraBody && { extraBody: { ...extraBody } }) };
    return inDoubt
      ? this.#payments.reconcile(payment, { ...options, interval: timeout })
      : this.#payments.create(payment, options);
  }

  /**
   * Reports a returned payment whose amount or method differs from the payload's. The key may have been used
   * before for another payment, and the platform may have ignored the new payload. The returned payment is
   * stored anyway, because it exists.
   */
  #compare({ key }: PaymentRow, sent: Payload['payment'], { amount, paymentMethod }: Partial<Payment>): void {
    const differs =
      (amount ?? sent.amount) !== sent.amount || (paymentMethod ?? sent.paymentMethod) !== sent.paymentMethod;
    if (!differs) return;
    const message = `The payment of the key ${key} has another amount or method than its payload. Was the key used for another payment?`;
    this.report(new Error(message), { during: 'conflict', key });
  }

  /**
   * Stores a row's next state at the end of an attempt. If the store fails, the error is reported, and a
   * process claims the row again after the lease.
   */
  async #ending(
    row: PaymentRow,
    move: () => Promise<PaymentRow>,
    ended: Omit<Attempted, 'row'> = {},
  ): Promise<Attempted> {
    try {
      return { row: await move(), ...ended };
    } catch (error) {
      this.report(error, { during: 'update', key: row.key });
      return { row, ...ended };
    }
  }

  /**
   * Stores a payment from a response or a notification. Does not check which process holds the row, because
   * an existing payment settles the row for every process. If only a notification settled a row, `inDoubt`
   * stays true: the notification can be about another payment, and the platform may not know the row's key.
   *
   * @throws the store's errors
   */
  async settle(
    row: PaymentRow,
    news: Payment,
    source: 'response' | 'notification',
    transaction?: Transaction,
  ): Promise<PaymentRow> {
    const paymentId = findId(news) ?? row.paymentId;
    const known = await this.codec.readPayment(row);
    // The stored payment can be newer than the received one. A process that cannot decrypt it must not
    // replace it.
    if (row.payment !== null && known === undefined) throw new Error(unreadable(row.key));
    const isOther = row.paymentId !== null && paymentId !== row.paymentId;
    if (isOther) return this.#settleSecond(row, known, news, source);
    const latest = mergePayments(
      known,
      source === 'response' ? news : this.#withoutConflict(row, known, news),
    );
    const text = await this.#seal(row, latest);
    const inDoubt = source === 'notification' && (row.state !== 'settled' || row.inDoubt);
    const present = await this.#move(row, settled(row, text, paymentId, inDoubt), transaction);
    const isMoved = present.payment === text || present.revision === row.revision;
    return isMoved ? present : this.settle(present, news, source, transaction);
  }

  #seal({ key, payload }: PaymentRow, payment: Payment): Promise<string> {
    return this.codec.payment(key, payload === null ? withoutPersonal(payment) : payment);
  }

  /**
   * Handles a second payment of a key: the key has no effect, or a notification about another payment settled
   * the row. The payment with the later status is kept, because the customer may have paid it.
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
    return this.#move(row, afterSecondPayment({ ...row, ...kept }, message));
  }

  /** Reports a paid event about a payment that is not recorded, for the reference of a settled row. */
  async reportSecondPaid(row: PaymentRow): Promise<void> {
    this.report(secondPaid(await this.record(row)), { during: 'conflict', key: row.key });
  }

  /** Drops a notification's order if the stored payment has another one, and reports it. */
  #withoutConflict({ key }: PaymentRow, known: Payment | undefined, news: Payment): Payment {
    const [before, now] = [known?.externalReference, news.externalReference];
    if ((before ?? now) === (now ?? before)) return news;
    const message = `A notification about the payment of the key ${key} has another externalReference. The stored one is kept.`;
    this.report(new Error(message), { during: 'conflict', key });
    return { ...news, externalReference: before as string };
  }

  /**
   * Checks that a notification has the amount and the payment method of the row's payment or, if there is none
   * yet, of its payload, and reports a difference. The API docs do not show either field in a notification, so a
   * missing field matches.
   */
  async belongsTo(row: PaymentRow, news: Partial<Compared>): Promise<boolean> {
    const recorded = await this.#readRecorded(row);
    const present = compared.filter((field) => (news[field] ?? null) !== null);
    if (recorded === undefined || present.some((field) => recorded[field] === undefined))
      return this.#reject(row, `whose payload was ${row.payload === null ? 'erased' : 'changed'}`);
    const other = present.filter((field) => news[field] !== recorded[field]);
    return other.length === 0 || this.#reject(row, `but has another ${other.join(' and ')}`);
  }

  /**
   * Reads the compared fields of a row's payment or, if the platform has not returned them, of its payload.
   *
   * @throws Error if this process lacks the encryption key. The platform then sends the notification again, maybe
   * to a process that has it.
   */
  async #readRecorded(row: PaymentRow): Promise<Partial<Compared> | undefined> {
    const known = await this.codec.readPayment(row);
    const isKnown = compared.every((field) => (known?.[field] ?? null) !== null);
    const payload = isKnown ? 'changed' : await this.codec.readPayload(row);
    if (payload === 'unreadable' || (known === undefined && row.payment !== null))
      throw new Error(unreadable(row.key));
    const sent: Partial<Compared> | undefined = payload === 'changed' ? undefined : payload.payment;
    if (known === undefined && sent === undefined) return undefined;
    return {
      amount: known?.amount ?? sent?.amount,
      paymentMethod: known?.paymentMethod ?? sent?.paymentMethod,
    } as Partial<Compared>;
  }

  /** Reports a notification that is not applied. */
  #reject({ key }: PaymentRow, why: string): false {
    const message = `A notification may be about the payment ${key}, ${why}. It was not applied. Compare the payment with the platform.`;
    this.report(new Error(message), { during: 'conflict', key });
    return false;
  }

  /**
   * Erases a row's payload, and its payment except the fields that later notifications are compared with.
   * Returns false if another process has changed the row.
   */
  async erase(row: PaymentRow): Promise<boolean> {
    const payment = await this.codec.readPayment(row);
    if (row.payment !== null && payment === undefined) throw new Error(unreadable(row.key));
    const recorded = payment && (await this.#readRecorded(row));
    const kept = payment && withoutPersonal({ ...payment, ...recorded, id: row.paymentId as string });
    const text = kept === undefined ? null : await this.codec.payment(row.key, kept);
    return this.#options.store.erase(row, text);
  }

  async record<Extra extends object>(row: PaymentRow): Promise<PaymentRecord<Extra>> {
    return toRecord(row, (await this.codec.readPayment(row)) as (Payment & Extra) | undefined);
  }

  /**
   * Reports due rows of other merchants in the table, once. Without a process of theirs, they are never sent.
   * Looks for them once per minute, because counting reads every open row.
   */
  async reportForeign(): Promise<void> {
    if (this.#hasReportedForeign || performance.now() < this.#nextCount) return;
    this.#nextCount = performance.now() + countInterval;
    try {
      const foreign = (await this.#options.store.counts()).find(({ state }) => state === 'foreign');
      if (foreign === undefined) return;
      this.#hasReportedForeign = true;
      this.report(new Error(foreignRows(foreign.count)), { during: 'foreign' });
    } catch {
      // The claim reports a failing store.
    }
  }

  /** Calls `onError`, and ignores its errors. */
  report(error: unknown, failure: DurableFailure): void {
    const run = async () => this.#options.onError(error, failure);
    run().catch(() => undefined);
  }

  /** Changes a row. If another process changed the row first, changes nothing and returns the current row. */
  async #move(row: PaymentRow, next: RowChange, transaction?: Transaction): Promise<PaymentRow> {
    const { store } = this.#options;
    const { dueIn, ...fields } = next;
    if (!(await store.update(row, next, transaction))) return (await store.find(row.key, transaction)) ?? row;
    const dueAt = dueIn === null ? null : row.now + dueIn;
    const moved = { ...row, ...fields, revision: row.revision + 1, dueAt };
    if (moved.state === 'blocked') await this.#reportBlocked(row, moved);
    await this.#callHook(row, moved);
    return moved;
  }

  /** Reports a row that the platform rejects until somebody repairs the configuration, once per status. */
  async #reportBlocked(before: PaymentRow, after: PaymentRow): Promise<void> {
    const { key } = after;
    const status = parseObject(after.error)?.status;
    if (parseObject(before.error)?.status === status) return;
    const { onBlocked } = this.#options;
    if (onBlocked !== undefined) await this.#call(onBlocked, after);
    else this.report(new Error(blocked(key, Number(status))), { during: 'send', key });
  }

  /** Calls the merchant's hook for a row that reached a final state. */
  async #callHook(before: PaymentRow, after: PaymentRow): Promise<void> {
    if (after.state === before.state || !isFinal(after.state)) return;
    this.#options.telemetry?.durable.ended(after);
    const { onSettled, onFailed, onGivenUp } = this.#options;
    const hooks = { settled: onSettled, failed: onFailed, given_up: onGivenUp };
    const hook = hooks[after.state];
    if (hook !== undefined) await this.#call(hook, after);
  }

  async #call(hook: (record: PaymentRecord) => unknown, row: PaymentRow): Promise<void> {
    const record = await this.record(row);
    const run = async () => hook(record);
    run().catch((error: unknown) => this.report(error, { during: 'hook', key: row.key }));
  }
}

const findId = ({ id }: Payment): string | undefined =>
  typeof id === 'string' && id !== '' ? id : undefined;

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/**
 * Returns an id if it is a UUID, as documented. Any other string is not shown, because it could contain
 * anything.
 */
const shownId = (id: string | null): string => (id !== null && uuid.test(id) ? id : 'another id');

/** Milliseconds between two counts of other merchants' rows. */
const countInterval = 60_000;

const foreignRows = (count: number) =>
  `${count} due payments in the table belong to another base address or client id, so this client does not send them. Run a process with their client, or call adopt if the credentials or the address were changed.`;

const blocked = (key: string, status: number) =>
  `The platform rejected the payment ${key} with ${status}, because the credentials, the address or the method are wrong. Nothing was executed. Repair the configuration. The SDK sends the payment again until giveUpAfter.`;

const stoodStill = (key: string) =>
  `The payment ${key} was not sent, because this process stood still until its lease was nearly over. Another attempt follows.`;

const unreadable = (key: string) =>
  `The stored payload of the payment ${key} is encrypted with a key that this process does not have. Nothing was changed. Give every process the old key and the new one before any of them encrypts with the new one.`;
