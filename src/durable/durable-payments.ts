import type { WebhookEvent } from '../contract/events.js';
import type { Payment } from '../contract/payments/types.js';
import { isPaymentPlatformError } from '../errors/base.js';
import { ConfigurationError, ValidationError } from '../errors/usage.js';
import { bindMethods } from '../validation/bind-methods.js';
import { isRecord } from '../validation/record.js';
import { DurablePaymentError, notSettled, storeFailed } from './durable-error.js';
import {
  checkedOptions,
  type EnqueueOptions,
  type ListOptions,
  listReaders,
  type ObserveOptions,
  observeReaders,
  type RecordOptions,
  type RefreshOptions,
  refreshReaders,
  type SettleDueOptions,
  settleDueReaders,
} from './method-options.js';
import { observe } from './observe.js';
import { type DurableOptions, type ResolvedOptions, resolveDurableOptions } from './options.js';
import type { DurablePayment } from './payload.js';
import type { PaymentRecord } from './payment-record.js';
import { isErasable, isFinal, type PaymentRow, type RowChange, rowVersion } from './payment-row.js';
import type { StateCount } from './payment-store.js';
import { Recorder } from './recorder.js';
import { Runner, type RunOptions } from './runner.js';
import { type Attempted, type Payments, Settler } from './settler.js';
import { cancelled, reopened } from './transitions.js';
import { wait } from './wait.js';

/** A payment that is known. `Extra` is what your platform sends beyond the API document, such as the code of a Pix. */
export interface SettledPayment<Extra extends object = object> {
  /** The payment: of an answer, or as far as notifications told of it. */
  readonly payment: Payment & Extra;
  /** What is recorded of it. */
  readonly record: PaymentRecord<Extra>;
}

/** How many milliseconds apart the row of another process is read. */
const lookAgain = 200;

/**
 * Payments that survive a crash: each is recorded before its first byte is sent, and pursued with its key and payload
 * until it is known. In any number of processes over one store.
 */
export class DurablePayments<Transaction = never> {
  readonly #options: ResolvedOptions<Transaction>;
  readonly #settler: Settler<Transaction>;
  readonly #recorder: Recorder<Transaction>;

  constructor(platform: { readonly payments: Payments }, options: DurableOptions<Transaction>) {
    if (!isRecord(platform) || typeof platform.payments?.reconcile !== 'function')
      throw new ConfigurationError(
        'createDurablePayments takes the client first: new PaymentPlatform(options).',
      );
    this.#options = resolveDurableOptions(options);
    this.#settler = new Settler(platform.payments, this.#options);
    this.#recorder = new Recorder(platform.payments, this.#options, this.#settler.texts);
    bindMethods(this);
  }

