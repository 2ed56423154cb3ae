import type { WebhookEvent } from '../../contract/events.js';
import { isPromise } from '../../input/outside.js';
import type { ClaimAnswer, ClaimDetails, DedupeStore, DedupeTransaction } from '../dedupe/dedupe-store.js';
import type { Choice } from './choose-handler.js';
import { checkedIdentity } from './identity.js';
import type { ReceiveOutcome } from './outcome.js';
import type { Received } from './received.js';
import type { ResolvedReceiverOptions } from './receiver-options.js';
import type { Reports } from './reports.js';
import { step } from './steps.js';
import { stateOf } from './transaction-order.js';
import { unref } from './unref.js';

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
    const details = { holder: crypto.randomUUID(), digest: job.digest };
    const claim = await this.#claim(job, details);
    if (claim === undefined) return 'unavailable';
    if (claim === 'busy') return 'busy';
    if (claim !== 'claimed') {
      this.#reports.duplicate(job.event, job.delivery, claim === 'changed');
      return 'duplicate';
    }
    const open = this.#store.begin?.bind(this.#store);
    return open === undefined ? this.#run(job, details) : this.#runInTransaction(open, job, details);
  }

  /** Undefined if the store is away. */
  async #claim({ event, delivery: { id } }: Job, details: ClaimDetails): Promise<ClaimAnswer | undefined> {
    const giveBack = () => void this.#step(() => this.#store.release(id, details)).then(ignore, ignore);
    try {
      const claim = await this.#step(() => this.#store.claim(id, this.#options.lease, details), giveBack);
      if (claimAnswers.includes(claim)) return claim;
      throw new TypeError('The dedupe store answered a claim with something else.');
    } catch (error) {
      this.#reports.error(error, 'dedupe', event);
      // It may have been granted all the same, and would keep the next delivery waiting.
      giveBack();
      return undefined;
    }
  }

  /** Runs the handler, and extends its claim for as long as it runs. */
  async #runHandler({ event, delivery, choice }: Job, details: ClaimDetails, given: Received): Promise<void> {
    const work = choice.handler?.(event, given);
    if (!isPromise(work)) return;
    const renew = async () => {
      try {
        await this.#store.renew?.(delivery.id, this.#options.lease, details);
      } catch (error) {
        this.#reports.error(error, 'dedupe', event);
      }
    };
    const timer = setInterval(renew, this.#options.lease / 3);
    // A handler that never ends does not keep the process from ending.
    unref(timer);
    try {
      await work;
    } finally {
      clearInterval(timer);
    }
  }

  async #run(job: Job, details: ClaimDetails): Promise<ReceiveOutcome> {
    let isOutdated: boolean;
    try {
      isOutdated = await this.#isOutdated(job, this.#store);
    } catch (error) {
      return this.#giveUp('dedupe', error, job, details);
    }
    try {
      if (!isOutdated) await this.#runHandler(job, details, job.delivery);
    } catch (error) {
      return this.#giveUp('handler', error, job, details);
    }
    await this.#complete(job, details);
    return isOutdated ? 'outdated' : job.choice.outcome;
  }

  async #runInTransaction(
    open: () => Promise<DedupeTransaction<unknown>>,
    job: Job,
    details: ClaimDetails,
  ): Promise<ReceiveOutcome> {
    const { delivery, choice } = job;
    const { keepFor } = this.#options;
    let transaction: DedupeTransaction<unknown> | undefined;
    let during: 'dedupe' | 'handler' = 'dedupe';
    try {
      // One that opens too late would keep its client.
      const opened = await this.#step(open, (late) => void this.#rollback(late));
      transaction = opened;
      const isOutdated = await this.#isOutdated(job, opened);
      during = 'handler';
      if (!isOutdated) await this.#runHandler(job, details, delivery.within(opened.client));
      during = 'dedupe';
      // Another process took the claim after it had expired: what this one wrote is rolled back.
      if (!(await this.#step(() => opened.commit(delivery.id, keepFor, details)))) return 'busy';
      return isOutdated ? 'outdated' : choice.outcome;
    } catch (error) {
      if (transaction !== undefined) await this.#rollback(transaction);
      return this.#giveUp(during, error, job, details);
    }
  }

  /** Reports what failed, and gives the claim back, so that the next delivery is handled. */
  async #giveUp(
    during: 'dedupe' | 'handler',
    error: unknown,
    { event, delivery: { id } }: Job,
    details: ClaimDetails,
  ): Promise<ReceiveOutcome> {
    this.#reports.error(error, during, event);
    try {
      await this.#step(() => this.#store.release(id, details));
    } catch (releaseError) {
      // The claim expires by itself.
      this.#reports.error(releaseError, 'dedupe', event);
    }
    return during === 'handler' ? 'failed' : 'unavailable';
  }

  /** It may wait behind a query that hangs; where the connection is lost, so is what was written. */
  async #rollback(transaction: DedupeTransaction<unknown>): Promise<void> {
    await this.#step(() => transaction.rollback()).then(ignore, ignore);
  }

  /** Whether the transaction has come further than this notification tells. */
  async #isOutdated(
    { event, delivery }: Job,
    store: Pick<DedupeStore<unknown>, 'advance'>,
  ): Promise<boolean> {
    const state = this.#options.forwardOnly ? stateOf(event) : undefined;
    if (state === undefined) return false;
    const id = await checkedIdentity(state.id);
    const moves = await this.#step(() => store.advance?.(id, state.rank, this.#options.keepFor));
    if (moves === false) this.#reports.outdated(event, delivery);
    return moves === false;
  }

  /** The work is done: if it cannot be marked, the delivery is acknowledged all the same, so that it is not sent again. */
  async #complete({ event, delivery: { id } }: Job, details: ClaimDetails): Promise<void> {
    for (const pause of [...completePauses, undefined]) {
      try {
        await this.#step(() => this.#store.complete(id, this.#options.keepFor, details));
        return;
      } catch (error) {
        this.#reports.error(error, 'dedupe', event);
      }
      if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  async #step<Answer>(
    work: () => Answer | PromiseLike<Answer>,
    onLate?: (answer: Answer) => void,
  ): Promise<Answer> {
    return step(work, 'The dedupe store', onLate);
  }
}

const ignore = () => {};
