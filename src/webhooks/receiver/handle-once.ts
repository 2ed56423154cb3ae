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

/** A job with the claim under which it is done. */
interface Attempt extends Job {
  readonly details: ClaimDetails;
  /** `lost`: somebody else has the claim. */
  claim: 'held' | 'lost' | 'given back';
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
    const attempt: Attempt = { ...job, details: { holder: crypto.randomUUID(), digest }, claim: 'held' };
    const claim = await this.#claim(attempt);
    if (claim === undefined) return 'unavailable';
    if (claim === 'busy') return 'busy';
    if (claim === 'changed' && !delivery.changed) return this.#handleChanged(job);
    if (claim !== 'claimed') {
      this.#reports.duplicate(event, delivery);
      return 'duplicate';
    }
    if (delivery.changed) this.#reports.changed(event, delivery);
    const open = this.#store.begin?.bind(this.#store);
    return open === undefined ? this.#run(attempt) : this.#runInTransaction(open, attempt);
  }

  /**
   * Another body under an identity that is done. The API document does not say that this cannot be news, and what
   * is not handed on is lost: so it is a notification of its own, known by its body.
   */
  #handleChanged(job: Job): Promise<ReceiveOutcome> | ReceiveOutcome {
    const { delivery, digest, event } = job;
    if (this.#options.handlesChanged)
      return this.handle({ ...job, delivery: delivery.with({ id: digest, changed: true }) });
    this.#reports.changed(event, delivery.with({ changed: true }));
    return 'duplicate';
  }

  /** Undefined if the store is away. */
  async #claim(attempt: Attempt): Promise<ClaimAnswer | undefined> {
    const { event, delivery, details } = attempt;
    const giveBack = () => this.#giveBack(attempt);
    try {
      const claim = await this.#step(
        () => this.#store.claim(delivery.id, this.#options.lease, details),
        giveBack,
      );
      if (claimAnswers.includes(claim)) return claim;
      throw noAnswer();
    } catch (error) {
      this.#reports.error(error, 'dedupe', event);
      // It may have been granted all the same, and would keep the next delivery waiting.
      giveBack();
      return undefined;
    }
  }

  /** Nobody waits for it: a claim expires by itself. */
  #giveBack({ delivery, details }: Attempt): void {
    void this.#release(delivery.id, details).then(ignore, ignore);
  }

  async #release(id: string, details: ClaimDetails): Promise<void> {
    await this.#step(() => this.#store.release(id, details));
  }

  /** Runs the handler, and keeps its claim for as long as it runs. */
  async #runHandler(attempt: Attempt, given: Received): Promise<void> {
    const work = attempt.choice.handler?.(attempt.event, given);
    if (!isPromise(work)) return;
    let isRunning = true;
    const timer = setInterval(() => void this.#renew(attempt, () => isRunning), this.#options.lease / 3);
    // A handler that never ends does not keep the process from ending.
    unref(timer);
    try {
      await work;
    } finally {
      isRunning = false;
      clearInterval(timer);
    }
  }

  async #renew(attempt: Attempt, isRunning: () => boolean): Promise<void> {
    const { delivery, event, details } = attempt;
    const settle = (isHeld: unknown) => {
      // It may have taken again what was given back meanwhile.
      if (attempt.claim === 'given back') this.#giveBack(attempt);
      else if (isHeld === false && isRunning()) this.#lose(attempt);
    };
    try {
      settle(await this.#step(() => this.#store.renew?.(delivery.id, this.#options.lease, details), settle));
    } catch (error) {
      this.#reports.error(error, 'dedupe', event);
    }
  }

  /** Somebody else has the claim: tells the merchant and the handler, once. */
  #lose(attempt: Attempt): ReceiveOutcome {
    if (attempt.claim === 'held') {
      attempt.claim = 'lost';
      const { delivery, event } = attempt;
      this.#reports.error(new Error(`${delivery.id} ${wasOvertaken}`), 'dedupe', event);
      delivery.abort();
    }
    return 'overtaken';
  }

  async #run(attempt: Attempt): Promise<ReceiveOutcome> {
    let isOutdated: boolean;
    try {
      isOutdated = await this.#isOutdated(attempt, this.#store);
    } catch (error) {
      return this.#giveUp('unavailable', 'dedupe', error, attempt);
    }
    try {
      if (!isOutdated) await this.#runHandler(attempt, attempt.delivery);
    } catch (error) {
      return this.#giveUp('failed', 'handler', error, attempt);
    }
    const isOurs = await this.#complete(attempt);
    if (isOutdated) return 'outdated';
    return isOurs ? attempt.choice.outcome : this.#lose(attempt);
  }

  async #runInTransaction(
    open: () => Promise<DedupeTransaction<unknown>>,
    attempt: Attempt,
  ): Promise<ReceiveOutcome> {
    const { delivery, choice, details } = attempt;
    let transaction: DedupeTransaction<unknown> | undefined;
    let outcome: 'unavailable' | 'failed' = 'unavailable';
    let during: 'dedupe' | 'handler' = 'dedupe';
    try {
      // One that opens too late would keep its client.
      const opened = await this.#step(open, (late) => void this.#rollback(late));
      transaction = opened;
      const isOutdated = await this.#isOutdated(attempt, opened);
      outcome = 'failed';
      during = 'handler';
      if (!isOutdated) await this.#runHandler(attempt, delivery.with({ transaction: opened.client }));
      during = 'dedupe';
      const isCommitted = await this.#step(() => opened.commit(delivery.id, this.#options.keepFor, details));
      // Somebody else took the claim after it had expired: what this one wrote is rolled back.
      if (!aBoolean(isCommitted)) return 'busy';
      return isOutdated ? 'outdated' : choice.outcome;
    } catch (error) {
      if (transaction !== undefined) await this.#rollback(transaction);
      return this.#giveUp(outcome, during, error, attempt);
    }
  }

  /** Reports what failed, and gives the claim back, so that the next delivery is handled. */
  async #giveUp(
    outcome: 'unavailable' | 'failed',
    during: 'dedupe' | 'handler',
    error: unknown,
    attempt: Attempt,
  ): Promise<ReceiveOutcome> {
    const { event, delivery, details } = attempt;
    this.#reports.error(error, during, event);
    attempt.claim = 'given back';
    try {
      await this.#release(delivery.id, details);
    } catch (releaseError) {
      // The claim expires by itself.
      this.#reports.error(releaseError, 'dedupe', event);
    }
    return outcome;
  }

  /** It may wait behind a query that hangs; where the connection is lost, so is what was written. */
  async #rollback(transaction: DedupeTransaction<unknown>): Promise<void> {
    await this.#step(() => transaction.rollback()).then(ignore, ignore);
  }

  /** Whether the transaction has come further than this notification tells. */
  async #isOutdated(
    { event, delivery }: Attempt,
    store: Pick<DedupeStore<unknown>, 'advance'>,
  ): Promise<boolean> {
    const state = this.#options.forwardOnly ? stateOf(event) : undefined;
    if (state === undefined) return false;
    const id = await checkedIdentity(state.id);
    const moves = await this.#step(() => store.advance?.(id, state.rank, this.#options.keepFor));
    if (aBoolean(moves)) return false;
    this.#reports.outdated(event, delivery);
    return true;
  }

  /**
   * The work is done: if it cannot be marked, the delivery is acknowledged all the same, so that it is not sent
   * again. False if somebody else has the claim, or has done the same.
   */
  async #complete({ event, delivery, details }: Attempt): Promise<boolean> {
    for (const pause of [...completePauses, undefined]) {
      try {
        const isOurs = await this.#step(() =>
          this.#store.complete(delivery.id, this.#options.keepFor, details),
        );
        return isOurs !== false;
      } catch (error) {
        this.#reports.error(error, 'dedupe', event);
      }
      if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return true;
  }

  async #step<Answer>(
    work: () => Answer | PromiseLike<Answer>,
    onLate?: (answer: Answer) => void,
  ): Promise<Answer> {
    return step(work, 'The dedupe store', onLate);
  }
}

const ignore = () => {};

const wasOvertaken =
  'was taken by another process while its handler ran, which may run twice: the store forgot the claim, or this process stood still.';

const noAnswer = () => new TypeError('The dedupe store gave none of its answers.');

/** An answer on which it depends whether an event is handled. */
function aBoolean(answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer;
  throw noAnswer();
}
