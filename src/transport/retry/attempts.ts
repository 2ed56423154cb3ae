import type { AuthHeaders, Authorizer } from '../../auth/credentials.js';
import { RateLimitError } from '../../errors/api.js';
import { isPaymentPlatformError, type Outcome, type PaymentPlatformError } from '../../errors/base.js';
import { UnreadableResponseError } from '../../errors/network.js';
import type { CallSpan } from '../../telemetry/spans.js';
import { UnreadableBodyError } from '../answer/read-body.js';
import { readResult } from '../answer/read-result.js';
import { attachMeta } from '../answer/response-meta.js';
import type { Deadline } from '../deadline.js';
import { failedOperation, isRead } from '../prepare/call-spec.js';
import type { PreparedCall } from '../prepare/prepare-call.js';
import { CallReport } from '../report/call-report.js';
import { type Engine, EngineFailure, type EngineRequest, type EngineResponse } from '../send/engine.js';
import type { Settings } from '../settings.js';
import { tokenError } from '../token/token-error.js';
import { isConsumed } from '../upload/form.js';
import { endOf, type FailedAttempt, SuccessfulAttempt } from './attempt.js';
import { type Classification, classifyFailure, classifyStatus, classifyStop } from './classify-failure.js';
import type { RateLimiter } from './rate-limit.js';
import { parseRetryAfter, retryDelay } from './retry-policy.js';

/** What may delay an attempt before it is sent: its authorisation and the rate limit. */
export interface Access {
  readonly authorizer: Authorizer;
  readonly limiter: RateLimiter | undefined;
}

/** The attempts of one call, from the first request to its result or its error. */
export class Attempts {
  readonly #report: CallReport;
  /** Whether the access token was renewed after a 401, which is done once per call. */
  #tokenRenewed = false;
  /** The call is not sent again only because one of its streams was already read. */
  #streamConsumed = false;
  #attempts = 0;
  #span: CallSpan | undefined;
  #retries = 0;
  #staleResent = false;
  /** Whether an earlier attempt may have been executed: then a later refusal does not prove that nothing was. */
  #mayHaveExecuted: boolean;

  constructor(
    private readonly call: PreparedCall,
    private readonly deadline: Deadline,
    /** A promise while it is being loaded, for the first call. */
    private readonly engine: Engine | Promise<Engine>,
    private readonly settings: Settings,
    private readonly access: Access,
    /** The field of the file whose first bytes had not arrived when the call had to stop. */
    private readonly waitedFor?: string,
  ) {
    this.#mayHaveExecuted = call.resumes;
    this.#report = new CallReport(call, settings, access.authorizer);
  }

