import type { AuthHeaders, Authorizer } from '../../auth/credentials.js';
import { RateLimitError } from '../../errors/api.js';
import { isPaymentPlatformError, type Outcome, type PaymentPlatformError } from '../../errors/base.js';
import { UnreadableResponseError } from '../../errors/network.js';
import { Unreadable } from '../answer/read-body.js';
import { dataOf } from '../answer/read-result.js';
import { attachMeta } from '../answer/response-meta.js';
import type { Deadline } from '../deadline.js';
import { isRead } from '../prepare/call-spec.js';
import type { PreparedCall } from '../prepare/prepare-call.js';
import type { Schema } from '../prepare/schema-issues.js';
import { CallReport } from '../report/call-report.js';
import { type Engine, EngineFailure, type EngineRequest, type EngineResponse } from '../send/engine.js';
import type { Settings } from '../settings.js';
import { tokenError } from '../token/token-error.js';
import { isSpent } from '../upload/form.js';
import { type Classification, classifyFailure, classifyStatus, stopped } from './classify-failure.js';
import type { RateLimiter } from './rate-limit.js';
import { decide, parseRetryAfter } from './retry-policy.js';

/** How one request failed. */
interface Failed {
  readonly meaning: Classification;
  readonly response?: EngineResponse;
  readonly status?: number | undefined;
  readonly stale?: boolean | undefined;
  /** Milliseconds to wait that no answer told. */
  readonly wait?: number;
  readonly cause?: unknown;
}

/** A request that brought its result. A class, because what has a property can be changed for all objects. */
class Succeeded {
  constructor(readonly result: object) {}
}

/** What every attempt needs before it is sent. */
export interface Access {
  readonly authorizer: Authorizer;
  readonly limiter: RateLimiter | undefined;
}

/** The attempts of one call, from the first request to its result or its error. */
export class Attempts {
  readonly #report: CallReport;
  /** Whether the authorisation was renewed after a 401: once a call. */
  #renewed = false;
  /** It would have been sent again, were it not for a stream that was read. */
  #heldBack = false;
  #attempts = 0;
  #retries = 0;
  #staleResent = false;
  /** Whether an attempt so far may have been executed: from then on no refusal proves that nothing was. */
  #uncertain: boolean;

  constructor(
    private readonly call: PreparedCall,
    schema: Schema | undefined,
    private readonly deadline: Deadline,
    /** Being loaded, where this is the first call. */
    private readonly engine: Engine | Promise<Engine>,
    private readonly settings: Settings,
    private readonly access: Access,
    /** The file whose first bytes had not come when the call had to stop. */
    private readonly waitedFor?: string,
  ) {
    this.#uncertain = call.resumes;
    this.#report = new CallReport(call, schema, settings, access.authorizer);
  }

