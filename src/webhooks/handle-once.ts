import type { WebhookEvent } from '../contract/events.js';
import type { ClaimDetails, ClaimResult, DedupeStore, DedupeTransaction } from '../stores/dedupe-store.js';
import { isPromise } from '../validation/record.js';
import { runWithTimeLimit, type TimeLimit, unref } from '../validation/time-limit.js';
import { callHook, reportError } from './hooks.js';
import { findState, type HandlerChoice, identifyBody, type TransactionState, toKey } from './notification.js';
import type { ReceiveOutcome } from './outcome.js';
import type { ResolvedReceiverOptions } from './receiver-options.js';
import type { ReceivedDelivery, ReceiveFailure } from './types.js';

/** In milliseconds, before each new attempt to mark a delivery as done. */
const completePauses = [100, 1000];

/** No other response shows whether the delivery was handled. */
const claimResults: readonly string[] = ['claimed', 'busy', 'done', 'changed'] satisfies ClaimResult[];

type Store = DedupeStore<unknown>;

type HandledDelivery = Omit<ReceivedDelivery<unknown, unknown>, 'signal'>;

export interface HandlingContext {
  readonly options: ResolvedReceiverOptions;
  readonly event: WebhookEvent;
  readonly delivery: HandledDelivery;
  readonly endpoint: string | undefined;
  readonly limit: TimeLimit;
  readonly choice: HandlerChoice;
  /** The handler's outcome, kept here until the store has saved it. */
  readonly done: { outcome?: ReceiveOutcome };
}

/** The signal is created when it is first read. */
export function withSignal(
  delivery: HandledDelivery,
  limit: TimeLimit,
): ReceivedDelivery<undefined, unknown> {
  const { id, changed, body, headers, url, context, timestamp, secretIndex, transaction } =
    delivery as ReceivedDelivery<undefined, unknown>;
  return {
    id,
    changed,
    body,
    headers,
    url,
    context,
    timestamp,
    secretIndex,
    transaction,
    get signal() {
      return limit.signal;
    },
  };
}

export class DeliveryHandler {
  readonly #handling: HandlingContext;
  readonly #store: Store;
  readonly #details: ClaimDetails;
  /** When this process requested the claim, by a monotonic clock. The lease counts from this time. */
  #claimedAt = 0;
  /** `lost` means that another process has the claim. */
  #claim: 'held' | 'lost' | 'released' = 'held';

  constructor(handling: HandlingContext, store: Store, digest: string) {
    this.#handling = handling;
    this.#store = store;
    this.#details = { holder: crypto.randomUUID(), digest };
  }

  async run(): Promise<ReceiveOutcome> {
    return this.#act(await this.#take());
  }

