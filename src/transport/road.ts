import type { AuthHeaders, Authorizer } from '../auth/credentials.js';
import { RateLimitError } from '../errors/api.js';
import {
  type ErrorDetails,
  isPaymentPlatformError,
  type Outcome,
  type PaymentPlatformError,
} from '../errors/base.js';
import { UnreadableResponseError } from '../errors/network.js';
import { dataOf } from './answer.js';
import type { Deadline } from './deadline.js';
import { type Engine, EngineFailure, type EngineRequest, type EngineResponse } from './engine.js';
import { type CallEvent, notify } from './hooks.js';
import { type Meaning, meaningOfFailure, meaningOfStatus, stopped } from './meaning.js';
import { isRead, type Journey } from './prepare.js';
import type { RateLimiter } from './rate-limit.js';
import { readErrorBody, Unreadable } from './read.js';
import {
  cleanCause,
  redactHeaders,
  scrubber,
  scrubValue,
  secretHeaderValues,
  secretsIn,
  shorten,
} from './redact.js';
import { attachMeta } from './response-meta.js';
import { decide, parseRetryAfter } from './retry.js';
import { describeFailure, platformMessage } from './sentences.js';
import type { Settings } from './settings.js';
import { tokenError } from './token-error.js';
import { isSpent } from './upload/form.js';
import { mismatches } from './validate.js';

/** How one request failed. */
interface Failed {
  readonly meaning: Meaning;
  readonly response?: EngineResponse;
  readonly status?: number | undefined;
  readonly stale?: boolean | undefined;
  /** Milliseconds to wait that no answer told. */
  readonly wait?: number;
  readonly cause?: unknown;
}

/** What a road leads through, beside the engine. */
export interface Gates {
  readonly authorizer: Authorizer;
  readonly limiter: RateLimiter | undefined;
}

