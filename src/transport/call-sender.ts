import type { AuthHeaders, Authorizer } from '../auth/credentials.js';
import { RateLimitError } from '../errors/api.js';
import { isPaymentPlatformError, type Outcome, type PaymentPlatformError } from '../errors/base.js';
import type { CallSpan } from '../telemetry/calls.js';
import { isRead } from './call/call-spec.js';
import type { Deadline } from './call/deadline.js';
import type { PreparedCall } from './prepare/prepare-call.js';
import { CallReporter, type FailedAttempt, tokenError } from './report/call-reporter.js';
import {
  classifyDoubtful,
  classifyFailure,
  classifyInProgress,
  classifyStatus,
  classifyStop,
  classifyUnexpected,
  classifyUnreadable,
  classifyUnsendable,
  type FailureClassification,
} from './response/classify-failure.js';
import { readErrorCode } from './response/error-body.js';
import {
  isBrokenJson,
  looksLikePage,
  readErrorBody,
  readResult,
  UnreadableBodyError,
} from './response/read-response.js';
import { attachMeta } from './response/response-meta.js';
import type { RateLimiter } from './retry/rate-limit.js';
import { parseRetryAfter, retryDelay } from './retry/retry-policy.js';
import {
  type HttpClient,
  HttpClientError,
  type HttpRequest,
  type HttpResponse,
  type ResponseHead,
} from './send/http-client.js';
import type { Settings } from './settings.js';
import { isConsumed } from './upload/form.js';

interface CallToSend {
  readonly call: PreparedCall;
  readonly deadline: Deadline;
  readonly httpClient: HttpClient | Promise<HttpClient>;
  readonly settings: Settings;
  readonly authorizer: Authorizer;
  readonly limiter: RateLimiter | undefined;
  readonly span: CallSpan | undefined;
  readonly waitedFor: string | undefined;
}

/** Sends one call, with retries, until there is a result, no retry is allowed, or the call must stop. */
export class CallSender {
  readonly #call: PreparedCall;
  readonly #toSend: CallToSend;
  readonly #deadline: Deadline;
  readonly #settings: Settings;
  readonly #span: CallSpan | undefined;
  /** `CallReporter` hides the credentials that they contain. */
  readonly #sentHeaders: Readonly<Record<string, string>>[] = [];
  #madeReporter: CallReporter | undefined;
  #attempts = 0;
  /** The number of retries, not counting retries after a renewed token or on a stale connection. */
  #retries = 0;
  #tokenRenewed = false;
  /** Whether the call was resent because the server had closed a keep-alive connection, at most once. */
  #staleResent = false;
  #streamConsumed = false;
  /** Whether any attempt may have been executed. A later rejection proves nothing about such an attempt. */
  #mayHaveExecuted: boolean;
  #lastFailure: FailedAttempt | undefined;

  constructor(toSend: CallToSend) {
    this.#call = toSend.call;
    this.#toSend = toSend;
    this.#deadline = toSend.deadline;
    this.#settings = toSend.settings;
    this.#span = toSend.span;
    this.#mayHaveExecuted = toSend.call.mayHaveRunBefore;
  }

