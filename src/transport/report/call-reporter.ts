import type { Authorizer } from '../../auth/credentials.js';
import type { RateLimitGroup } from '../../contract/limits.js';
import type { Replay } from '../../contract/operation.js';
import type { BoletoFile } from '../../contract/payments/types.js';
import { issuesIn } from '../../contract/read-value.js';
import { RuntimeSchema } from '../../contract/runtime-schema.js';
import { schemaDrift } from '../../contract/schema-drift.js';
import { ApiError } from '../../errors/api.js';
import {
  type ErrorDetails,
  type Outcome,
  type PaymentPlatformError,
  printable,
  rawBodyOf,
} from '../../errors/base.js';
import { takeFirstIssues } from '../../errors/usage.js';
import { redactCause } from '../../redact/cause.js';
import {
  isCallerHeader,
  isCredentialHeader,
  redactRequestHeaders,
  redactRequestId,
  redactResponseHeaders,
} from '../../redact/headers.js';
import { MessageRedactor } from '../../redact/message-redactor.js';
import type { CallSpan } from '../../telemetry/calls.js';
import { isError } from '../../validation/builtins.js';
import type { Issue } from '../../validation/issue.js';
import { type CallSpec, isRead, redactedOperation } from '../call/call-spec.js';
import { type CallEvent, notify } from '../call/hooks.js';
import type { PreparedCall } from '../prepare/prepare-call.js';
import type { FailureClassification } from '../response/classify-failure.js';
import { readErrorFields } from '../response/error-body.js';
import { fileIssues, headerIssues, looksLikePage, readErrorBody } from '../response/read-response.js';
import type { HttpResponse, ResponseHead } from '../send/http-client.js';
import type { Settings } from '../settings.js';
import type { FormFile } from '../upload/files.js';
import { listFiles } from '../upload/form.js';

export interface FailedAttempt {
  readonly classification: FailureClassification;
  readonly response?: HttpResponse | undefined;
  readonly head?: ResponseHead | undefined;
  readonly isStale?: boolean | undefined;
  /** Milliseconds to wait before the next request, if known. */
  readonly waitMs?: number | undefined;
  readonly cause?: unknown;
}

interface FailedCall extends FailedAttempt {
  readonly outcome: Outcome;
  readonly attempts: number;
  readonly whyNotRetried: string | undefined;
  /** It becomes the error's `cause` unchanged. */
  readonly abortReason: unknown;
}

export class CallReporter {
  constructor(
    private readonly call: PreparedCall,
    private readonly settings: Settings,
    private readonly authorizer: Authorizer,
    /** The headers of every attempt, which contain credentials. */
    private readonly sentHeaders: readonly Readonly<Record<string, string>>[],
  ) {}

  request(attempt: number, headers: Readonly<Record<string, string>>): void {
    notify(this.settings.hooks.onRequest, () => ({
      ...this.#event(attempt),
      headers: redactRequestHeaders(headers),
    }));
  }

