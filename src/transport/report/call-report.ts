import type { Authorizer } from '../../auth/credentials.js';
import type { RateLimitGroup } from '../../contract/limits.js';
import type { BoletoFile } from '../../contract/payments/types.js';
import { mismatches, type Schema } from '../../contract/schema-issues.js';
import type { ErrorDetails, Outcome, PaymentPlatformError } from '../../errors/base.js';
import { printable } from '../../errors/printable.js';
import { firstIssues } from '../../errors/usage.js';
import type { CallSpan } from '../../telemetry/spans.js';
import { fileIssues, readErrorBody } from '../answer/read-body.js';
import { sampleOf } from '../answer/sample.js';
import { failedOperation, isRead } from '../prepare/call-spec.js';
import type { PreparedCall } from '../prepare/prepare-call.js';
import { cleanCause } from '../redact/cause.js';
import { redactHeaders, secretHeaderValues, shownRequestId } from '../redact/headers.js';
import { PersonalData, personalTextsIn } from '../redact/personal-data.js';
import { Scrubber, secretsIn, shorten } from '../redact/scrubber.js';
import type { Classification } from '../retry/classify-failure.js';
import type { EngineResponse } from '../send/engine.js';
import type { Settings } from '../settings.js';
import { describeFailure, platformMessage } from './error-message.js';
import { type CallEvent, notify } from './hooks.js';
import { namedFields } from './named-fields.js';

/** How a call failed, for its error. */
interface FailedCall {
  readonly classification: Classification;
  readonly outcome: Outcome;
  readonly attempts: number;
  /** Why it was not sent again although its failure allows it. */
  readonly whyNotRetried: string | undefined;
  readonly response: EngineResponse | undefined;
  readonly status: number | undefined;
  /** Milliseconds to wait before the next request, if known. */
  readonly waitMs: number | undefined;
  readonly cause: unknown;
  /** The reason of the caller's signal, if the caller aborted the call. It becomes the `cause` unchanged. */
  readonly abortReason: unknown;
}

/** An answer up to this size is checked completely against its schema; of a larger one a sample. In bytes. */
const maxBytesToCheckWhole = 16_384;

/** Reports one call to the hooks, and builds its error. All secrets are hidden. */
export class CallReport {
  /** The headers of every attempt: the credentials of each are hidden if they come back in an answer. */
  readonly #sentHeaders: Readonly<Record<string, string>>[] = [];

  constructor(
    private readonly call: PreparedCall,
    private readonly schema: Schema | undefined,
    private readonly settings: Settings,
    private readonly authorizer: Authorizer,
  ) {}

  request(attempt: number, headers: Readonly<Record<string, string>>): void {
    this.#sentHeaders.push(headers);
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

  retry(attempt: number, whatHappened: string, delay: number, span: CallSpan | undefined): void {
    const reasonOf = () => printable(this.#scrubber().text(whatHappened));
    span?.retry(reasonOf(), delay);
    notify(this.settings.hooks.onRetry, () => ({ ...this.#event(attempt), reason: reasonOf(), delay }));
  }

  rateLimitFallback(attempt: number, group: RateLimitGroup, reason: string): void {
    notify(this.settings.hooks.onRateLimitFallback, () => ({ ...this.#event(attempt), group, reason }));
  }

  /** Reports where an answer differs from the API document. Nothing a schema does, not even a throw, affects the result. */
  drift(attempt: number, data: object, bytes: number): void {
    const { schema } = this;
    const isFile = this.call.spec.result === 'file';
    if (schema === undefined && !isFile) return;
    notify(this.settings.hooks.onDrift, () => {
      const found = isFile
        ? fileIssues(data as BoletoFile)
        : mismatches(schema as Schema, bytes > maxBytesToCheckWhole ? sampleOf(data) : data);
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

  error({ classification, response, waitMs, outcome, ...rest }: FailedCall): PaymentPlatformError {
    const { spec, key } = this.call;
    const raw = response === undefined ? undefined : readErrorBody(response.head.status, response.body);
    const scrubber = this.#scrubber(raw);
    const body = shorten(scrubber.value(raw));
    const summary = scrubber.text(classification.summary);
    const details: ErrorDetails = {
      ...failedOperation(spec),
      outcome,
      idempotencyKey: key,
      status: response?.head.status ?? rest.status,
      location: redirectOf(response, this.#sentSecrets()),
      requestId: response === undefined ? undefined : this.#requestId(response.head, scrubber),
      body,
      attempts: rest.attempts,
      retryAfter: waitMs === undefined ? undefined : Math.ceil(waitMs) / 1000,
      cause: rest.abortReason ?? cleanCause(rest.cause, (text) => scrubber.text(text)),
    };
    const message = describeFailure(
      spec.id,
      rest.whyNotRetried === undefined ? summary : `${summary}; ${rest.whyNotRetried}`,
      platformMessage(body),
      response === undefined ? [] : namedFields(response.head.status, body),
      isRead(spec) ? undefined : outcome,
      this.call,
    );
    return new classification.error(message, details);
  }

  #event(attempt: number): CallEvent {
    const { spec, target, key } = this.call;
    // Without the query, which may contain secrets of the caller.
    const path = target.split('?', 1)[0] as string;
    // What is not known to be an id may be a card number.
    const isIds = !spec.pathIsGiven && Object.values(spec.params ?? {}).every((kind) => kind !== 'text');
    const shown = isIds ? path : this.#scrubber().text(path);
    return { operation: spec.id, method: spec.method, path: shown, attempt, idempotencyKey: key };
  }

  /** Hides the secrets that this call sent, those in an answer, and personal data, as the client is configured. */
  #scrubber(answer?: unknown): Scrubber {
    const { body } = this.call;
    const personal =
      this.settings.redact === 'personal'
        ? new PersonalData([...personalTextsIn(body), ...personalTextsIn(answer)])
        : undefined;
    return new Scrubber(this.#sentSecrets(), secretsIn(answer), personal);
  }

  /** The secrets that this call sent. */
  #sentSecrets(): readonly string[] {
    const { body, headers } = this.call;
    return [
      ...this.authorizer.secrets(),
      ...secretsIn(body, this.#secretPaths()),
      ...[headers, ...this.#sentHeaders].flatMap(secretHeaderValues),
    ];
  }

  /** The secret fields of the body, under the names of the SDK and under those on the wire. */
  #secretPaths(): 'all' | readonly string[] | undefined {
    const { secrets, fields, secretFields = fields?.request } = this.call.spec;
    if (secrets === undefined || secrets === 'all') return secrets;
    const { names } = this.settings;
    return [...secrets, ...secrets.map((path) => names.pathToWire(secretFields, path))];
  }

  #headers(headers: Readonly<Record<string, string>>, scrubber: Scrubber): Record<string, string> {
    return redactHeaders(headers, this.settings.names.requestIdHeader, scrubber);
  }

  #requestId(head: EngineResponse['head'], scrubber: Scrubber): string | undefined {
    return shownRequestId(head.header(this.settings.names.requestIdHeader), scrubber);
  }
}

/** Where an answer leads that is a redirect: none is followed. Undefined for an address that repeats a secret of the call. */
function redirectOf(response: EngineResponse | undefined, secrets: readonly string[]): string | undefined {
  if (response === undefined || response.head.status < 300 || response.head.status > 399) return undefined;
  const location = response.head.header('location') ?? '';
  return location === '' || secrets.some((secret) => location.includes(secret)) ? undefined : location;
}