  async #act(found: ClaimResult | 'unavailable'): Promise<ReceiveOutcome> {
    const { changed } = this.#handling.delivery;
    if (found === 'claimed') {
      if (changed) this.#callHook('onChanged');
      return this.#handleClaimed();
    }
    if (found === 'changed' && !changed) return this.#handleChanged();
    if (found !== 'done' && found !== 'changed') return found;
    this.#callHook('onDuplicate');
    return 'duplicate';
  }

  async #take(): Promise<ClaimResult | 'unavailable'> {
    this.#claimedAt = performance.now();
    try {
      const found = await this.#step(
        () => this.#store.claim(this.#handling.delivery.id, this.#handling.options.lease, this.#details),
        () => this.#release(),
      );
      if (claimResults.includes(found)) return found;
      throw unknownValue();
    } catch (error) {
      this.#reportError(error);
      // The store may have granted the claim anyway. The claim would then block the next delivery.
      this.#release();
      return 'unavailable';
    }
  }

  /**
   * The store records the delivery's state before the handler's transaction begins, so that the state counts
   * even if the transaction is rolled back.
   */
  async #handleClaimed(): Promise<ReceiveOutcome> {
    let isOutdated: boolean;
    try {
      isOutdated = await this.#isOutdated(this.#store);
    } catch (error) {
      return this.#fail('unavailable', 'dedupe', error);
    }
    const { begin } = this.#store;
    if (!isOutdated) return begin === undefined ? this.#handle() : this.#handleInTransaction(begin);
    this.#handling.done.outcome = 'outdated';
    await this.#complete();
    return 'outdated';
  }

  async #handle(): Promise<ReceiveOutcome> {
    // If this process was suspended, it may have lost its claim. The handler has not started, so the process
    // can claim again.
    if (performance.now() - this.#claimedAt > this.#handling.options.lease) {
      const found = await this.#take();
      if (found !== 'claimed') return this.#act(found);
    }
    try {
      await this.#runHandler(this.#handling.delivery);
    } catch (error) {
      return this.#fail('failed', 'handler', error);
    }
    const { outcome } = this.#handling.choice;
    this.#handling.done.outcome = outcome;
    return (await this.#complete()) ? outcome : this.#lose();
  }

  async #handleInTransaction(begin: NonNullable<Store['begin']>): Promise<ReceiveOutcome> {
    let transaction: DedupeTransaction<unknown> | undefined;
    let outcome: 'unavailable' | 'failed' = 'unavailable';
    let during: 'dedupe' | 'handler' = 'dedupe';
    try {
      const opened = await this.#step(
        () => begin.call(this.#store, this.#handling.delivery.id, this.#details),
        // A transaction that opens too late is rolled back, because it would keep its client.
        (late) => void this.#rollback(late),
      );
      transaction = opened;
      const isOutdated = await this.#isOutdated(opened);
      outcome = 'failed';
      during = 'handler';
      const delivery = { ...this.#handling.delivery, transaction: opened.client };
      if (!isOutdated) await this.#runHandler(delivery, opened);
      during = 'dedupe';
      const isCommitted = await this.#step(() =>
        opened.commit(this.#handling.delivery.id, this.#handling.options.keepFor, this.#details),
      );
      // False means that another process took the expired claim. This process's writes are rolled back.
      if (!requireBoolean(isCommitted)) return this.#lose();
      return isOutdated ? 'outdated' : this.#handling.choice.outcome;
    } catch (error) {
      if (transaction !== undefined) await this.#rollback(transaction);
      return this.#fail(outcome, during, error);
    }
  }

  /**
   * A failure is ignored, because a lost connection also undoes the writes. The rollback can wait behind a
   * query that hangs.
   */
  async #rollback(transaction: DedupeTransaction<unknown>): Promise<void> {
    try {
      await this.#step(() => transaction.rollback());
    } catch {
      // The database ends the transaction on its own.
    }
  }

  /**
   * The API docs ask receivers to use a payload's stable identifiers, so other fields can differ in each
   * attempt. If the merchant wants such deliveries, each becomes a separate notification, identified by its
   * body.
   */
  async #handleChanged(): Promise<ReceiveOutcome> {
    const { options, endpoint } = this.#handling;
    const { digest } = this.#details;
    const delivery = { ...this.#handling.delivery, changed: true };
    if (options.changed === 'deliver') {
      const id = await identifyBody(digest, endpoint);
      return new DeliveryHandler(
        { ...this.#handling, delivery: { ...delivery, id } },
        this.#store,
        digest,
      ).run();
    }
    if (options.onChanged !== undefined) this.#callHook('onChanged', delivery);
    else if (options.reports.isFirst('changed'))
      this.#reportError(new Error(`A notification came again with another body. ${wasIgnored}`), 'identity');
    return 'duplicate';
  }

  /**
   * If it does not end within `handlerTimeout` after its signal aborted, the transaction is rolled back.
   * Handlers that never end would otherwise keep all connections.
   */
  async #endInTime(work: PromiseLike<unknown>): Promise<void> {
    const { limit, options } = this.#handling;
    const { signal } = limit;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abandoned = new Promise<never>((_, reject) => {
      const abandon = () => reject(new Error(neverEnded(options.handlerTimeout)));
      const start = () => {
        timer = setTimeout(abandon, options.handlerTimeout);
        unref(timer);
      };
      if (signal.aborted) start();
      else signal.addEventListener('abort', start);
    });
    try {
      await Promise.race([work, abandoned]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** `transaction` can end before the handler only if it rejects late statements. */
  #runHandler(
    delivery: HandledDelivery,
    transaction?: DedupeTransaction<unknown>,
  ): Promise<void> | undefined {
    const { choice, event, limit } = this.#handling;
    const handle = () => choice.handler?.(event, withSignal(delivery, limit));
    const work = transaction?.run === undefined ? handle() : transaction.run(handle);
    if (!isPromise(work)) return undefined;
    const handled = transaction?.rejectsLateStatements === true ? this.#endInTime(work) : work;
    return transaction?.keepsClaim === true
      ? Promise.resolve(handled).then(() => {})
      : this.#keepClaim(handled);
  }

  async #keepClaim(work: PromiseLike<unknown>): Promise<void> {
    let isRunning = true;
    const timer = setInterval(() => void this.#renew(() => isRunning), this.#handling.options.lease / 3);
    // A handler that never ends must not keep the process alive.
    unref(timer);
    try {
      await work;
    } finally {
      isRunning = false;
      clearInterval(timer);
    }
  }

  async #renew(isRunning: () => boolean): Promise<void> {
    const settle = (isHeld: unknown) => {
      // The claim was released while it was being renewed. The renewal may have restored the claim, so it is
      // released again.
      if (this.#claim === 'released') this.#release();
      else if (isHeld === false && isRunning()) this.#lose();
    };
    const { id } = this.#handling.delivery;
    try {
      settle(
        await this.#step(() => this.#store.renew?.(id, this.#handling.options.lease, this.#details), settle),
      );
    } catch (error) {
      this.#reportError(error);
    }
  }

  #lose(): ReceiveOutcome {
    if (this.#claim === 'held') {
      this.#claim = 'lost';
      this.#reportError(new Error(`${this.#handling.delivery.id} ${wasOvertaken}`));
      this.#handling.limit.abort();
    }
    return 'overtaken';
  }

  async #fail(
    outcome: 'unavailable' | 'failed',
    during: ReceiveFailure['during'],
    error: unknown,
  ): Promise<ReceiveOutcome> {
    this.#reportError(error, during);
    this.#claim = 'released';
    try {
      await this.#releaseClaim();
    } catch (releaseError) {
      // If the release fails, the claim expires on its own.
      this.#reportError(releaseError);
    }
    return outcome;
  }

  /** Releases the claim without waiting, because a claim expires on its own. */
  #release(): void {
    this.#releaseClaim().catch(() => {});
  }

  async #releaseClaim(): Promise<void> {
    await this.#step(() => this.#store.release(this.#handling.delivery.id, this.#details));
  }

  #isOutdated(store: Pick<Store, 'advance'>): Promise<boolean> | false {
    const state = this.#handling.options.order === undefined ? undefined : findState(this.#handling.event);
    return state !== undefined && this.#advance(store, state);
  }

  async #advance(store: Pick<Store, 'advance'>, { id, rank }: TransactionState): Promise<boolean> {
    const key = await toKey(id, this.#handling.endpoint);
    const { keepFor } = this.#handling.options;
    if (requireBoolean(await this.#step(() => store.advance?.(key, rank, keepFor)))) return false;
    this.#callHook('onOutdated');
    return true;
  }

  /** Returns true if the store fails, because the handler has completed and must not run again. */
  async #complete(): Promise<boolean> {
    const { id } = this.#handling.delivery;
    for (const pause of [...completePauses, undefined]) {
      try {
        const result = this.#step(() =>
          this.#store.complete(id, this.#handling.options.keepFor, this.#details),
        );
        return (await result) !== false;
      } catch (error) {
        this.#reportError(error);
      }
      if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return true;
  }

  #step<Result>(step: () => Result | PromiseLike<Result>, onLate?: (result: Result) => void) {
    return runWithTimeLimit('The dedupe store', step, onLate);
  }

  #reportError(error: unknown, during: ReceiveFailure['during'] = 'dedupe'): void {
    const { options, event, delivery } = this.#handling;
    reportError(options, error, { during, event, url: delivery.url, context: delivery.context });
  }

  #callHook(name: 'onChanged' | 'onDuplicate' | 'onOutdated', delivery = this.#handling.delivery): void {
    const { options, event, limit } = this.#handling;
    const { url, context } = delivery;
    callHook(options, () => options[name]?.(event, withSignal(delivery, limit)), { event, url, context });
  }
}

const wasIgnored =
  "It was not handled again. Set `onChanged` to see each of them, or changed: 'deliver' to handle them. This is reported once.";

const wasOvertaken =
  'was claimed by another process while its handler ran, so it may run twice. The store lost the claim, or this process was suspended.';

const neverEnded = (handlerTimeout: number) =>
  `The handler did not end within ${handlerTimeout} ms after its signal aborted, so its transaction was rolled back. Pass delivery.signal to its requests.`;

const unknownValue = () => new TypeError('The dedupe store returned an unknown value.');

/** The response decides whether an event is handled. */
function requireBoolean(result: unknown): boolean {
  if (typeof result === 'boolean') return result;
  throw unknownValue();
}
