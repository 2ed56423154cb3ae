import type { Authorizer } from '../../auth/credentials.js';
import type { ErrorDetails, Outcome, PaymentPlatformError } from '../../errors/base.js';
import { printable } from '../../errors/printable.js';
import { firstIssues } from '../../errors/usage.js';
import { readErrorBody } from '../answer/read-body.js';
import { sampleOf } from '../answer/sample.js';
import { isRead } from '../prepare/call-spec.js';
import type { PreparedCall } from '../prepare/prepare-call.js';
import { mismatches, type Schema } from '../prepare/schema-issues.js';
import { cleanCause } from '../redact/cause.js';
import { redactHeaders, secretHeaderValues, shownRequestId } from '../redact/headers.js';
import { Scrubber, secretsIn, shorten } from '../redact/scrubber.js';
import type { Classification } from '../retry/classify-failure.js';
import type { EngineResponse } from '../send/engine.js';
import type { Settings } from '../settings.js';
import { describeFailure, platformMessage } from './error-message.js';
import { type CallEvent, notify } from './hooks.js';

/** How a call ended, for its error. */
interface Ending {
  readonly meaning: Classification;
  readonly outcome: Outcome;
  readonly attempts: number;
  /** Why it is not sent again although it could be. */
  readonly heldBack: string | undefined;
  readonly response: EngineResponse | undefined;
  readonly status: number | undefined;
  /** Milliseconds until the next request has a chance. */
  readonly wait: number | undefined;
  readonly cause: unknown;
  /** The caller's reason, where the caller ended the call: it is passed on as it is. */
  readonly reason: unknown;
}

/** An answer of so many bytes is held against the document as a whole; of a larger one a sample. */
const smallAnswer = 16_384;

/** What is told of one call, in hooks and in its error: everything with its secrets hidden. */
export class CallReport {
  /** The headers of every attempt: their credentials are hidden, whichever of them comes back. */
  readonly #sent: Readonly<Record<string, string>>[] = [];

  constructor(
    private readonly call: PreparedCall,
    private readonly schema: Schema | undefined,
    private readonly settings: Settings,
    private readonly authorizer: Authorizer,
  ) {}

  request(attempt: number, headers: Readonly<Record<string, string>>): void {
    this.#sent.push(headers);
    notify(this.settings.hooks.onRequest, () => ({
      ...this.#event(attempt),
      headers: this.#headers(headers, this.#scrubber()),
    }));
  }

  response(attempt: number, { head }: EngineResponse, duration: number): void {
    notify(this.settings.hooks.onResponse, () => {
      const scrubber = this.#scrubber();
      return {
        ...this.#event(attempt),
        status: head.status,
        headers: this.#headers(head.headers(), scrubber),
        requestId: this.#requestId(head, scrubber),
        duration,
      };
    });
  }

  retry(attempt: number, why: string, delay: number): void {
    notify(this.settings.hooks.onRetry, () => {
      const reason = printable(this.#scrubber().text(why));
      return { ...this.#event(attempt), reason, delay };
    });
  }

  /** A departure from the API document. Whatever a schema does, a throw included, the data is delivered. */
  drift(attempt: number, data: object, bytes: number): void {
    const { schema } = this;
    if (schema === undefined) return;
    notify(this.settings.hooks.onDrift, () => {
      const found = mismatches(schema, bytes > smallAnswer ? sampleOf(data) : data);
      if (found.length === 0) return undefined;
      const scrubber = this.#scrubber();
      const shown = (text: string) => printable(scrubber.text(text));
      const issues = firstIssues(found).map(({ path, message }) => ({
        path: shown(path),
        message: shown(message),
      }));
      return { ...this.#event(attempt), issues };
    });
  }

  error({ meaning, response, wait, outcome, ...rest }: Ending): PaymentPlatformError {
    const { spec, key } = this.call;
    const raw = response === undefined ? undefined : readErrorBody(response.head.status, response.body);
    const scrubber = this.#scrubber(raw);
    const body = shorten(scrubber.value(raw));
    const summary = scrubber.text(meaning.summary);
    const details: ErrorDetails = {
      outcome,
      idempotencyKey: key,
      status: response?.head.status ?? rest.status,
      requestId: response === undefined ? undefined : this.#requestId(response.head, scrubber),
      body,
      attempts: rest.attempts,
      retryAfter: wait === undefined ? undefined : Math.ceil(wait) / 1000,
      cause: rest.reason ?? cleanCause(rest.cause, (text) => scrubber.text(text)),
    };
    const message = describeFailure(
      spec.id,
      rest.heldBack === undefined ? summary : `${summary}; ${rest.heldBack}`,
      platformMessage(body),
      isRead(spec) ? undefined : outcome,
      this.call,
    );
    return new meaning.error(message, details);
  }

  #event(attempt: number): CallEvent {
    const { spec, target, key } = this.call;
    // Without the query: what it carries is the caller's, and may be a secret.
    const path = target.split('?', 1)[0] as string;
    return { operation: spec.id, method: spec.method, path, attempt, idempotencyKey: key };
  }

  /** Hides what this call sent and must be shown nowhere, and the secrets of an answer. */
  #scrubber(answer?: unknown): Scrubber {
    const { spec, body, headers } = this.call;
    const sent = [
      ...this.authorizer.secrets(),
      ...secretsIn(body, spec.secrets),
      ...[headers, ...this.#sent].flatMap(secretHeaderValues),
    ];
    return new Scrubber(sent, secretsIn(answer));
  }

  #headers(headers: Readonly<Record<string, string>>, scrubber: Scrubber): Record<string, string> {
    return redactHeaders(headers, this.settings.names.requestIdHeader, scrubber);
  }

  #requestId(head: EngineResponse['head'], scrubber: Scrubber): string | undefined {
    return shownRequestId(head.header(this.settings.names.requestIdHeader), scrubber);
  }
}
