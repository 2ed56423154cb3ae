import { findRank, type WebhookEvent } from '../contract/events.js';
import type { Payment } from '../contract/payments/types.js';
import { isPaymentPlatformError } from '../errors/base.js';
import { ConfigurationError, ValidationError } from '../errors/usage.js';
import type { PaymentRow } from '../stores/payment-row.js';
import type { StateCount } from '../stores/payment-store.js';
import { bindMethods } from '../validation/methods.js';
import { isRecord, objectProblem } from '../validation/record.js';
import { keyIsHeld, notFound, notSettled, storeFailed } from './durable-error.js';
import type { Merchant } from './merchant-store.js';
import {
  checkMethodOptions,
  type EnqueueOptions,
  type FormerMerchant,
  type ListOptions,
  type ObserveOptions,
  optionReadersForList,
  optionReadersForObserve,
  optionReadersForRefresh,
  type RecordOptions,
  type RefreshOptions,
  type SettleDueOptions,
} from './method-options.js';
import { type DurableOptions, type ResolvedOptions, resolveDurableOptions } from './options.js';
import type { DurablePayment, Payload } from './payload.js';
import type { PaymentRecord } from './payment-record.js';
import { PaymentSettler, type Payments, paymentKind } from './payment-settler.js';
import { readPayment } from './read-payment.js';
import { RecordedRows } from './recorded-rows.js';
import { Recorder } from './recorder.js';
import { settleByNotification } from './settle-by-notification.js';
import type { Attempted } from './settler.js';
import { mergePayments } from './transitions.js';
import type { RunOptions } from './worker.js';

/**
 * A settled payment. `Extra` is the type of the fields that your platform sends beyond the API docs, such as
 * a Pix code.
 */
export interface SettledPayment<Extra extends object = object> {
  /** The payment from a response, or the fields that notifications contained, or both combined. */
  readonly payment: Payment & Extra;
  /** The payment's record. */
  readonly record: PaymentRecord<Extra>;
  /**
   * Whether the platform returned the payment's status for this call. If false, the status is the recorded one,
   * and the payment may have another by now.
   */
  readonly isCurrent: boolean;
}

/**
 * What `observe` did with a notification.
 *
 * - `applied`: the record now has the notification's status.
 * - `outdated`: the record already has a later status, for example `refunded` when a late `transaction.paid`
 *   arrives. Acknowledge the event, and act on the record's status.
 * - `mismatch`: a recorded payment matches, but the event has another amount or `paymentMethod`, or the recorded ones
 *   were erased. Nothing was changed. Acknowledge the event, and compare the payment with the platform. A field that
 *   the event leaves out is not compared.
 * - `unknown`: no recorded payment matches, for example because another system created it. Acknowledge the event.
 *   If the payment was paid for the `externalId` of a settled one, `onError` receives a `DurablePaymentError` with
 *   the code `second_payment`. For the `externalId` of a rejected one, `onError` receives an `Error`.
 */
export type Observed<Extra extends object = object> =
  | {
      /** Whether the record has the notification's status, has a later one, or does not match it. */
      readonly outcome: 'applied' | 'outdated' | 'mismatch';
      /** The payment's record after the notification. */
      readonly record: PaymentRecord<Extra>;
    }
  | {
      /** No recorded payment matches. */
      readonly outcome: 'unknown';
      /** Absent. */
      readonly record?: undefined;
    };

/**
 * Payments that survive a crash. The SDK records each payment before it sends the first byte, and retries the
 * payment with its key and payload.
 */
export class DurablePayments<Transaction = never> {
  readonly #options: ResolvedOptions<Transaction>;
  readonly #settler: PaymentSettler<Transaction>;
  readonly #payments: Payments;
  readonly #recorder: Recorder<Transaction, Payload>;
  readonly #rows: RecordedRows<Transaction, Payment, PaymentRecord>;

  constructor(
    platform: { readonly payments: Payments; readonly merchant: Merchant },
    options: DurableOptions<Transaction>,
  ) {
    if (!isRecord(platform) || typeof platform.payments?.reconcile !== 'function' || !platform.merchant)
      throw new ConfigurationError(
        'createDurablePayments takes the client first: new PaymentPlatform(options).',
      );
    this.#options = resolveDurableOptions('createDurablePayments', options, platform.merchant, paymentKind);
    this.#settler = new PaymentSettler(platform.payments, this.#options);
    this.#payments = platform.payments;
    this.#recorder = new Recorder(this.#options, this.#settler.codec, paymentKind, keyIsHeld);
    this.#rows = new RecordedRows(this.#options, this.#settler, notFound);
    bindMethods(this);
  }

