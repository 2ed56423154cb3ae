import type { Authorizer } from '../../auth/credentials.js';
import type { RateLimitGroup } from '../../contract/limits.js';
import { uuidForm } from '../../contract/patterns.js';
import type { BoletoFile } from '../../contract/payments/types.js';
import { issuesIn } from '../../contract/read-value.js';
import { schemaDrift } from '../../contract/schema-drift.js';
import { Shape } from '../../contract/shape.js';
import type { WireNames } from '../../contract/wire-names.js';
import type { ErrorDetails, Outcome, PaymentPlatformError } from '../../errors/base.js';
import { firstIssues } from '../../errors/usage.js';
import type { Issue } from '../../input/issue.js';
import type { CallSpan } from '../../telemetry/spans.js';
import type { Classification } from '../answer/classify-failure.js';
import { fileIssues, readErrorBody } from '../answer/read-body.js';
import { headerIssues } from '../answer/read-result.js';
import { isRead, shownOperation } from '../call/call-spec.js';
import { type CallEvent, type Hooks, notify } from '../call/hooks.js';
import type { PreparedCall } from '../prepare/prepare-call.js';
import { shownCause } from '../redact/cause.js';
import { shownAnswerHeaders, shownRequestHeaders, shownRequestId } from '../redact/headers.js';
import { redacted, ShownText } from '../redact/shown-text.js';
import type { EngineResponse } from '../send/engine.js';
import type { FormFile } from '../upload/files.js';
import { filesIn } from '../upload/form.js';
import { shownBody } from './error-body.js';
import { describeFailure } from './error-message.js';

/** The client's options that a report depends on. */
export interface ReportSettings {
  readonly baseUrl: URL;
  readonly names: WireNames;
  readonly hooks: Hooks;
}

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

/** Reports one call to the hooks, and builds its error. Of an answer only what is known to be harmless is shown. */
export class CallReport {
  constructor(
    private readonly call: PreparedCall,
    private readonly settings: ReportSettings,
    private readonly authorizer: Authorizer,
    /** The headers of every attempt: the words of their values are not shown. */
    private readonly sentHeaders: readonly Readonly<Record<string, string>>[],
  ) {}

