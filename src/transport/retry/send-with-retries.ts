import type { AuthHeaders, Authorizer } from '../../auth/credentials.js';
import { RateLimitError } from '../../errors/api.js';
import { isPaymentPlatformError, type Outcome, type PaymentPlatformError } from '../../errors/base.js';
import type { CallSpan } from '../../telemetry/spans.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { isRead, shownOperation } from '../call/call-spec.js';
import type { Deadline } from '../call/deadline.js';
import type { PreparedCall } from '../prepare/prepare-call.js';
import { CallReport, type ReportSettings } from '../report/call-report.js';
import { tokenError } from '../report/token-error.js';
import { classifyStop, classifyUnexpected, classifyUnsendable } from '../response/classify-failure.js';
import { statusOf } from '../response/response-meta.js';
import type { Engine, EngineResponse } from '../send/engine.js';
import { isConsumed } from '../upload/form.js';
import { FailedAttempt } from './failed-attempt.js';
import type { RateLimiter } from './rate-limit.js';
import type { RateLimitMode } from './rate-limit-options.js';
import { parseRetryAfter, retryDelay } from './retry-policy.js';
import { sendOnce } from './send-once.js';

/** The client's options that decide how a call is sent. */
export interface SendSettings extends ReportSettings {
  readonly rateLimit: RateLimitMode;
  readonly telemetry: Telemetry | undefined;
}

/** What a call is sent with. */
export interface Sending {
  readonly call: PreparedCall;
  readonly deadline: Deadline;
  /** A promise while it is being loaded, for the first call. */
  readonly engine: Engine | Promise<Engine>;
  readonly settings: SendSettings;
  readonly authorizer: Authorizer;
  readonly limiter: RateLimiter | undefined;
  /** The field of the file whose first bytes had not arrived when the call had to stop. */
  readonly waitedFor?: string | undefined;
}

/** What has happened to a call so far. */
interface Progress {
  /** The report of the call, made when there is something to tell. */
  readonly report: () => CallReport;
  readonly span: CallSpan | undefined;
  /** How many requests were sent. */
  attempts: number;
  /** How many of them count as retries. */
  retries: number;
  /** Whether the access token was renewed after a 401, which is done once per call. */
  tokenRenewed: boolean;
  /** Whether it was sent again because the server had closed a kept connection, which is done once per call. */
  staleResent: boolean;
  /** The call is not sent again only because one of its streams was already read. */
  streamConsumed: boolean;
  /** Whether an attempt may have been executed: then a later refusal does not prove that nothing was. */
  mayHaveExecuted: boolean;
}

/**
 * Sends a call until it has an answer, may not be sent again, or must stop.
 *
 * @param span that of the call; made here if there is telemetry
 * @throws PaymentPlatformError
 */
export async function sendWithRetries(sending: Sending, span?: CallSpan): Promise<object> {
  const { call, deadline, settings, authorizer, limiter } = sending;
  if (settings.telemetry !== undefined && span === undefined) {
    const started = settings.telemetry.call(shownOperation(call.spec));
    return started.observe(() => sendWithRetries(sending, started));
  }
  const sentHeaders: Readonly<Record<string, string>>[] = [];
  let made: CallReport | undefined;
  const report = () => {
    made ??= new CallReport(call, settings, authorizer, sentHeaders);
    return made;
  };
  const progress: Progress = {
    report,
    span,
    attempts: 0,
    retries: 0,
    tokenRenewed: false,
    staleResent: false,
    streamConsumed: false,
    mayHaveExecuted: call.continuesEarlierCall,
  };
  const failure = (failed: FailedAttempt) => errorOf(failed, sending, progress);
  try {
    const engine = sending.engine instanceof Promise ? await deadline.race(sending.engine) : sending.engine;
    let last: FailedAttempt | undefined;
    for (;;) {
      // The engine is undefined if the deadline passed while it was being loaded.
      if (deadline.stopReason !== undefined || engine === undefined) throw failure(stopped(sending));
      const reservation = limiter && (await waitForRateLimit(limiter, sending, progress));
      // If the rate limit prevents a retry, the error is that of the attempt before.
      if (reservation instanceof FailedAttempt) throw failure(last ?? reservation);
      const promised = authorizer.headers(deadline);
      const authorisation =
        promised instanceof Promise ? await fetchedHeaders(promised, sending, progress) : promised;
      // The token took so long that the request would reach the platform in another minute than it counts in.
      if (reservation !== undefined && performance.now() > reservation) continue;
      if (deadline.stopReason !== undefined) throw failure(stopped(sending));
      // New headers for each attempt. No spread: node:http reads an object that was built by one several times slower.
      const headers = Object.assign({}, call.headers, authorisation);
      sentHeaders.push(headers);
      if (settings.hooks.onRequest !== undefined) {
        report().request(progress.attempts + 1, headers);
        // The hook may have ended the call.
        if (deadline.stopReason !== undefined) throw failure(stopped(sending));
      }
      progress.attempts++;
      const sender = { call, engine, deadline, settings, report, span };
      const result = await sendOnce(sender, headers, progress.attempts, progress.mayHaveExecuted);
      if (!(result instanceof FailedAttempt)) {
        span?.endAttempt(statusOf(result), undefined);
        return result;
      }
      span?.endAttempt(result.status, result.errorType);
      last = result;
      if (planRenewal(result, authorisation, sending, progress)) continue;
      const wait = planRetry(result, sending, progress);
      if (wait === undefined) throw failure(result);
      if (result.classification.outcome === 'unknown') progress.mayHaveExecuted = true;
      if (wait > 0) await deadline.wait(wait);
    }
  } catch (error) {
    if (isPaymentPlatformError(error)) throw error;
    throw failure(unexpected(error, progress));
  }
}

