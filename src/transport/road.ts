import type { Authorizer } from '../auth/credentials.js';
import type { ErrorDetails, Outcome, PaymentPlatformError } from '../errors/base.js';
import { UnreadableResponseError } from '../errors/network.js';
import type { Deadline } from './deadline.js';
import { type Engine, EngineFailure, type EngineRequest, type EngineResponse } from './engine.js';
import { rename } from './field-names.js';
import { type CallEvent, notify } from './hooks.js';
import { type Meaning, meaningOfFailure, meaningOfStatus, stopped } from './meaning.js';
import type { Prepared } from './prepare.js';
import { readErrorBody, readFile, readJson, readObject, Unreadable } from './read.js';
import { cleanCause, redactHeaders, scrubber, scrubValue, secretsIn } from './redact.js';
import { attachMeta } from './response-meta.js';
import { decide, parseRetryAfter } from './retry.js';
import { describeFailure, platformMessage } from './sentences.js';
import type { Settings } from './settings.js';
import { mismatches } from './validate.js';

/** How one request failed. */
interface Failed {
  readonly meaning: Meaning;
  readonly response?: EngineResponse;
  readonly status?: number | undefined;
  readonly stale?: boolean | undefined;
  readonly cause?: unknown;
}

/** The road of one call, from the first request to its result or its error. */
export class Road {
  readonly #request: EngineRequest;
  #attempts = 0;
  #retries = 0;
  #staleResent = false;
  /** Whether an attempt so far may have been executed: from then on no refusal proves that nothing was. */
  #uncertain: boolean;

  constructor(
    private readonly call: Prepared,
    private readonly deadline: Deadline,
    private readonly engine: Engine,
    private readonly settings: Settings,
    private readonly authorizer: Authorizer,
  ) {
    this.#uncertain = call.resumes;
    this.#request = {
      method: call.trip.method,
      target: call.target,
      headers: Object.assign(call.headers, authorizer.headers()),
      body: call.text,
    };
  }

  async travel(): Promise<object> {
    for (;;) {
      if (this.deadline.stop !== undefined)
        throw this.#error({ meaning: stopped(this.deadline.stop, 'not-executed') });
      const answer = await this.#attempt();
      if ('result' in answer) return answer.result;
      const wait = this.#nextWait(answer);
      if (wait === undefined) throw this.#error(answer);
      if (answer.meaning.outcome === 'unknown') this.#uncertain = true;
      if (wait > 0) await this.deadline.wait(wait);
    }
  }

  async #attempt(): Promise<{ readonly result: object } | Failed> {
    this.#attempts++;
    const { onRequest } = this.settings.hooks;
    notify(onRequest, () => ({ ...this.#event(), headers: this.#shown(this.#request.headers) }));
    const started = performance.now();
    try {
      const response = await this.engine.send(this.#request, this.deadline);
      this.#tell(response, performance.now() - started);
      if (response.status < 200 || response.status > 299) {
        return { meaning: meaningOfStatus(response.status, this.call.trip), response };
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
        : meaningOfFailure(failure, this.deadline.stop);
      return { meaning, status, stale, cause };
    }
  }

  #read(response: EngineResponse): { readonly result: object } | Failed {
    try {
      const result = this.#data(response);
      attachMeta(result, {
        response,
        requestIdHeader: this.settings.wireNames.requestIdHeader,
        idempotencyKey: this.call.key,
        attempts: this.#attempts,
      });
      return { result };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const again = error.final ? 'never' : 'if-repeatable';
      const summary = `the answer (${response.status}) cannot be read: ${error.message}`;
      return { meaning: { again, outcome: 'unknown', summary, error: UnreadableResponseError }, response };
    }
  }

  /** The data of a 2xx answer, under the SDK's names. A departure from the API document is reported, and delivered all the same. */
  #data(response: EngineResponse): object {
    const { trip } = this.call;
    if (trip.response === 'none') return {};
    if (trip.response === 'file') return readFile(response.body, response.header('content-type'));
    if (trip.response === 'unspecified') return readStructure(response.body);
    const data = readObject(response.body);
    if (trip.names !== undefined) rename(data, this.settings.wireNames[trip.names].inward);
    const { onDrift } = this.settings.hooks;
    if (onDrift !== undefined) {
      const issues = mismatches(trip.response, data);
      if (issues.length > 0) notify(onDrift, () => ({ ...this.#event(), issues }));
    }
    return data;
  }

  #nextWait({ meaning, response, stale = false }: Failed): number | undefined {
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

  #error({ meaning, response, status, cause }: Failed): PaymentPlatformError {
    const { trip, key, body } = this.call;
    const scrub = scrubber([...this.authorizer.secrets(), ...secretsIn(body)]);
    const answer = response === undefined ? undefined : scrubValue(readErrorBody(response.body), scrub);
    const outcome = this.#outcome(meaning);
    const isRead = trip.method === 'GET' || trip.method === 'HEAD';
    const wait = hint(response);
    const details: ErrorDetails = {
      outcome,
      idempotencyKey: key,
      status: response?.status ?? status,
      requestId: response === undefined ? undefined : this.#requestId(response),
      body: answer,
      attempts: this.#attempts,
      retryAfter: wait === undefined ? undefined : wait / 1000,
      cause: this.deadline.stop === 'aborted' ? this.deadline.reason : cleanCause(cause, scrub),
    };
    const message = describeFailure(
      trip.id,
      meaning.summary,
      platformMessage(answer),
      isRead ? undefined : outcome,
      key !== undefined,
    );
    return new meaning.error(message, details);
  }

  #outcome({ outcome }: Meaning): Outcome {
    const { method } = this.call.trip;
    if (method === 'GET' || method === 'HEAD') return 'not-executed';
    return this.#uncertain ? 'unknown' : outcome;
  }

  #event(): CallEvent {
    const { trip, target, key } = this.call;
    return {
      operation: trip.id,
      method: trip.method,
      path: target,
      attempt: this.#attempts,
      idempotencyKey: key,
    };
  }

  #tell(response: EngineResponse, duration: number): void {
    notify(this.settings.hooks.onResponse, () => ({
      ...this.#event(),
      status: response.status,
      headers: this.#shown(response.headers()),
      requestId: this.#requestId(response),
      duration,
    }));
  }

  #shown(headers: Readonly<Record<string, string>>): Record<string, string> {
    return redactHeaders(headers, this.settings.wireNames.requestIdHeader);
  }

  #requestId(response: EngineResponse): string | undefined {
    return response.header(this.settings.wireNames.requestIdHeader);
  }
}

/** An answer whose shape is not shown: an object or a list. A bare number could be the rest of something longer. */
function readStructure(body: Uint8Array): object {
  const value = readJson(body);
  if (typeof value === 'object' && value !== null) return value;
  throw new Unreadable('the body is neither an object nor a list');
}

function hint(response: EngineResponse | undefined): number | undefined {
  return parseRetryAfter(response?.header('retry-after'), response?.header('date'));
}