  async run(): Promise<object> {
    try {
      const engine = this.engine instanceof Promise ? await this.deadline.race(this.engine) : this.engine;
      let last: Failed | undefined;
      for (;;) {
        // Without an engine the deadline passed while it was loaded.
        if (this.deadline.stop !== undefined || engine === undefined) throw this.#error(this.#stopped());
        const { authorizer, limiter } = this.access;
        const full = limiter && (await this.#makeRoom(limiter));
        // Without room for a repeat, what went wrong before is what there is to tell.
        if (full !== undefined) throw this.#error(last ?? full);
        const asked = authorizer.headers(this.deadline);
        const authorisation = asked instanceof Promise ? await this.#fetched(asked) : asked;
        const answer = await this.#attempt(engine, authorisation);
        if (answer instanceof Succeeded) return answer.result;
        if (this.#renews(answer, authorisation)) continue;
        const wait = this.#nextWait(answer);
        if (wait === undefined) throw this.#error(answer);
        if (answer.meaning.outcome === 'unknown') this.#uncertain = true;
        last = answer;
        if (wait > 0) await this.deadline.wait(wait);
      }
    } catch (error) {
      if (isPaymentPlatformError(error) || this.#attempts === 0) throw error;
      throw this.#failedHere(error);
    }
  }

  /** Whatever fails in here once something was sent, the call ends with an error that says what is known. */
  #failedHere(cause: unknown): PaymentPlatformError {
    const { spec, key } = this.call;
    const outcome = this.#outcome({ outcome: 'unknown' });
    const message = `${spec.id}: the answer could not be understood (${cause instanceof Error ? cause.name : 'unknown error'}).`;
    return new UnreadableResponseError(message, { outcome, idempotencyKey: key, attempts: this.#attempts });
  }

  #stopped(): Failed {
    return { meaning: stopped(this.deadline.stop ?? 'timeout', 'not-executed', this.waitedFor) };
  }

  /** Headers that had to be fetched. Who fetches them may fail, and the deadline may pass. */
  async #fetched(headers: Promise<AuthHeaders>): Promise<AuthHeaders> {
    try {
      return (await this.deadline.race(headers)) ?? {};
    } catch (error) {
      if (!isPaymentPlatformError(error)) throw error;
      const { key } = this.call;
      const outcome = this.#outcome({ outcome: 'not-executed' });
      throw tokenError(error, this.call, { outcome, idempotencyKey: key, attempts: this.#attempts });
    } finally {
      this.access.authorizer.leave(headers);
    }
  }

  /** A 401 says that the token was refused, perhaps for its age: another one, once, outside the retry budget. */
  #renews({ response, status }: Failed, authorisation: AuthHeaders): boolean {
    if ((response?.head.status ?? status) !== 401) return false;
    if (!this.access.authorizer.refuse(authorisation) || this.#renewed) return false;
    this.#renewed = true;
    this.#heldBack = this.#isSpent();
    if (this.#heldBack) return false;
    const reason = 'the access token was refused (401): once more with another one';
    this.#report.retry(this.#attempts, reason, 0);
    return true;
  }

  /** The limits that the client keeps itself: waits for room, or says why there is none. */
  async #makeRoom(limiter: RateLimiter): Promise<Failed | undefined> {
    const { rateLimit: group } = this.call.spec;
    if (group === undefined) return undefined;
    const wait = await limiter.enter(group, this.deadline);
    if (wait === 0 || this.deadline.stop !== undefined) return undefined;
    const seconds = Math.ceil(wait / 1000);
    const late = this.settings.rateLimit === 'wait' ? ', which is beyond the deadline of this call' : '';
    const summary = `the client keeps to ${limiter.limits[group]} requests a minute (${group}), and there is room for the next one in ${seconds} s${late}`;
    return { meaning: { again: 'never', outcome: 'not-executed', summary, error: RateLimitError }, wait };
  }

  /** Whether a stream among its files was read: then nothing of this call can be sent again. */
  #isSpent(): boolean {
    const { content } = this.call;
    return typeof content === 'object' && isSpent(content);
  }

  async #attempt(engine: Engine, authorisation: AuthHeaders): Promise<Succeeded | Failed> {
    if (this.deadline.stop !== undefined) return this.#stopped();
    const request = requestOf(this.call, authorisation);
    this.#report.request(this.#attempts + 1, request.headers);
    // The hook may have ended the call.
    if (this.deadline.stop !== undefined) return this.#stopped();
    this.#attempts++;
    const started = performance.now();
    try {
      const response = await engine.send(request, this.deadline);
      this.#report.response(this.#attempts, response, performance.now() - started);
      if (response.head.status < 200 || response.head.status > 299) {
        return { meaning: classifyStatus(response.head.status, this.call.spec), response };
      }
      return this.#read(response);
    } catch (error) {
      const failure =
        error instanceof EngineFailure
          ? error
          : new EngineFailure('broken', 'the request failed', true, { cause: error });
      const { status, stale, cause } = failure.details;
      // An error status tells more than the fact that its body broke off.
      const known = status !== undefined && (status < 200 || status > 299);
      const meaning = known
        ? classifyStatus(status, this.call.spec)
        : classifyFailure(failure, this.deadline.stop, this.settings.baseUrl.host);
      return { meaning, status, stale, cause };
    }
  }

  #read(response: EngineResponse): Succeeded | Failed {
    try {
      const result = dataOf(response, this.call.spec, this.settings.names);
      this.#report.drift(this.#attempts, result, response.body.length);
      attachMeta(result, {
        head: response.head,
        requestIdHeader: this.settings.names.requestIdHeader,
        idempotencyKey: this.call.key,
        attempts: this.#attempts,
      });
      return new Succeeded(result);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const again = error.final ? 'never' : 'if-repeatable';
      const summary = `the answer (${response.head.status}) cannot be read: ${error.message}`;
      return { meaning: { again, outcome: 'unknown', summary, error: UnreadableResponseError }, response };
    }
  }

  #nextWait({ meaning, response, stale = false }: Failed): number | undefined {
    this.#heldBack ||= meaning.again !== 'never' && this.#isSpent();
    if (this.#heldBack) return undefined;
    const resendsStale = stale && !this.#staleResent;
    const wait = decide({
      again: meaning.again,
      repeatable: this.call.repeatable,
      stale: resendsStale,
      retries: this.#retries,
      maxRetries: this.call.maxRetries,
      retryAfter: hint(response),
      remaining: this.deadline.remaining,
      random: Math.random(),
    });
    if (wait === undefined) return undefined;
    if (resendsStale) this.#staleResent = true;
    else this.#retries++;
    this.#report.retry(this.#attempts, meaning.summary, wait);
    return wait;
  }

  #error({ meaning, response, status, cause, wait = hint(response) }: Failed): PaymentPlatformError {
    return this.#report.error({
      meaning,
      outcome: this.#outcome(meaning),
      attempts: this.#attempts,
      heldBack: this.#heldBack ? spent : undefined,
      response,
      status,
      wait,
      cause,
      reason: this.deadline.stop === 'aborted' ? this.deadline.reason : undefined,
    });
  }

  #outcome({ outcome }: Pick<Classification, 'outcome'>): Outcome {
    if (isRead(this.call.spec)) return 'not-executed';
    return this.#uncertain ? 'unknown' : outcome;
  }
}

/** What one attempt sends: a new object each time, so that nothing of one is found in another. */
function requestOf(
  { spec, target, headers, content }: PreparedCall,
  authorisation: AuthHeaders,
): EngineRequest {
  // No spread: node:http reads an object that was built by one several times slower.
  const all = Object.assign({}, headers, authorisation);
  return { method: spec.method, target, headers: all, body: content };
}

const spent =
  'a stream among its files was read, so it cannot be sent again: give the bytes or a path instead';

function hint(response: EngineResponse | undefined): number | undefined {
  return parseRetryAfter(response?.head.header('retry-after'), response?.head.header('date'));
}
