import type { WebhookEvent } from '../../contract/events.js';
import type { ClaimAnswer, ClaimDetails, DedupeStore, DedupeTransaction } from '../dedupe/dedupe-store.js';
import type { Choice } from './choose-handler.js';
import { checkedIdentity } from './identity.js';
import type { ReceiveOutcome } from './outcome.js';
import type { Received } from './received.js';
import type { ResolvedReceiverOptions } from './receiver-options.js';
import type { Reports } from './reports.js';
import { begin, finished } from './steps.js';
import { stateOf } from './transaction-order.js';

/** The pauses before a delivery is marked as done again, in milliseconds. */
const completePauses = [100, 1000];

/** Every answer to a claim. Another one says nothing of whether the delivery was handled. */
const claimAnswers: readonly string[] = ['claimed', 'busy', 'done', 'changed'] satisfies ClaimAnswer[];

/** A chosen handler and what it is called with. */
export interface Job {
  readonly event: WebhookEvent;
  readonly delivery: Received;
  readonly choice: Choice;
  /** SHA-256 of the body. */
  readonly digest: string;
}

/** Handles deliveries so that each has its effect once: claims it, runs the handler, and marks it as done. */
export class HandleOnce {
  readonly #options: ResolvedReceiverOptions;
  readonly #store: DedupeStore<unknown>;
  readonly #reports: Reports;

  constructor(options: ResolvedReceiverOptions, store: DedupeStore<unknown>, reports: Reports) {
    this.#options = options;
    this.#store = store;
    this.#reports = reports;
  }

  async handle(job: Job): Promise<ReceiveOutcome> {
    const { event, delivery, digest } = job;
    const details = { holder: crypto.randomUUID(), digest };
    const claim = await this.#claim(job, details);
    if (claim === undefined) return 'unavailable';
    if (claim === 'busy') return 'busy';
    if (claim !== 'claimed') {
      this.#reports.duplicate(event, delivery, claim === 'changed');
      return 'duplicate';
    }
    const stopRenewing = this.#renew(job, details);
    try {
      return this.#store.begin === undefined
        ? await this.#run(job, details)
        : await this.#runInTransaction(job, details);
    } finally {
      stopRenewing();
    }
  }

  /** Undefined if the store is away. */
  async #claim({ event, delivery: { id } }: Job, details: ClaimDetails): Promise<ClaimAnswer | undefined> {
    const claiming = begin(() => this.#store.claim(id, this.#options.lease, details));
    try {
      const claim = await finished(claiming);
      if (claimAnswers.includes(claim)) return claim;
      throw new TypeError('The dedupe store answered a claim with something else.');
    } catch (error) {
      this.#reports.error(error, 'dedupe', event);
      // A claim that was granted all the same would keep the next delivery waiting.
      const release = () => this.#store.release(id, details);
      Promise.resolve(claiming).then(release, release).catch(ignore);
      return undefined;
    }
  }

  /** Extends the claim until the returned function is called. */
  #renew({ event, delivery: { id } }: Job, details: ClaimDetails): () => void {
    const { lease } = this.#options;
    const renew = async () => {
      try {
        await this.#store.renew?.(id, lease, details);
      } catch (error) {
        this.#reports.error(error, 'dedupe', event);
      }
    };
    const timer = setInterval(renew, lease / 3);
    // A handler that never ends does not keep the process from ending.
    (timer as { unref?(): void }).unref?.();
    return () => clearInterval(timer);
  }

  async #run(job: Job, details: ClaimDetails): Promise<ReceiveOutcome> {
    const { event, delivery, choice } = job;
    let isOutdated: boolean;
    try {
      isOutdated = await this.#isOutdated(job, this.#store);
    } catch (error) {
      this.#reports.error(error, 'dedupe', event);
      await this.#release(job, details);
      return 'unavailable';
    }
    try {
      if (!isOutdated) await choice.handler?.(event, delivery);
    } catch (error) {
      this.#reports.error(error, 'handler', event);
      await this.#release(job, details);
      return 'failed';
    }
    await this.#complete(job, details);
    return isOutdated ? 'outdated' : choice.outcome;
  }

  async #runInTransaction(job: Job, details: ClaimDetails): Promise<ReceiveOutcome> {
    const { event, delivery, choice } = job;
    let transaction: DedupeTransaction<unknown> | undefined;
    let isHandlers = false;
    try {
      transaction = await this.#begin();
      const isOutdated = await this.#isOutdated(job, transaction ?? this.#store);
      isHandlers = true;
      if (!isOutdated) await choice.handler?.(event, delivery.within(transaction?.client));
      isHandlers = false;
      // Another process took the claim after it had expired: what this one wrote is rolled back.
      const committing = begin(() => transaction?.commit(delivery.id, this.#options.keepFor, details));
      if (!(await finished(committing))) return 'busy';
      return isOutdated ? 'outdated' : choice.outcome;
    } catch (error) {
      this.#reports.error(error, isHandlers ? 'handler' : 'dedupe', event);
      await this.#rollback(transaction);
      await this.#release(job, details);
      return isHandlers ? 'failed' : 'unavailable';
    }
  }

  /** It may wait behind a query that hangs. */
  async #rollback(transaction: DedupeTransaction<unknown> | undefined): Promise<void> {
    try {
      await finished(begin(() => transaction?.rollback()));
    } catch {
      // The connection is lost, and with it what was written.
    }
  }

  async #begin(): Promise<DedupeTransaction<unknown> | undefined> {
    const beginning = begin(() => this.#store.begin?.());
    try {
      return await finished(beginning);
    } catch (error) {
      // One that begins after all would keep its client.
      Promise.resolve(beginning)
        .then((transaction) => transaction?.rollback())
        .catch(ignore);
      throw error;
    }
  }

  /** Whether the transaction has come further than this notification tells. */
  async #isOutdated(
    { event, delivery }: Job,
    store: Pick<DedupeStore<unknown>, 'advance'>,
  ): Promise<boolean> {
    const state = this.#options.forwardOnly ? stateOf(event) : undefined;
    if (state === undefined) return false;
    const id = await checkedIdentity(state.id);
    const moves = await finished(begin(() => store.advance?.(id, state.rank, this.#options.keepFor)));
    if (moves === false) this.#reports.outdated(event, delivery);
    return moves === false;
  }

  /** The work is done: if it cannot be marked, the delivery is acknowledged all the same, so that it is not sent again. */
  async #complete({ event, delivery: { id } }: Job, details: ClaimDetails): Promise<void> {
    for (const pause of [...completePauses, undefined]) {
      try {
        await finished(begin(() => this.#store.complete(id, this.#options.keepFor, details)));
        return;
      } catch (error) {
        this.#reports.error(error, 'dedupe', event);
      }
      if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** If it fails, the claim expires by itself. */
  async #release({ event, delivery: { id } }: Job, details: ClaimDetails): Promise<void> {
    try {
      await finished(begin(() => this.#store.release(id, details)));
    } catch (error) {
      this.#reports.error(error, 'dedupe', event);
    }
  }
}

const ignore = () => {};