  /**
   * Records, sends and settles a payment. A later call with the same key and payload returns the recorded
   * payment or, if the payment has not ended, keeps trying to settle it. A concurrent call waits for the
   * first call, at most for `timeout`.
   *
   * @throws ValidationError, which names the broken rules. Nothing was recorded.
   * @throws IdempotencyConflictError if the key was recorded with a different payload. Nothing was sent.
   * @throws DurablePaymentError if the payment is not settled, or if the store failed. Check `outcome`.
   */
  async create<Extra extends object = object>(
    payment: DurablePayment,
    options: RecordOptions,
  ): Promise<SettledPayment<Extra>> {
    const checked = readPayment(this.#payments, this.#options, payment, options, 'sending');
    try {
      const { isNew, ...held } = await this.#recorder.record(checked, 'sending');
      return await (isNew
        ? this.#settler.attempt(held, true).then((attempted) => this.#result<Extra>(attempted))
        : this.#pursue<Extra>(held.row));
    } catch (error) {
      throw isPaymentPlatformError(error) ? error : storeFailed(checked.key, error);
    }
  }

  /**
   * Records a payment in the same database transaction as your order, so that `run` or `settle` can send it
   * later. A later call with the same key and payload returns the record.
   *
   * @throws ValidationError, which names the broken rules. Nothing was recorded.
   * @throws IdempotencyConflictError if the key was recorded with a different payload.
   * @throws DurablePaymentError if the store fails. With `client`, `enqueue` throws a `StoreError` instead, so
   * that you can repeat the transaction. Its `code` is the SQLSTATE, or else the driver's code, if there is one.
   */
  async enqueue(payment: DurablePayment, options: EnqueueOptions<Transaction>): Promise<PaymentRecord> {
    const checked = readPayment(this.#payments, this.#options, payment, options, 'recorded');
    try {
      const { row } = await this.#recorder.record(checked, 'recorded');
      return await this.#settler.toRecord(row);
    } catch (error) {
      throw isPaymentPlatformError(error) || checked.client !== undefined
        ? error
        : storeFailed(checked.key, error);
    }
  }

  /**
   * Sends or resumes a recorded payment, and resolves with the settled payment. Call `settle` from a job in
   * your queue. `settle` rejects if the job should run again later (`record.dueAt`), or if the payment has
   * ended as `failed` or `given_up`.
   *
   * @throws DurablePaymentError
   * @throws the store's error. This applies to most methods of this class.
   */
  async settle<Extra extends object = object>(key: string): Promise<SettledPayment<Extra>> {
    return this.#pursue(await this.#rows.found(key));
  }

  /**
   * Fetches the current status of a payment, for example if its notifications were lost. A settled payment
   * can still have a pending status. Within `refreshFor`, `refresh` sends the recorded payload with its key.
   * This does not charge the customer again while the platform remembers the key. After `refreshFor`, or
   * after `forget`, `refresh` returns the recorded payment without sending a request, and `isCurrent` is false.
   * If the payment has not ended, `refresh` resumes it.
   *
   * If only a notification settled the payment, `record.inDoubt` is true: the platform
   * might not know the key, so a request with this key could create the first charge. In that case, the SDK
   * sends nothing unless you pass `{ mayCharge: true }`.
   *
   * @throws ValidationError, which names the wrong options
   * @throws DurablePaymentError if the payment does not exist or is not settled, or if the key returned a
   * different payment. In the last case, the SDK sends nothing more.
   * @throws the error of the client's request. The record stays unchanged.
   */
  async refresh<Extra extends object = object>(
    key: string,
    options: RefreshOptions = {},
  ): Promise<SettledPayment<Extra>> {
    const { mayCharge = false } = checkMethodOptions(
      'durable payments, refresh',
      options,
      optionReadersForRefresh,
    );
    const heldSince = performance.now();
    const row = await this.#rows.found(key);
    if (row.state !== 'settled') return this.#pursue(row);
    // A settled row has an error only if its key returned a second payment.
    if (row.inDoubt && (!mayCharge || row.error !== null)) return this.#result({ row });
    const { row: present, isCurrent } = await this.#settler.refresh({ row, heldSince });
    return { ...(await this.#result<Extra>({ row: present })), isCurrent };
  }

  /**
   * Attempts at most `limit` due payments, once each. For example, call it in a cron job or a serverless function.
   * Returns the number of claimed payments.
   */
  async settleDue(options: SettleDueOptions = {}): Promise<number> {
    return this.#rows.settleDue(options);
  }

  /**
   * Settles due payments until the signal aborts, including payments left behind by dead processes. After the
   * abort, `run` finishes the attempts under way. Each takes at most `timeout`, plus the store's time. `run` reports
   * failures to `onError`.
   *
   * @throws only ConfigurationError, for a wrong option
   */
  run(options: RunOptions = {}): Promise<void> {
    return this.#rows.run(options);
  }

  /**
   * Applies a verified notification. Settles a payment whose response was lost, and moves the status of a
   * settled payment forward, never back. Call `observe` in your receiver's handlers. If the `outcome` is `applied` or
   * `outdated`, act on the status in `record.payment`, not on the event's. Otherwise, the payment is unknown here, or
   * has another amount.
   *
   * With `client`, it works in your open transaction, and calls `onSettled` before the commit, again after a
   * rollback.
   *
   * @throws ValidationError if `client` is not an open transaction, or if `event` is not an object
   * @throws the store's error, so that the platform resends the notification. With `client`, it is a `StoreError`
   * @throws Error, for example if several payments have the `externalId`, and the id of one is not known yet
   */
  async observe<Extra extends object = object>(
    event: WebhookEvent,
    options: ObserveOptions<Transaction> = {},
  ): Promise<Observed<Extra>> {
    const { client } = checkMethodOptions('durable payments, observe', options, optionReadersForObserve);
    const problem =
      objectProblem(event) ??
      (typeof event.event === 'string' ? undefined : 'must be an event of your receiver, with its name');
    if (problem !== undefined)
      throw new ValidationError('durable payments', [{ path: 'event', message: problem }]);
    const { outcome, row } = await settleByNotification(
      this.#options.store,
      this.#settler,
      event,
      client as Transaction | undefined,
    );
    return outcome === 'unknown'
      ? { outcome }
      : { outcome, record: await this.#settler.toRecord<Extra>(row) };
  }

  /** Finds the record of a key. Returns undefined if the key has no record. */
  async find<Extra extends object = object>(key: string): Promise<PaymentRecord<Extra> | undefined> {
    return (await this.#rows.find(key)) as PaymentRecord<Extra> | undefined;
  }

  /**
   * Finds the payment that a key sends, without the secret fields that the API docs list. It contains personal data. Returns
   * undefined if the key has no record, or if its payload was erased.
   *
   * @throws Error if this process cannot decrypt the payload, or if it was changed
   */
  findPayload(key: string): Promise<object | undefined> {
    return this.#rows.findPayload(key);
  }

  /** Lists payments, ordered by key. */
  async list<Extra extends object = object>(
    options: ListOptions = {},
  ): Promise<readonly PaymentRecord<Extra>[]> {
    return (await this.#rows.list(options, optionReadersForList)) as readonly PaymentRecord<Extra>[];
  }

  /**
   * Counts the payments in each state except `settled`. Each count comes with the age of the oldest payment
   * in that state, in milliseconds. `foreign` counts the due payments of other merchants in the table.
   */
  async counts(): Promise<readonly StateCount[]> {
    // No payment is in doubt as a state.
    return (await this.#rows.counts()) as readonly StateCount[];
  }

  /**
   * Cancels a payment that the SDK gave up on, or that has not been executed yet. Before you cancel a
   * given-up payment, check that the customer was not charged. Returns false if it is too late to cancel, or
   * if the key has no record.
   */
  cancel(key: string): Promise<boolean> {
    return this.#rows.cancel(key);
  }

  /**
   * Reopens a failed or given-up payment, and retries it for the payment's own `giveUpAfter` or
   * `refreshFor`, whichever is shorter. A further `retry` can last longer, but never longer than `refreshFor`. Use `retry` only while the
   * platform remembers the key. Returns false for a payment in any other state, or without a payload.
   */
  retry(key: string): Promise<boolean> {
    return this.#rows.retry(key);
  }

  /**
   * Takes over the payments of this merchant's former client id or base address, and returns their number.
   * Without it, this client neither finds nor sends them. Stop the processes with the former credentials
   * first, and start the others afterwards. Payments that are being sent are left out, so call `adopt` again
   * after the lease. If the platform does not know a key under another client id, sending the payment again
   * can charge again.
   *
   * @throws ValidationError, which names the wrong options
   */
  adopt(former: FormerMerchant): Promise<number> {
    return this.#rows.adopt(former);
  }

  /**
   * Erases the recorded payload and payment, except the payment's `id`, `status`, `amount` and
   * `paymentMethod`. You cannot use the key for another payment. Returns false if no settled or
   * failed payment has the key.
   */
  forget(key: string): Promise<boolean> {
    return this.#rows.forget(key);
  }

  async #pursue<Extra extends object>(row: PaymentRow): Promise<SettledPayment<Extra>> {
    return this.#result(await this.#rows.pursue(row));
  }

  /** The response can have more fields than the row. */
  async #result<Extra extends object>({
    row,
    result: responsePayment,
    error,
  }: Attempted<Payment>): Promise<SettledPayment<Extra>> {
    const record = await this.#settler.toRecord<Extra>(row);
    const recorded = row.state === 'settled' ? record.payment : undefined;
    // A notification that arrived before the response can have a later status. Otherwise, the response stays the object
    // that `responseOf` knows.
    const isLate =
      responsePayment && (findRank(recorded?.status) ?? -1) > (findRank(responsePayment.status) ?? -1);
    const payment = isLate ? mergePayments(recorded, responsePayment) : (responsePayment ?? recorded);
    if (payment !== undefined)
      return { payment: payment as Payment & Extra, record, isCurrent: responsePayment !== undefined };
    throw notSettled(record, error);
  }
}
