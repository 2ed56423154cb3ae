import type { WebhookEvent } from '../contract/events.js';
import { isPromise } from '../input/outside.js';
import type { ClaimAnswer, ClaimDetails, DedupeStore, DedupeTransaction } from './dedupe/dedupe-store.js';
import { callHook, tellError } from './hooks.js';
import { type Choice, checkedIdentity, stateOf } from './notification.js';
import type { ReceiveOutcome } from './outcome.js';
import type { ResolvedReceiverOptions } from './receiver-options.js';
import { step, type TimeLimit, unref } from './time.js';
import type { ReceivedDelivery } from './types.js';

/** The pauses before a delivery is marked as done again, in milliseconds. */
const completePauses = [100, 1000];

/** Every answer to a claim. Another answer does not say whether the delivery was handled. */
const claimAnswers: readonly string[] = ['claimed', 'busy', 'done', 'changed'] satisfies ClaimAnswer[];

/** A delivery as handlers get it, but for its signal. */
type Facts = Omit<ReceivedDelivery<unknown>, 'signal'>;

/** A delivery that is to be handled. */
export interface Job {
  readonly options: ResolvedReceiverOptions;
  readonly event: WebhookEvent;
  readonly facts: Facts;
  readonly limit: TimeLimit;
  readonly choice: Choice;
}

/** A job and the claim under which it is done. */
interface Claim extends Job {
  readonly store: DedupeStore<unknown>;
  readonly details: ClaimDetails;
  /** `lost`: another process has the claim. */
  state: 'held' | 'lost' | 'given back';
}

/** A delivery as handlers and hooks get it. The signal is made when somebody asks for it. */
export function received(facts: Facts, limit: TimeLimit): ReceivedDelivery {
  const { id, changed, body, headers, timestamp, secretIndex, transaction } = facts as ReceivedDelivery;
  return {
    id,
    changed,
    body,
    headers,
    timestamp,
    secretIndex,
    transaction,
    get signal() {
      return limit.signal;
    },
  };
}

/**
 * Handles a delivery so that it has its effect once: claims it, runs the handler, and marks it as done.
 *
 * @param digest SHA-256 of the body.
 */
export async function handleOnce(
  job: Job,
  store: DedupeStore<unknown>,
  digest: string,
): Promise<ReceiveOutcome> {
  const { options, event, facts, limit, choice } = job;
  const details = { holder: crypto.randomUUID(), digest };
  const claim: Claim = { options, event, facts, limit, choice, store, details, state: 'held' };
  const found = await take(claim);
  if (found === 'claimed') {
    if (facts.changed) callHook(options, () => options.onChanged?.(event, received(facts, limit)), event);
    return store.begin === undefined ? run(claim) : runInTransaction(claim);
  }
  if (found === 'changed' && !facts.changed) return handleChanged(job, store, digest);
  if (found === 'done' || found === 'changed') {
    callHook(options, () => options.onDuplicate?.(event, received(facts, limit)), event);
    return 'duplicate';
  }
  return found;
}

/**
 * Handles another body under an identity that is done. The API document does not say that this cannot be news, and
 * what is not handed on is lost: so it is a notification of its own, known by its body.
 */
async function handleChanged(job: Job, store: DedupeStore<unknown>, digest: string): Promise<ReceiveOutcome> {
  const { options, event, limit } = job;
  const facts = { ...job.facts, changed: true };
  // A merchant who says what is the same has decided that nothing else of a notification is news.
  const { changed = options.identity === undefined ? 'deliver' : 'ignore' } = options;
  if (changed === 'deliver') return handleOnce({ ...job, facts: { ...facts, id: digest } }, store, digest);
  const { onChanged } = options;
  if (onChanged !== undefined) callHook(options, () => onChanged(event, received(facts, limit)), event);
  else
    tellError(
      options,
      new Error(`${facts.id} came again with another body. ${wasIgnored}`),
      'identity',
      event,
    );
  return 'duplicate';
}

const wasIgnored =
  "It was not handled. If it is another notification, say changed: 'deliver'; if not, take it in `onChanged`.";

/** What the store says to a claim; `unavailable` if it does not answer. */
async function take(claim: Claim): Promise<ClaimAnswer | 'unavailable'> {
  const { options, store, facts, details, event } = claim;
  try {
    const found = await storeStep(
      () => store.claim(facts.id, options.lease, details),
      () => giveBack(claim),
    );
    if (claimAnswers.includes(found)) return found;
    throw noAnswer();
  } catch (error) {
    tellError(options, error, 'dedupe', event);
    // The store may have granted it all the same, and would keep the next delivery waiting.
    giveBack(claim);
    return 'unavailable';
  }
}

const storeStep = <Answer>(work: () => Answer | PromiseLike<Answer>, onLate?: (answer: Answer) => void) =>
  step('The dedupe store', work, onLate);

/** Gives a claim back without waiting for it: a claim expires by itself. */
function giveBack(claim: Claim): void {
  void release(claim).then(ignore, ignore);
}

const release = ({ store, facts, details }: Claim) => storeStep(() => store.release(facts.id, details));