const stopped = ({ call, deadline, waitedFor }: Sending): FailedAttempt =>
  new FailedAttempt(classifyStop(deadline.stopReason ?? 'timeout', 'not-executed', call.timeout, waitedFor));

/** What is foreseen nowhere: before a request a module that is missing from a bundle, after it a mistake of this package. */
const unexpected = (cause: unknown, { attempts }: Progress): FailedAttempt =>
  new FailedAttempt(attempts === 0 ? classifyUnsendable(cause) : classifyUnexpected(cause), { cause });

/** Waits for headers that must be fetched first. Fetching them may fail, and the deadline may pass. */
async function fetchedHeaders(
  headers: Promise<AuthHeaders>,
  { call, deadline, authorizer }: Sending,
  progress: Progress,
): Promise<AuthHeaders> {
  try {
    return (await deadline.race(headers)) ?? {};
  } catch (error) {
    if (!isPaymentPlatformError(error)) throw error;
    const outcome = outcomeOf('not-executed', call, progress);
    const own = { outcome, idempotencyKey: call.key, attempts: progress.attempts };
    throw tokenError(error, call, own, progress.report().isSafeForThisCall(error));
  } finally {
    authorizer.stopWaiting(headers);
  }
}

/**
 * Applies the client's own rate limit: waits until a request is allowed, and returns until when it may be
 * sent, or the failure.
 */
async function waitForRateLimit(
  limiter: RateLimiter,
  { call, deadline, settings }: Sending,
  { report, attempts }: Progress,
): Promise<FailedAttempt | number | undefined> {
  const { rateLimit: group } = call.spec;
  if (group === undefined) return undefined;
  const { wait, until } = await limiter.acquire(group, deadline, (why) =>
    report().rateLimitFallback(attempts + 1, group, why),
  );
  if (wait === 0 || deadline.stopReason !== undefined) return until;
  const seconds = Math.ceil(wait / 1000);
  const late = settings.rateLimit === 'wait' ? ', after the deadline of this call' : '';
  const summary = `${limiter.describe(group)} is reached; the next request is allowed in ${seconds} s${late}`;
  return new FailedAttempt(
    { retry: 'never', outcome: 'not-executed', summary, error: RateLimitError },
    { waitMs: wait },
  );
}

/** Decides whether the call is sent again with another token: after a 401, once, which counts as no retry. Notes and tells it. */
function planRenewal(
  { status }: FailedAttempt,
  authorisation: AuthHeaders,
  { call, authorizer }: Sending,
  progress: Progress,
): boolean {
  if (status !== 401) return false;
  // A token that was fetched for this call and is still rejected stays: other calls may use it.
  if (progress.tokenRenewed || !authorizer.refuse(authorisation)) return false;
  progress.tokenRenewed = true;
  progress.streamConsumed = isStreamConsumed(call);
  if (progress.streamConsumed) return false;
  const reason = 'the access token was rejected (401). Retrying with a new one';
  progress.report().retry(progress.attempts, reason, 0, progress.span);
  return true;
}

/** Decides whether the call is sent again, notes and tells it. Gives the milliseconds until then; undefined if it is not. */
function planRetry(
  { classification, response, isStale }: FailedAttempt,
  { call, deadline }: Sending,
  progress: Progress,
): number | undefined {
  const { retry, summary } = classification;
  progress.streamConsumed ||= retry !== 'never' && isStreamConsumed(call);
  if (progress.streamConsumed) return undefined;
  const stale = isStale && !progress.staleResent;
  const wait = retryDelay({
    retry,
    repeatable: call.repeatable,
    stale,
    retries: progress.retries,
    maxRetries: call.maxRetries,
    retryAfter: retryAfterOf(response),
    remaining: deadline.remaining,
    random: Math.random(),
  });
  if (wait === undefined) return undefined;
  if (stale) progress.staleResent = true;
  else progress.retries++;
  progress.report().retry(progress.attempts, summary, wait, progress.span);
  return wait;
}

/** Whether one of its files is a stream that was read: then the call cannot be sent again. */
const isStreamConsumed = ({ content }: PreparedCall): boolean =>
  typeof content === 'object' && isConsumed(content);

/** The outcome of a call whose last attempt had one. */
function outcomeOf(last: Outcome, { spec }: PreparedCall, { mayHaveExecuted }: Progress): Outcome {
  if (isRead(spec)) return 'not-executed';
  return mayHaveExecuted ? 'unknown' : last;
}

function errorOf(
  failed: FailedAttempt,
  { call, deadline }: Sending,
  progress: Progress,
): PaymentPlatformError {
  const { classification, response, status, cause, waitMs = retryAfterOf(response) } = failed;
  return progress.report().error({
    classification,
    outcome: outcomeOf(classification.outcome, call, progress),
    attempts: progress.attempts,
    whyNotRetried: progress.streamConsumed ? streamConsumedMessage : undefined,
    response,
    status,
    waitMs,
    cause,
    abortReason: deadline.stopReason === 'aborted' ? deadline.abortReason : undefined,
  });
}

const streamConsumedMessage =
  'a file is a stream that was already read, so there is no retry. Pass bytes or a path';

function retryAfterOf(response: EngineResponse | undefined): number | undefined {
  return parseRetryAfter(response?.head.header('retry-after'), response?.head.header('date'));
}