  request(attempt: number, headers: Readonly<Record<string, string>>): void {
    notify(this.settings.hooks.onRequest, () => ({
      ...this.#event(attempt),
      headers: shownRequestHeaders(headers, this.#shown()),
    }));
  }

  response(attempt: number, { head }: EngineResponse, duration: number): void {
    notify(this.settings.hooks.onResponse, () => {
      const shown = this.#shown(head.status);
      const { requestIdHeader } = this.settings.names;
      return {
        ...this.#event(attempt),
        status: head.status,
        headers: shownAnswerHeaders(head.headers(), requestIdHeader, shown),
        requestId: shownRequestId(head.header(requestIdHeader), shown),
        duration,
      };
    });
  }

  retry(attempt: number, whatHappened: string, delay: number, span: CallSpan | undefined): void {
    span?.retry(whatHappened, delay);
    notify(this.settings.hooks.onRetry, () => ({ ...this.#event(attempt), reason: whatHappened, delay }));
  }

  rateLimitFallback(attempt: number, group: RateLimitGroup, reason: string): void {
    notify(this.settings.hooks.onRateLimitFallback, () => ({ ...this.#event(attempt), group, reason }));
  }

  /** Reports where an answer differs from the API document. Nothing a schema does, not even a throw, affects the result. */
  drift(attempt: number, data: object, response: EngineResponse): void {
    notify(this.settings.hooks.onDrift, () => {
      const ofHeaders = headerIssues(response, this.call.spec);
      const found = this.#driftOf(data);
      if (found.length + ofHeaders.length === 0) return undefined;
      const shown = this.#shown();
      const isOwn = !this.call.spec.pathIsGiven;
      const issues = firstIssues(found).map(({ path, message }) => ({
        path: path === '' ? path : (shown.path(path) ?? redacted),
        // The contract's own sentences hold no value, but for names that the platform gave.
        message: isOwn && !message.startsWith('has undocumented') ? message : shown.text(message),
      }));
      return { ...this.#event(attempt), issues: [...ofHeaders, ...issues] };
    });
  }

  #driftOf(data: object): readonly Issue[] {
    const { spec, shapes } = this.call;
    if (spec.result === 'file') return fileIssues(data as BoletoFile);
    const { response } = shapes;
    if (response === undefined) return [];
    return response instanceof Shape ? issuesIn(data, response) : schemaDrift(response, data);
  }

  error({ classification, response, waitMs, outcome, ...rest }: FailedCall): PaymentPlatformError {
    const { spec, key } = this.call;
    const status = response?.head.status ?? rest.status;
    const shown = this.#shown(status);
    const raw =
      response === undefined
        ? undefined
        : readErrorBody(response.head.status, response.body, response.head.header('content-type'));
    const body = raw === undefined ? undefined : shownBody(raw, shown);
    const { summary, tellsCause } = classification;
    const cause = rest.abortReason ?? shownCause(rest.cause, shown);
    const why = [
      tellsCause && cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : '',
      rest.whyNotRetried === undefined ? '' : `; ${rest.whyNotRetried}`,
    ];
    const details: ErrorDetails = {
      ...shownOperation(spec),
      outcome,
      idempotencyKey: key,
      status,
      location: redirectOf(response, shown),
      requestId: shownRequestId(response?.head.header(this.settings.names.requestIdHeader), shown),
      body,
      rawBody: raw,
      attempts: rest.attempts,
      retryAfter: waitMs === undefined ? undefined : Math.ceil(waitMs) / 1000,
      cause,
    };
    const message = describeFailure(
      spec.id,
      `${summary}${why.join('')}`,
      Object.assign(Object.create(null), body),
      isRead(spec) ? undefined : outcome,
      this.call,
    );
    return new classification.error(message, details);
  }

  /** Whether this call may show what the error of another request does: that one does not know what this call sent. */
  mayShow({ body = {}, status, requestId, cause }: PaymentPlatformError): boolean {
    const shown = this.#shown(status);
    if (requestId !== shownRequestId(requestId, shown)) return false;
    const { code = '', message = '', fields = [] } = body;
    return [code, message, ...fields, ...messagesOf(cause)]
      .map((text) => text.replaceAll(redacted, '-'))
      .every((text) => shown.text(text) === text);
  }

  #event(attempt: number): CallEvent {
    const { spec, target, key } = this.call;
    // Without the query, which may contain secrets of the caller.
    const path = target.split('?', 1)[0] as string;
    // What is not known to be an id may be a card number.
    const isIds = !spec.pathIsGiven && Object.values(spec.params ?? {}).every((kind) => kind !== 'text');
    return {
      operation: spec.id,
      method: spec.method,
      path: isIds ? path : shownOperation(spec).path,
      attempt,
      idempotencyKey: key,
    };
  }

  /** Shows what is harmless in texts about this call. @param status of the answer */
  #shown(status?: number): ShownText {
    const { key, target, body, query, shapes } = this.call;
    const isSecret = shapes.request?.isSecret === true;
    const { baseUrl, names } = this.settings;
    // A CPF is no id that is shown.
    const ids = (target.split('?', 1)[0]?.split('/') ?? []).filter(
      (id) => uuidForm.test(id) || id.replace(/\D/g, '').length < 10,
    );
    return new ShownText({
      shown: [
        ...ids,
        key ?? '',
        status === undefined ? '' : String(status),
        baseUrl.host,
        baseUrl.hostname,
        ...names.given,
      ].filter((value) => value !== ''),
      secrets: this.#sentSecrets(),
      body: isSecret ? undefined : body,
      hidden: [query, isSecret ? body : undefined, filesIn(body).map(ownNameOf)],
    });
  }

  /** The values of the headers that this call sent, but for those that the package itself has made. */
  #sentSecrets(): readonly string[] {
    const sent = [this.call.headers, ...this.sentHeaders].flatMap((headers) => Object.entries(headers));
    const secret = sent.filter(([name]) => !harmlessHeaders.has(name)).map(([, value]) => value);
    return [...this.authorizer.secrets(), ...secret];
  }
}

/** The messages of a cause that was copied, and of its own causes. */
function messagesOf(cause: unknown): string[] {
  return cause instanceof Error ? [cause.message, ...messagesOf(cause.cause)] : [];
}

/** The name of a file without its ending, unless it is that of its field. */
const ownNameOf = ([field, { filename }]: [string, FormFile]): string => {
  const name = filename.replace(/\.\w+$/, '');
  return name.toLowerCase() === field.toLowerCase() ? '' : name;
};

/** Headers that the package sets, and which hide no word of an answer. */
const harmlessHeaders = new Set([
  'accept',
  'accept-encoding',
  'client-id',
  'content-type',
  'user-agent',
  'x-idempotency-key',
]);

/** Where an answer leads that is a redirect: none is followed. Undefined for an address that repeats what the call sent. */
function redirectOf(response: EngineResponse | undefined, shown: ShownText): string | undefined {
  if (response === undefined || response.head.status < 300 || response.head.status > 399) return undefined;
  const location = response.head.header('location');
  return location === undefined || shown.repeatsHidden(location) ? undefined : location;
}