/** The road of one call, from the first request to its result or its error. */
export class Road {
  readonly #request: EngineRequest;
  #authorisation: AuthHeaders = {};
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
    private readonly call: Journey,
    private readonly deadline: Deadline,
    private readonly engine: Engine,
    private readonly settings: Settings,
    private readonly gates: Gates,
  ) {
    const { trip, target, headers, content, resumes } = call;
    this.#uncertain = resumes;
    this.#request = { method: trip.method, target, headers, body: content };
  }

  async travel(): Promise<object> {
    let last: Failed | undefined;
    for (;;) {
      if (this.deadline.stop !== undefined)
        throw this.#error({ meaning: stopped(this.deadline.stop, 'not-executed', this.call.waitedFor) });
      const { authorizer, limiter } = this.gates;
      const full = limiter && (await this.#makeRoom(limiter));
      // Without room for a repeat, what went wrong before is what there is to tell.
      if (full !== undefined) throw this.#error(last ?? full);
      const authorisation = authorizer.headers();
      this.#authorisation =
        authorisation instanceof Promise ? await this.#fetched(authorisation) : authorisation;
      Object.assign(this.call.headers, this.#authorisation);
      const answer = await this.#attempt();
      if ('result' in answer) return answer.result;
      if (this.#renews(answer)) continue;
      const wait = this.#nextWait(answer);
      if (wait === undefined) throw this.#error(answer);
      if (answer.meaning.outcome === 'unknown') this.#uncertain = true;
      last = answer;
      if (wait > 0) await this.deadline.wait(wait);
    }
  }

  /** Headers that had to be fetched. Who fetches them may fail, and the deadline may pass. */
  async #fetched(headers: Promise<AuthHeaders>): Promise<AuthHeaders> {
    try {
      return (await this.deadline.race(headers)) ?? {};
    } catch (error) {
      if (!isPaymentPlatformError(error)) throw error;
      const { trip, key } = this.call;
      const outcome = this.#outcome({ outcome: 'not-executed' });
      throw tokenError(error, trip, { outcome, idempotencyKey: key, attempts: this.#attempts });
    } finally {
      this.gates.authorizer.leave(headers);
    }
  }

  /** A 401 says that the token was refused, perhaps for its age: another one, once, outside the retry budget. */
  #renews({ response, status }: Failed): boolean {
    if ((response?.head.status ?? status) !== 401) return false;
    if (!this.gates.authorizer.refuse(this.#authorisation) || this.#renewed) return false;
    this.#renewed = true;
    this.#heldBack = this.#isSpent();
    if (this.#heldBack) return false;
    const reason = 'the access token was refused (401): once more with another one';
    notify(this.settings.hooks.onRetry, () => ({ ...this.#event(), reason, delay: 0 }));
    return true;
  }

  /** The limits that the client keeps itself: waits for room, or says why there is none. */
  async #makeRoom(limiter: RateLimiter): Promise<Failed | undefined> {
    const { rateLimit: group } = this.call.trip;
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

  async #attempt(): Promise<{ readonly result: object } | Failed> {
    if (this.deadline.stop !== undefined) return { meaning: stopped(this.deadline.stop, 'not-executed') };
    const { onRequest } = this.settings.hooks;
    notify(onRequest, () => ({ ...this.#event(1), headers: this.#shown(this.#request.headers) }));
    // The hook may have ended the call.
    if (this.deadline.stop !== undefined) return { meaning: stopped(this.deadline.stop, 'not-executed') };
    this.#attempts++;
    const started = performance.now();
    try {
      const response = await this.engine.send(this.#request, this.deadline);
      this.#tell(response, performance.now() - started);
      if (response.head.status < 200 || response.head.status > 299) {
        return { meaning: meaningOfStatus(response.head.status, this.call.trip), response };
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
        ? meaningOfStatus(status, this.call.trip)
        : meaningOfFailure(failure, this.deadline.stop, this.settings.baseUrl.host);
      return { meaning, status, stale, cause };
    }
  }

  #read(response: EngineResponse): { readonly result: object } | Failed {
    try {
      const result = dataOf(response, this.call.trip, this.settings.wireNames);
      this.#reportDrift(result);
      attachMeta(result, {
        head: response.head,
        requestIdHeader: this.settings.wireNames.requestIdHeader,
        idempotencyKey: this.call.key,
        attempts: this.#attempts,
      });
      return { result };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const again = error.final ? 'never' : 'if-repeatable';
      const summary = `the answer (${response.head.status}) cannot be read: ${error.message}`;
      return { meaning: { again, outcome: 'unknown', summary, error: UnreadableResponseError }, response };
    }
  }

  /** A departure from the API document. Whatever a schema does, a throw included, the data is delivered. */
  #reportDrift(data: object): void {
    const { response: schema } = this.call.trip;
    if (typeof schema !== 'object') return;
    notify(this.settings.hooks.onDrift, () => {
      const issues = mismatches(schema, data);
      return issues.length > 0 ? { ...this.#event(), issues } : undefined;
    });
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
    notify(this.settings.hooks.onRetry, () => ({ ...this.#event(), reason: meaning.summary, delay: wait }));
    return wait;
  }

  #error({ meaning, response, status, cause, wait = hint(response) }: Failed): PaymentPlatformError {
    const { trip, key, body, headers } = this.call;
    const sent = [
      ...this.gates.authorizer.secrets(),
      ...secretsIn(body, trip.path.includes('/vault/')),
      ...secretHeaderValues(headers),
    ];
    const raw = response === undefined ? undefined : readErrorBody(response.head.status, response.body);
    const scrub = scrubber([...sent, ...secretsIn(raw)]);
    const answer = shorten(scrubValue(raw, scrub));
    const outcome = this.#outcome(meaning);
    const details: ErrorDetails = {
      outcome,
      idempotencyKey: key,
      status: response?.head.status ?? status,
      requestId: response === undefined ? undefined : this.#requestId(response),
      body: answer,
      attempts: this.#attempts,
      retryAfter: wait === undefined ? undefined : Math.ceil(wait) / 1000,
      cause: this.deadline.stop === 'aborted' ? this.deadline.reason : cleanCause(cause, scrub),
    };
    const message = describeFailure(
      trip.id,
      this.#heldBack ? `${meaning.summary}; ${spent}` : meaning.summary,
      platformMessage(answer),
      isRead(trip) ? undefined : outcome,
      this.call.repeatable ? trip.replay : 'never',
    );
    return new meaning.error(message, details);
  }

  #outcome({ outcome }: Pick<Meaning, 'outcome'>): Outcome {
    if (isRead(this.call.trip)) return 'not-executed';
    return this.#uncertain ? 'unknown' : outcome;
  }

  /** `ahead` counts a request that is about to be sent. */
  #event(ahead = 0): CallEvent {
    const { trip, target, key } = this.call;
    // Without the query: what it carries is the caller's, and may be a secret.
    const path = target.split('?', 1)[0] as string;
    const attempt = this.#attempts + ahead;
    return { operation: trip.id, method: trip.method, path, attempt, idempotencyKey: key };
  }

  #tell(response: EngineResponse, duration: number): void {
    notify(this.settings.hooks.onResponse, () => ({
      ...this.#event(),
      status: response.head.status,
      headers: this.#shown(response.head.headers()),
      requestId: this.#requestId(response),
      duration,
    }));
  }

  #shown(headers: Readonly<Record<string, string>>): Record<string, string> {
    return redactHeaders(headers, this.settings.wireNames.requestIdHeader);
  }

  #requestId(response: EngineResponse): string | undefined {
    return response.head.header(this.settings.wireNames.requestIdHeader);
  }
}

const spent =
  'a stream among its files was read, so it cannot be sent again: give the bytes or a path instead';

function hint(response: EngineResponse | undefined): number | undefined {
  return parseRetryAfter(response?.head.header('retry-after'), response?.head.header('date'));
}