  async run(): Promise<object> {
    const { telemetry } = this.settings;
    if (telemetry !== undefined && this.#span === undefined) {
      this.#span = telemetry.call(failedOperation(this.call.spec));
      return this.#span.observe(() => this.run());
    }
    try {
      const engine = this.engine instanceof Promise ? await this.deadline.race(this.engine) : this.engine;
      let last: FailedAttempt | undefined;
      for (;;) {
        // The engine is undefined if the deadline passed while it was being loaded.
        if (this.deadline.stopReason !== undefined || engine === undefined)
          throw this.#error(this.#stoppedBeforeSending());
        const { authorizer, limiter } = this.access;
        const sendUntil = limiter && (await this.#waitForRateLimit(limiter));
        // If the rate limit prevents a retry, the error is that of the attempt before.
        if (typeof sendUntil === 'object') throw this.#error(last ?? sendUntil);
        const authHeaders = authorizer.headers(this.deadline);
        const authorisation =
          authHeaders instanceof Promise ? await this.#awaitHeaders(authHeaders) : authHeaders;
        // The token took so long that the request would reach the platform in another minute than it counts in.
        if (sendUntil !== undefined && performance.now() > sendUntil) continue;
        const attempt = await this.#attempt(engine, authorisation);
        if (this.#span !== undefined) this.#span.endAttempt(...endOf(attempt));
        if (attempt instanceof SuccessfulAttempt) return attempt.result;
        if (this.#renewToken(attempt, authorisation)) continue;
        const wait = this.#scheduleRetry(attempt);
        if (wait === undefined) throw this.#error(attempt);
        if (attempt.classification.outcome === 'unknown') this.#mayHaveExecuted = true;
        last = attempt;
        if (wait > 0) await this.deadline.wait(wait);
      }
    } catch (error) {
      if (isPaymentPlatformError(error) || this.#attempts === 0) throw error;
      throw this.#internalError(error);
    }
  }

  /** The error for an unexpected failure in this class after a request was sent. */
  #internalError(cause: unknown): PaymentPlatformError {
    const { spec, key } = this.call;
    const outcome = this.#outcome({ outcome: 'unknown' });
    const message = `${spec.id}: the answer could not be understood (${cause instanceof Error ? cause.name : 'unknown error'}).`;
    const attempts = this.#attempts;
    const details = { ...failedOperation(spec), outcome, idempotencyKey: key, attempts };
    return new UnreadableResponseError(message, details);
  }

  #stoppedBeforeSending(): FailedAttempt {
    return {
      classification: classifyStop(
        this.deadline.stopReason ?? 'timeout',
        'not-executed',
        this.call.timeout,
        this.waitedFor,
      ),
    };
  }

  /** Waits for headers that must be fetched first. Fetching them may fail, and the deadline may pass. */
  async #awaitHeaders(headers: Promise<AuthHeaders>): Promise<AuthHeaders> {
    try {
      return (await this.deadline.race(headers)) ?? {};
    } catch (error) {
      if (!isPaymentPlatformError(error)) throw error;
      const { key } = this.call;
      const outcome = this.#outcome({ outcome: 'not-executed' });
      throw tokenError(error, this.call, { outcome, idempotencyKey: key, attempts: this.#attempts });
    } finally {
      this.access.authorizer.stopWaiting(headers);
    }
  }

  /** After a 401 the token may have expired: asks for another one and sends again, once, without counting it as a retry. */
  #renewToken({ response, status }: FailedAttempt, authorisation: AuthHeaders): boolean {
    if ((response?.head.status ?? status) !== 401) return false;
    if (!this.access.authorizer.refuse(authorisation) || this.#tokenRenewed) return false;
    this.#tokenRenewed = true;
    this.#streamConsumed = this.#isStreamConsumed();
    if (this.#streamConsumed) return false;
    const reason = 'the access token was refused (401): sending again with a new one';
    this.#report.retry(this.#attempts, reason, 0, this.#span);
    return true;
  }

  /**
   * Applies the client's own rate limit: waits until a request is allowed, and returns until when it may be
   * sent, or the failure.
   */
  async #waitForRateLimit(limiter: RateLimiter): Promise<FailedAttempt | number | undefined> {
    const { rateLimit: group } = this.call.spec;
    if (group === undefined) return undefined;
    const { wait, until } = await limiter.acquire(group, this.deadline, (why) =>
      this.#report.rateLimitFallback(this.#attempts + 1, group, why),
    );
    if (wait === 0 || this.deadline.stopReason !== undefined) return until;
    const seconds = Math.ceil(wait / 1000);
    const late = this.settings.rateLimit === 'wait' ? ', after the deadline of this call' : '';
    const summary = `${limiter.describe(group)} is reached; the next request is allowed in ${seconds} s${late}`;
    return {
      classification: { retry: 'never', outcome: 'not-executed', summary, error: RateLimitError },
      waitMs: wait,
    };
  }

  /** Whether one of its files is a stream that was read: then the call cannot be sent again. */
  #isStreamConsumed(): boolean {
    const { content } = this.call;
    return typeof content === 'object' && isConsumed(content);
  }

  async #attempt(engine: Engine, authorisation: AuthHeaders): Promise<SuccessfulAttempt | FailedAttempt> {
    if (this.deadline.stopReason !== undefined) return this.#stoppedBeforeSending();
    const request = requestOf(this.call, authorisation);
    this.#report.request(this.#attempts + 1, request.headers);
    // The hook may have ended the call.
    if (this.deadline.stopReason !== undefined) return this.#stoppedBeforeSending();
    this.#attempts++;
    const started = performance.now();
    try {
      const response = await (this.#span === undefined
        ? engine.send(request, this.deadline)
        : this.#span.attempt((headers) => engine.send(withHeaders(request, headers), this.deadline)));
      this.#report.response(this.#attempts, response, performance.now() - started);
      if (response.head.status < 200 || response.head.status > 299) {
        return {
          classification: classifyStatus(response.head.status, this.call.spec, this.#mayHaveExecuted),
          response,
        };
      }
      return this.#readAnswer(response);
    } catch (error) {
      const failure =
        error instanceof EngineFailure
          ? error
          : new EngineFailure('broken', 'the request failed', true, { cause: error });
      const { status, stale, cause } = failure.details;
      // If the answer had an error status, that says more than that its body was incomplete.
      const hasErrorStatus = status !== undefined && (status < 200 || status > 299);
      const classification = hasErrorStatus
        ? classifyStatus(status, this.call.spec, this.#mayHaveExecuted)
        : classifyFailure(failure, this.deadline.stopReason, this.settings.baseUrl.host, this.call.timeout);
      return { classification, status, stale, cause };
    }
  }

  #readAnswer(response: EngineResponse): SuccessfulAttempt | FailedAttempt {
    try {
      const result = readResult(response, this.call.spec, this.call.shapes, this.settings.names);
      this.#report.drift(this.#attempts, result);
      attachMeta(result, {
        head: response.head,
        requestIdHeader: this.settings.names.requestIdHeader,
        idempotencyKey: this.call.key,
        attempts: this.#attempts,
      });
      return new SuccessfulAttempt(result, response.head.status);
    } catch (error) {
      if (!(error instanceof UnreadableBodyError)) throw error;
      const retry = error.permanent ? 'never' : 'if-repeatable';
      const summary = `the answer (${response.head.status}) cannot be read: ${error.message}`;
      return {
        classification: { retry, outcome: 'unknown', summary, error: UnreadableResponseError },
        response,
      };
    }
  }

  #scheduleRetry({ classification, response, stale = false }: FailedAttempt): number | undefined {
    this.#streamConsumed ||= classification.retry !== 'never' && this.#isStreamConsumed();
    if (this.#streamConsumed) return undefined;
    const resendsStale = stale && !this.#staleResent;
    const wait = retryDelay({
      retry: classification.retry,
      repeatable: this.call.repeatable,
      stale: resendsStale,
      retries: this.#retries,
      maxRetries: this.call.maxRetries,
      retryAfter: retryAfterOf(response),
      remaining: this.deadline.remaining,
      random: Math.random(),
    });
    if (wait === undefined) return undefined;
    if (resendsStale) this.#staleResent = true;
    else this.#retries++;
    this.#report.retry(this.#attempts, classification.summary, wait, this.#span);
    return wait;
  }

  #error({
    classification,
    response,
    status,
    cause,
    waitMs = retryAfterOf(response),
  }: FailedAttempt): PaymentPlatformError {
    return this.#report.error({
      classification,
      outcome: this.#outcome(classification),
      attempts: this.#attempts,
      whyNotRetried: this.#streamConsumed ? streamConsumedMessage : undefined,
      response,
      status,
      waitMs,
      cause,
      abortReason: this.deadline.stopReason === 'aborted' ? this.deadline.abortReason : undefined,
    });
  }

  #outcome({ outcome }: Pick<Classification, 'outcome'>): Outcome {
    if (isRead(this.call.spec)) return 'not-executed';
    return this.#mayHaveExecuted ? 'unknown' : outcome;
  }
}

/** The request of one attempt: new objects each time, so that attempts share no state. */
function requestOf(
  { spec, target, headers, content }: PreparedCall,
  authorisation: AuthHeaders,
): EngineRequest {
  // No spread: node:http reads an object that was built by one several times slower.
  const all = Object.assign({}, headers, authorisation);
  return { method: spec.method, target, headers: all, body: content };
}

/** A request with the headers of its trace. What the call itself sets stays. */
const withHeaders = (request: EngineRequest, headers: Record<string, string>): EngineRequest => ({
  ...request,
  headers: Object.assign(headers, request.headers),
});

const streamConsumedMessage =
  'one of its files is a stream that was already read, so it cannot be sent again: pass the bytes or a path instead';

function retryAfterOf(response: EngineResponse | undefined): number | undefined {
  return parseRetryAfter(response?.head.header('retry-after'), response?.head.header('date'));
}