  async send(): Promise<object> {
    const deadline = this.#deadline;
    const { limiter } = this.#toSend;
    try {
      const loaded = this.#toSend.httpClient;
      const httpClient = loaded instanceof Promise ? await deadline.race(loaded) : loaded;
      for (;;) {
        // The HTTP client is undefined if the call had to stop while it was loading.
        if (deadline.stopReason !== undefined || httpClient === undefined) throw this.#stopped();
        const usableUntil = limiter && (await this.#reserve(limiter));
        const promised = this.#toSend.authorizer.headers(deadline);
        const auth = promised instanceof Promise ? await this.#authHeaders(promised) : promised;
        // The token arrived after the reservation ended. The platform would count the request in another
        // minute, so a new reservation is needed.
        if (usableUntil !== undefined && performance.now() > usableUntil) continue;
        if (deadline.stopReason !== undefined) throw this.#stopped();
        // Each attempt has its own headers object. node:http takes several times longer to read an object that
        // a spread created, so `Object.assign` is used.
        const headers = Object.assign({}, this.#call.headers, auth);
        this.#sentHeaders.push(headers);
        if (this.#settings.hooks.onRequest !== undefined) {
          this.#reporter.request(this.#attempts + 1, headers);
          // The hook may have aborted the call.
          if (deadline.stopReason !== undefined) throw this.#stopped();
        }
        this.#attempts++;
        const result = await this.#attempt(httpClient, headers);
        if (result !== undefined) return result;
        if (this.#invalidateToken(auth)) continue;
        await deadline.wait(this.#delayOrThrow());
      }
    } catch (error) {
      if (isPaymentPlatformError(error)) throw error;
      // Before the first request, a module can be missing from a bundle. Later, it is a mistake in this
      // package.
      const classification = this.#attempts === 0 ? classifyUnsendable(error) : classifyUnexpected(error);
      throw this.#error({ classification, cause: error });
    }
  }

  /** Returns the time until which the request can be sent, by `performance.now()`. */
  async #reserve(limiter: RateLimiter): Promise<number | undefined> {
    const { rateLimit: group } = this.#call.spec;
    if (group === undefined) return undefined;
    const { waitMs, until } = await limiter.acquire(group, this.#deadline, (why) =>
      this.#reporter.rateLimitFallback(this.#attempts + 1, group, why),
    );
    if (waitMs === 0 || this.#deadline.stopReason !== undefined) return until;
    const late = this.#settings.rateLimit === 'wait' ? ', after the deadline of this call' : '';
    const seconds = Math.ceil(waitMs / 1000);
    const classification: FailureClassification = {
      retry: 'never',
      outcome: 'not-executed',
      summary: `${limiter.describe(group)} is reached; the next request is allowed in ${seconds} s${late}`,
      error: RateLimitError,
    };
    // If the rate limit prevents a retry, the error describes the previous attempt.
    throw this.#error(this.#lastFailure ?? { classification, waitMs });
  }

  async #authHeaders(promised: Promise<AuthHeaders>): Promise<AuthHeaders> {
    try {
      return (await this.#deadline.race(promised)) ?? {};
    } catch (error) {
      if (!isPaymentPlatformError(error)) throw error;
      const outcome = this.#outcomeAfter('not-executed');
      const own = { outcome, idempotencyKey: this.#call.idempotencyKey, attempts: this.#attempts };
      throw tokenError(error, this.#call, own, this.#reporter.isSafeForThisCall(error));
    } finally {
      this.#toSend.authorizer.stopWaiting(promised);
    }
  }

  /** Returns undefined after a failure, which is then the last one. */
  async #attempt(
    httpClient: HttpClient,
    headers: Readonly<Record<string, string>>,
  ): Promise<object | undefined> {
    const { spec, target, content, idempotencyKey, timeoutMs } = this.#call;
    const { hooks, names, baseUrl } = this.#settings;
    const request: HttpRequest = { method: spec.method, target, headers, body: content };
    const started = performance.now();
    let response: HttpResponse | undefined;
    try {
      response = await (this.#span === undefined
        ? httpClient.send(request, this.#deadline)
        : this.#span.attempt((traced) => httpClient.send(withHeaders(request, traced), this.#deadline)));
      const { head } = response;
      if (hooks.onResponse !== undefined)
        this.#reporter.response(this.#attempts, response, performance.now() - started);
      if (isErrorStatus(head.status))
        return this.#fail({ classification: this.#classify(response), response });
      const result = readResult(response, this.#call, this.#settings);
      if (hooks.onDrift !== undefined) this.#reporter.drift(this.#attempts, result, response);
      const { requestIdHeader } = names;
      attachMeta(result, { head, requestIdHeader, idempotencyKey, attempts: this.#attempts });
      this.#span?.endAttempt(head.status, undefined);
      return result;
    } catch (error) {
      if (response !== undefined && error instanceof UnreadableBodyError) {
        // The response may belong to another request, because a gateway has mixed up the responses of this
        // connection. The retry must use a new connection.
        httpClient.dropIdle();
        return this.#fail({ classification: classifyUnreadable(response.head.status, error), response });
      }
      if (!(error instanceof HttpClientError)) throw error;
      const { head, stale, cause } = error.details;
      const status = head?.status;
      // If the headers had an error status, it says more than the incomplete body. The body can be a
      // gateway's page.
      const classification = isErrorStatus(status)
        ? classifyDoubtful(classifyStatus(status, spec, this.#mayHaveExecuted), status)
        : classifyFailure(error, this.#deadline.stopReason, baseUrl.host, timeoutMs);
      return this.#fail({ classification, head, isStale: stale, cause });
    }
  }

  #classify(response: HttpResponse): FailureClassification {
    const { status } = response.head;
    if (status === 409 && this.#isInProgress(response)) return classifyInProgress(this.#call.spec);
    const classification = classifyStatus(status, this.#call.spec, this.#mayHaveExecuted);
    const isDoubtful = looksLikePage(response) || isBrokenJson(response);
    return isDoubtful ? classifyDoubtful(classification, status) : classification;
  }

  #isInProgress({ head, body }: HttpResponse): boolean {
    const { inProgressCodes } = this.#settings;
    if (inProgressCodes.length === 0) return false;
    return inProgressCodes.includes(
      readErrorCode(readErrorBody(head.status, body, head.header('content-type'))),
    );
  }

  #fail(failure: FailedAttempt): undefined {
    const { classification, response, head = response?.head } = failure;
    const status = head?.status;
    this.#span?.endAttempt(status, isErrorStatus(status) ? String(status) : classification.error.kind);
    this.#lastFailure = { ...failure, head };
    this.#mayHaveExecuted ||= classification.outcome === 'unknown';
  }

  /** Returns whether the call is sent again with a new token, which does not count as a retry. */
  #invalidateToken(auth: AuthHeaders): boolean {
    const { head, classification } = this.#lastFailure as FailedAttempt;
    if (head?.status !== 401) return false;
    // An unknown outcome means that the 401 is a gateway's page, which can hide the platform's response. The
    // call may have been executed.
    if (classification.outcome === 'unknown' && !this.#call.repeatable) return false;
    // If the new token is also rejected, it is kept, because other calls may be using it.
    if (this.#tokenRenewed || !this.#toSend.authorizer.invalidate(auth)) return false;
    this.#tokenRenewed = true;
    this.#streamConsumed = this.#isStreamConsumed();
    if (this.#streamConsumed) return false;
    const reason = 'the access token was rejected (401). Retrying with a new one';
    this.#reporter.retry(this.#attempts, reason, 0, this.#span);
    return true;
  }

  /** Throws the error of a call that is not sent again. */
  #delayOrThrow(): number {
    const failure = this.#lastFailure as FailedAttempt;
    const { retry, summary, waitsLong } = failure.classification;
    if (retry === 'never') throw this.#error(failure);
    this.#streamConsumed ||= this.#isStreamConsumed();
    if (this.#streamConsumed) throw this.#error(failure);
    const stale = failure.isStale === true && !this.#staleResent;
    const delay = retryDelay({
      retry,
      repeatable: this.#call.repeatable,
      stale,
      retries: this.#retries,
      maxRetries: this.#call.maxRetries,
      retryAfter: readRetryAfter(failure.head),
      remainingMs: this.#deadline.remainingMs,
      random: waitsLong ? 1 : Math.random(),
    });
    if (delay === undefined) throw this.#error(failure);
    if (stale) this.#staleResent = true;
    else this.#retries++;
    this.#reporter.retry(this.#attempts, summary, delay, this.#span);
    return delay;
  }

  #isStreamConsumed(): boolean {
    const { content } = this.#call;
    return typeof content === 'object' && isConsumed(content);
  }

  #stopped(): PaymentPlatformError {
    const { stopReason = 'timeout' } = this.#deadline;
    const { waitedFor } = this.#toSend;
    return this.#error({
      classification: classifyStop(stopReason, 'not-executed', this.#call.timeoutMs, waitedFor),
    });
  }

  #outcomeAfter(last: Outcome): Outcome {
    if (isRead(this.#call.spec)) return 'not-executed';
    return this.#mayHaveExecuted ? 'unknown' : last;
  }

  #error(failure: FailedAttempt): PaymentPlatformError {
    const { stopReason, abortReason } = this.#deadline;
    return this.#reporter.error({
      waitMs: readRetryAfter(failure.head),
      ...failure,
      outcome: this.#outcomeAfter(failure.classification.outcome),
      attempts: this.#attempts,
      whyNotRetried: this.#streamConsumed ? streamConsumed : undefined,
      abortReason: stopReason === 'aborted' ? abortReason : undefined,
    });
  }

  get #reporter(): CallReporter {
    this.#madeReporter ??= new CallReporter(
      this.#call,
      this.#settings,
      this.#toSend.authorizer,
      this.#sentHeaders,
    );
    return this.#madeReporter;
  }
}

const streamConsumed =
  'The upload cannot be retried, because its stream was already read. Pass bytes or a path';

const isErrorStatus = (status: number | undefined): status is number =>
  status !== undefined && (status < 200 || status > 299);

/** The call's own headers take precedence. */
const withHeaders = (request: HttpRequest, headers: Record<string, string>): HttpRequest => ({
  ...request,
  headers: Object.assign(headers, request.headers),
});

/** In milliseconds. */
function readRetryAfter(head: ResponseHead | undefined): number | undefined {
  const retryAfter = head?.header('retry-after');
  return retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, head?.header('date'));
}