  response(attempt: number, { head }: HttpResponse, duration: number): void {
    notify(this.settings.hooks.onResponse, () => {
      const redactor = this.#redactor();
      const { requestIdHeader } = this.settings.names;
      return {
        ...this.#event(attempt),
        status: head.status,
        headers: redactResponseHeaders(head.headers(), requestIdHeader, redactor),
        requestId: redactRequestId(head.header(requestIdHeader), redactor),
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

  /** A schema that throws does not affect the result. */
  drift(attempt: number, data: object, response: HttpResponse): void {
    notify(this.settings.hooks.onDrift, () => {
      const ofHeaders = headerIssues(response, this.call.spec);
      const found = this.#findDrift(data);
      if (found.length + ofHeaders.length === 0) return undefined;
      const redactor = this.#redactor();
      // A caller's schema can repeat values in its messages. The contract's own schemas never do.
      const isForeign =
        this.call.shapes.response !== undefined && !(this.call.shapes.response instanceof RuntimeSchema);
      const redacted = takeFirstIssues(found).map(({ path, message }) => ({
        path: redactor.show(path),
        message: isForeign ? redactor.show(message) : message,
      }));
      const issues = [...ofHeaders, ...redacted].filter((issue) => this.#isNew(issue));
      return issues.length === 0 ? undefined : { ...this.#event(attempt), issues };
    });
  }

  /** Items of a list count as one field. */
  #isNew({ path, message }: Issue): boolean {
    const { method, path: endpoint } = redactedOperation(this.call.spec);
    const issue = `${method} ${endpoint} ${path.replace(/(^|\.)\d+(?=\.|$)/g, '$1{n}')} ${message}`;
    const reported = reportedDrift.get(this.settings) ?? new Set();
    reportedDrift.set(this.settings, reported);
    if (reported.has(issue)) return false;
    // The set is limited, because new names in every response would fill the memory. Clearing it only means
    // that some issues are reported again.
    if (reported.size >= maxReported) reported.clear();
    reported.add(issue);
    return true;
  }

  #findDrift(data: object): readonly Issue[] {
    const { spec, shapes } = this.call;
    if (spec.result === 'file') return fileIssues(data as BoletoFile);
    const { response } = shapes;
    const changed = spec.echoes === undefined ? [] : changedFields(this.call.body, data);
    if (response === undefined) return changed;
    const found = response instanceof RuntimeSchema ? issuesIn(data, response) : schemaDrift(response, data);
    return [...changed, ...found];
  }

  error({ classification, response, head, waitMs, outcome, ...rest }: FailedCall): PaymentPlatformError {
    const { spec, idempotencyKey } = this.call;
    const redactor = this.#redactor();
    const raw =
      response === undefined
        ? undefined
        : readErrorBody(response.head.status, response.body, response.head.header('content-type'));
    const mayBePage = response !== undefined && looksLikePage(response);
    const { body, said, isPage } = readErrorFields(raw, mayBePage, redactor);
    const cause =
      rest.abortReason ?? (rest.cause === undefined ? undefined : redactCause(rest.cause, redactor));
    const quotesCause = classification.tellsCause && isError(cause) && cause.message !== '';
    const details: ErrorDetails = {
      ...redactedOperation(spec),
      outcome,
      idempotencyKey,
      status: head?.status,
      location: describeRedirect(head, redactor),
      requestId: redactRequestId(head?.header(this.settings.names.requestIdHeader), redactor),
      body,
      rawBody: raw,
      isDoubtful: classification.isDoubtful,
      attempts: rest.attempts,
      retryAfter: waitMs === undefined ? undefined : Math.ceil(waitMs) / 1000,
      cause,
    };
    const message = describeFailure({
      call: this.call,
      summary: isPage && head !== undefined ? pageSummary(head, redactor) : classification.summary,
      why: [
        quotesCause ? cause.message : undefined,
        head !== undefined && waitMs !== undefined
          ? `The response asks to wait ${Math.ceil(waitMs / 1000)} s`
          : undefined,
        rest.whyNotRetried,
      ],
      said,
      outcome: isRead(spec) ? undefined : outcome,
    });
    return new classification.error(message, details);
  }

  /** Whether the error of another request, such as the token request, repeats nothing that this call sent. */
  isSafeForThisCall({ body = {}, requestId, cause }: PaymentPlatformError): boolean {
    const redactor = this.#redactor();
    const { code = '', message = '', fields = [] } = body;
    return (
      requestId === redactRequestId(requestId, redactor) &&
      [code, message, ...fields, ...listMessages(cause)].every(
        (text) => redactor.show(text) === printable(text),
      )
    );
  }

  #event(attempt: number): CallEvent {
    const { spec, target, idempotencyKey } = this.call;
    // The query is left out, because it can contain the caller's secrets.
    const path = target.split('?', 1)[0] as string;
    // The full path is shown only if all parameters are ids. Any other segment could be a card number.
    const isIds = !spec.isCallerPath && Object.values(spec.params ?? {}).every((kind) => kind !== 'text');
    return {
      operation: spec.id,
      method: spec.method,
      path: isIds ? path : redactedOperation(spec).path,
      attempt,
      idempotencyKey,
    };
  }

  /** Creates a redactor for each event, because a token that was renewed meanwhile is also a secret. */
  #redactor(): MessageRedactor {
    const { body, query, shapes, spec } = this.call;
    const isSecret = shapes.request?.isSecret === true;
    // For an endpoint whose fields the API docs do not show, any field can be personal.
    const isKnown =
      shapes.request === undefined ? spec.id !== 'request' : Object.keys(shapes.request.fields).length > 0;
    const secrets = this.authorizer.secrets();
    const sent = [this.call.headers, ...this.sentHeaders].flatMap((headers) => Object.entries(headers));
    const findValues = (isWanted: (name: string) => boolean) =>
      sent.filter(([name]) => isWanted(name)).map(([, value]) => value);
    // With `auth: 'both'`, a Basic header sends these pairs in base64. They are listed as personal. As secrets, their pieces would
    // also be hidden, and with them every part of the client id.
    const pairs = secrets.map((secret) => `${this.sentHeaders.at(-1)?.['client-id']}:${secret}`);
    return new MessageRedactor({
      secrets: [secrets, findValues(isCredentialHeader), isSecret && body],
      personal: [
        pairs,
        findValues(isCallerHeader),
        spec.encoding === 'multipart' && listFiles(body).map(findOwnName),
        isKnown ? [] : [body, query],
      ],
      named: isSecret ? query : [body, query],
    });
  }
}

const reportedDrift = new WeakMap<Settings, Set<string>>();
const maxReported = 1_000;

/** If a field differs, the idempotency key was probably used for another payment. */
const changedFields = (body: unknown, data: object): Issue[] =>
  Object.entries(Object(body))
    .filter(([name, sent]) => {
      const received: unknown = Object.getOwnPropertyDescriptor(data, name)?.value;
      return typeof sent !== 'object' && typeof received === typeof sent && received !== sent;
    })
    .map(([path]) => ({ path, message: 'differs from the request. Was the key used for another payment?' }));

function listMessages(cause: unknown): string[] {
  return isError(cause) ? [cause.message, ...listMessages(cause.cause)] : [];
}

const findOwnName = ([field, { filename }]: [string, FormFile]): string => {
  const name = filename.replace(/\.\w+$/, '');
  return name.toLowerCase() === field.toLowerCase() ? '' : name;
};

function describeRedirect(head: ResponseHead | undefined, redactor: MessageRedactor): string | undefined {
  if (head === undefined || head.status < 300 || head.status > 399) return undefined;
  const location = head.header('location');
  return location === undefined || redactor.repeatsSent(location) ? undefined : location;
}

const adviceWhenUnknown: Readonly<Record<Replay, string>> = {
  natural: 'The call may have been executed. Retrying it is harmless.',
  keyed: 'The call may have been executed. Retry with the same key ({key}), not with a new one.',
  never:
    'The call may have been executed. Check whether it was before you retry: a retry could execute it twice.',
};

interface FailedRequest {
  readonly spec: Pick<CallSpec, 'id' | 'replay' | 'adviceIfUnknown'>;
  readonly idempotencyKey: string | undefined;
  readonly repeatable: boolean;
}

function adviceFor(outcome: Outcome, { spec, idempotencyKey, repeatable }: FailedRequest): string {
  if (outcome === 'not-executed') return 'Nothing was executed.';
  const { replay, adviceIfUnknown } = spec;
  // If the operation needs an idempotency key, a call without one cannot be retried.
  if (replay === 'keyed' && !repeatable) return adviceWhenUnknown.never;
  return (adviceIfUnknown ?? adviceWhenUnknown[replay]).replace(
    '{key}',
    idempotencyKey ?? 'error.idempotencyKey',
  );
}

interface Failure {
  readonly call: FailedRequest;
  readonly summary: string;
  readonly why?: readonly (string | undefined)[];
  readonly said?: string;
  /** The outcome; undefined for a read. */
  readonly outcome: Outcome | undefined;
}

function describeFailure({ call, summary, why = [], said = '', outcome }: Failure): string {
  const advice = outcome === undefined ? '' : adviceFor(outcome, call);
  const sentences = [summary, ...why]
    .filter((part) => part !== undefined)
    .map((part) => part.replace(/[^.!?]$/, '$&.'));
  return [`${call.spec.id}:`, ...sentences, said, advice].filter((part) => part !== '').join(' ');
}

function pageSummary(head: ResponseHead, redactor: MessageRedactor): string {
  const names = [head.header('server'), head.header('via')].filter(
    (name) => name !== undefined && name !== '',
  );
  const name = names.length === 0 ? '' : ` (${redactor.show(names.join(', ')).slice(0, 100)})`;
  return `a gateway or proxy${name} responded with a page (${head.status}), not the platform`;
}

/** Other classes, such as `NotFoundError`, would have another meaning for the call. */
const sharedErrors = new Set([
  'AuthenticationError',
  'RateLimitError',
  'ServerError',
  'ConnectionError',
  'TimeoutError',
  'UnreadableResponseError',
]);

export function tokenError(
  error: PaymentPlatformError,
  call: PreparedCall,
  own: ErrorDetails & { readonly outcome: Outcome },
  isSafe: boolean,
): PaymentPlatformError {
  const { status, requestId, retryAfter } = error;
  const why = isSafe ? error.message.replace(/\.$/, '') : `the token request failed with ${status}`;
  const outcome = isRead(call.spec) ? undefined : own.outcome;
  const message = describeFailure({ call, summary: `no access token (${why})`, outcome });
  const rawBody = rawBodyOf(error);
  const details = {
    ...redactedOperation(call.spec),
    ...own,
    requestId: isSafe ? requestId : undefined,
    body: isSafe ? error.body : undefined,
    rawBody,
    retryAfter,
    cause: isSafe ? error : undefined,
  };
  return sharedErrors.has(error.name)
    ? new (error.constructor as FailureClassification['error'])(message, { ...details, status })
    : new ApiError(message, details, 'token_request_failed');
}