  /**
   * Records a payment, sends it, and settles it. The same key and payload again give what is known, or pursue it; a
   * second call at the same time waits for the first.
   *
   * @throws ValidationError naming every broken rule; nothing was recorded.
   * @throws IdempotencyConflictError if the key was recorded with another payload; nothing was sent.
   * @throws DurablePaymentError if there is no payment yet, or none: see `record.state` and `outcome`.
   */
  async create<Extra extends object = object>(
    payment: DurablePayment,
    options: RecordOptions,
  ): Promise<SettledPayment<Extra>> {
    try {
      const { isNew, ...held } = await this.#recorder.record(payment, options, 'sending');
      return await (isNew
        ? this.#settler.attempt(held).then((attempted) => this.#result<Extra>(attempted))
        : this.#pursue<Extra>(held.row));
    } catch (error) {
      throw isPaymentPlatformError(error) ? error : storeFailed(options.key, error);
    }
  }

  /**
   * Records a payment, which `run` or `settle` sends: with your order, in its transaction. The same key and payload
   * again give what is recorded.
   *
   * @throws ValidationError naming every broken rule; nothing was recorded.
   * @throws IdempotencyConflictError if the key was recorded with another payload.
   * @throws DurablePaymentError if the store fails; with `client`, what the store throws.
   */
  async enqueue(payment: DurablePayment, options: EnqueueOptions<Transaction>): Promise<PaymentRecord> {
    try {
      const { row } = await this.#recorder.record(payment, options, 'recorded');
      return await this.#settler.record(row);
    } catch (error) {
      throw isPaymentPlatformError(error) || options.client !== undefined
        ? error
        : storeFailed(options.key, error);
    }
  }

  /**
   * Brings a recorded payment forward: what a job of your queue calls. It resolves with the payment, and rejects if it
   * should be called again later (`record.dueAt`), or if there will be none (`failed`, `given_up`).
   *
   * @throws DurablePaymentError
   * @throws what the store throws: its name, its code and the words of its message, as all of these methods do
   */
  async settle<Extra extends object = object>(key: string): Promise<SettledPayment<Extra>> {
    return this.#pursue(await this.#found(key));
  }

  /**
   * Asks for the present status of a payment whose notifications may have been lost: a settled payment can still be
   * pending. Sends the recorded payload with its key, which charges nothing, and only within `giveUpAfter`. After that,
   * and after `forget`, it returns the recorded payment without a request. It pursues a payment that is not settled.
   *
   * If only a notification settled the payment (`record.inDoubt`), the platform may not know the key, and a request
   * with it could be the first charge. Nothing is sent then, unless you pass `{ mayCharge: true }`.
   *
   * @throws ValidationError naming every wrong option
   * @throws DurablePaymentError if there is no payment
   * @throws what `payments.create` of the client throws: the record stays as it is
   */
  async refresh<Extra extends object = object>(
    key: string,
    options: RefreshOptions = {},
  ): Promise<SettledPayment<Extra>> {
    const { mayCharge = false } = checkedOptions('refresh', options, refreshReaders);
    const heldSince = performance.now();
    const row = await this.#found(key);
    if (row.state !== 'settled') return this.#pursue(row);
    if (row.inDoubt && !mayCharge) return this.#result({ row });
    return this.#result({ row: await this.#settler.refresh({ row, heldSince }) });
  }

  /** Settles what is due, once: for a cron job or a function. Gives how many payments were taken up. */
  async settleDue(options: SettleDueOptions = {}): Promise<number> {
    const { limit = 100 } = checkedOptions('settleDue', options, settleDueReaders);
    return new Runner(this.#options, this.#settler).once(limit);
  }

  /**
   * Takes up what is due, and what processes that died left behind, until the signal aborts. Then it waits for the
   * attempts that are under way, at most for `timeout`. It never rejects: what fails is told to `onError`.
   */
  run(options: RunOptions = {}): Promise<void> {
    return new Runner(this.#options, this.#settler).run(options);
  }

  /**
   * Applies a verified notification: it settles a payment whose response was lost, and moves the status of a known
   * payment, never to an earlier one. Returns undefined if no recorded payment matches. Call it in your receiver's
   * handlers.
   *
   * With `client`, it reads and writes in your open transaction and needs no second connection. `onSettled` is then
   * called before that transaction commits.
   *
   * @throws ValidationError if `client` is not an open transaction
   * @throws what the store throws, so that the platform sends the notification again
   */
  async observe(
    event: WebhookEvent,
    options: ObserveOptions<Transaction> = {},
  ): Promise<PaymentRecord | undefined> {
    const { client } = checkedOptions('observe', options, observeReaders);
    const row = await observe(this.#options.store, this.#settler, event, client as Transaction | undefined);
    return row === undefined ? undefined : this.#settler.record(row);
  }

  /** What is recorded under a key. */
  async find<Extra extends object = object>(key: string): Promise<PaymentRecord<Extra> | undefined> {
    const row = await this.#row(key);
    return row === undefined ? undefined : this.#settler.record(row);
  }

  /** Payments in the order of their keys. */
  async list<Extra extends object = object>(
    options: ListOptions = {},
  ): Promise<readonly PaymentRecord<Extra>[]> {
    const { limit = 100, ...filter } = checkedOptions('list', options, listReaders);
    const rows = await this.#options.store.list({ ...filter, limit });
    return Promise.all(rows.map((row) => this.#settler.record<Extra>(row)));
  }

  /** How many payments are in each state but `settled`, and the age of the oldest, in milliseconds. */
  async counts(): Promise<readonly StateCount[]> {
    return this.#options.store.counts();
  }

  /**
   * Says that a payment is not to be sent: one that was not executed yet, or one that was given up and that a person
   * has found not to be charged. False if it is too late, or nothing is recorded.
   */
  cancel(key: string): Promise<boolean> {
    return this.#change(key, ({ state }) => state === 'recorded' || state === 'given_up', cancelled);
  }

  /**
   * Sends a payment again that has failed or was given up, for `giveUpAfter` from now. Only as long as the platform
   * remembers its key. False if nothing such is recorded.
   */
  retry(key: string): Promise<boolean> {
    const { giveUpAfter } = this.#options;
    // What was erased cannot be sent again.
    const isRight = ({ state, payload }: PaymentRow) =>
      (state === 'failed' || state === 'given_up') && payload !== null;
    return this.#change(key, isRight, (row) => reopened(row, giveUpAfter));
  }

  /** Erases what was sent, and of the payment all but `id` and `status`. The key stays taken. False if it is neither settled nor failed. */
  async forget(key: string): Promise<boolean> {
    const row = await this.#row(key);
    return row !== undefined && isErasable(row.state) && this.#settler.erase(row);
  }

  async #change(
    key: string,
    isRight: (row: PaymentRow) => boolean,
    change: (row: PaymentRow) => RowChange,
  ): Promise<boolean> {
    const { store } = this.#options;
    const row = await this.#row(key);
    const isKnown = row !== undefined && row.version <= rowVersion && isRight(row);
    return isKnown && store.update(key, row.revision, change(row));
  }

  /** Attempts a payment, or waits for the process that does. */
  async #pursue<Extra extends object>(row: PaymentRow): Promise<SettledPayment<Extra>> {
    const { timeout } = this.#options;
    const end = performance.now() + timeout;
    let present = row;
    while (!isFinal(present.state)) {
      const [taken] = await this.#settler.claim(1, row.key);
      if (taken !== undefined) return this.#result(await this.#settler.attempt(taken));
      // Another process has it. It is read after the claim: this process may have stood still between the two.
      present = await this.#found(row.key);
      if (performance.now() > end || row.version > rowVersion) break;
      if (!isFinal(present.state)) await wait(lookAgain);
    }
    return this.#result({ row: present });
  }

  /** The row with a key. A database would make of another value what it can. @throws ValidationError */
  async #row(key: string): Promise<PaymentRow | undefined> {
    if (typeof key !== 'string')
      throw new ValidationError('durable payments', [{ path: 'key', message: 'must be a string' }]);
    return this.#options.store.find(key);
  }

  async #found(key: string): Promise<PaymentRow> {
    const row = await this.#row(key);
    if (row !== undefined) return row;
    throw new DurablePaymentError('payment_not_found', `No payment is recorded under the key ${key}.`, {
      outcome: 'not-executed',
      idempotencyKey: key,
    });
  }

  /** The payment of a row, or of the answer to this process, which may be more. @throws DurablePaymentError */
  async #result<Extra extends object>({
    row,
    payment: answer,
    error,
  }: Attempted): Promise<SettledPayment<Extra>> {
    const record = await this.#settler.record<Extra>(row);
    const payment = answer ?? (row.state === 'settled' ? record.payment : undefined);
    if (payment !== undefined) return { payment: payment as Payment & Extra, record };
    throw notSettled(record, error);
  }
}