async function run(claim: Claim): Promise<ReceiveOutcome> {
  let isLate: boolean;
  try {
    isLate = await isOutdated(claim, claim.store);
  } catch (error) {
    return giveUp('unavailable', 'dedupe', error, claim);
  }
  try {
    if (!isLate) await runHandler(claim, claim.facts);
  } catch (error) {
    return giveUp('failed', 'handler', error, claim);
  }
  const isOurs = await complete(claim);
  if (isLate) return 'outdated';
  return isOurs ? claim.choice.outcome : lose(claim);
}

async function runInTransaction(claim: Claim): Promise<ReceiveOutcome> {
  const { options, store, facts, choice, details } = claim;
  let transaction: DedupeTransaction<unknown> | undefined;
  let outcome: 'unavailable' | 'failed' = 'unavailable';
  let during: 'dedupe' | 'handler' = 'dedupe';
  try {
    const opened = await storeStep(
      () => (store as Required<DedupeStore<unknown>>).begin(),
      // A transaction that opens too late would keep its client.
      (late) => void rollback(late),
    );
    transaction = opened;
    const isLate = await isOutdated(claim, opened);
    outcome = 'failed';
    during = 'handler';
    if (!isLate) await runHandler(claim, { ...facts, transaction: opened.client });
    during = 'dedupe';
    const isCommitted = await storeStep(() => opened.commit(facts.id, options.keepFor, details));
    // False: another process took the claim after it had expired, and what this one wrote is rolled back.
    if (!aBoolean(isCommitted)) return 'busy';
    return isLate ? 'outdated' : choice.outcome;
  } catch (error) {
    if (transaction !== undefined) await rollback(transaction);
    return giveUp(outcome, during, error, claim);
  }
}

/** A rollback may wait behind a query that hangs; where the connection is lost, so is what was written. */
async function rollback(transaction: DedupeTransaction<unknown>): Promise<void> {
  await storeStep(() => transaction.rollback()).then(ignore, ignore);
}

/** Runs the handler, and keeps its claim for as long as it runs. */
async function runHandler(claim: Claim, facts: Facts): Promise<void> {
  const { options, event, limit, choice } = claim;
  const work = choice.handler?.(event, received(facts, limit));
  if (!isPromise(work)) return;
  let isRunning = true;
  const timer = setInterval(() => void renew(claim, () => isRunning), options.lease / 3);
  // A handler that never ends does not keep the process from ending.
  unref(timer);
  try {
    await work;
  } finally {
    isRunning = false;
    clearInterval(timer);
  }
}

async function renew(claim: Claim, isRunning: () => boolean): Promise<void> {
  const { options, store, facts, details, event } = claim;
  const settle = (isHeld: unknown) => {
    // The store may have granted again what was given back meanwhile.
    if (claim.state === 'given back') giveBack(claim);
    else if (isHeld === false && isRunning()) lose(claim);
  };
  try {
    settle(await storeStep(() => store.renew?.(facts.id, options.lease, details), settle));
  } catch (error) {
    tellError(options, error, 'dedupe', event);
  }
}

/** Another process has the claim: tells the merchant and the handler, once. */
function lose(claim: Claim): ReceiveOutcome {
  if (claim.state === 'held') {
    claim.state = 'lost';
    const { options, facts, event, limit } = claim;
    tellError(options, new Error(`${facts.id} ${wasOvertaken}`), 'dedupe', event);
    limit.abort();
  }
  return 'overtaken';
}

const wasOvertaken =
  'was taken by another process while its handler ran, which may run twice: the store forgot the claim, or this process stood still.';

/** Reports what failed, and gives the claim back, so that the next delivery is handled. */
async function giveUp(
  outcome: 'unavailable' | 'failed',
  during: 'dedupe' | 'handler',
  error: unknown,
  claim: Claim,
): Promise<ReceiveOutcome> {
  const { options, event } = claim;
  tellError(options, error, during, event);
  claim.state = 'given back';
  try {
    await release(claim);
  } catch (releaseError) {
    // The claim expires by itself.
    tellError(options, releaseError, 'dedupe', event);
  }
  return outcome;
}

/** Whether the transaction has come further than this notification tells. */
async function isOutdated(
  { options, event, facts, limit }: Claim,
  store: Pick<DedupeStore<unknown>, 'advance'>,
): Promise<boolean> {
  const state = options.order === 'forward-only' ? stateOf(event) : undefined;
  if (state === undefined) return false;
  const id = await checkedIdentity(state.id);
  const moves = await storeStep(() => store.advance?.(id, state.rank, options.keepFor));
  if (aBoolean(moves)) return false;
  callHook(options, () => options.onOutdated?.(event, received(facts, limit)), event);
  return true;
}

/**
 * Marks the delivery as done. The work is done: if it cannot be marked, the delivery is acknowledged all the same,
 * so that it is not sent again. False if another process has the claim, or has done the same.
 */
async function complete({ options, store, event, facts, details }: Claim): Promise<boolean> {
  for (const pause of [...completePauses, undefined]) {
    try {
      return (await storeStep(() => store.complete(facts.id, options.keepFor, details))) !== false;
    } catch (error) {
      tellError(options, error, 'dedupe', event);
    }
    if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return true;
}

const ignore = () => {};

const noAnswer = () => new TypeError('The dedupe store gave none of its answers.');

/** An answer on which it depends whether an event is handled. */
function aBoolean(answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer;
  throw noAnswer();
}
