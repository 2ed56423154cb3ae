import type { RateLimitGroup } from '../../contract/limits.js';
import type { Issue } from '../../validation/issue.js';

/** The fields of every event. Secrets and personal data are replaced, and bodies are not included. */
export interface CallEvent {
  /** `payments.create`, or `request` for `platform.request`. */
  readonly operation: string;
  /** The HTTP method, in capitals. */
  readonly method: string;
  /**
   * The path after the base address, without the query. In calls of `payments.boleto` and `platform.request`,
   * placeholders replace the ids.
   */
  readonly path: string;
  /** 1 for the first request of a call. */
  readonly attempt: number;
  /** The call's idempotency key; undefined if it has none. */
  readonly idempotencyKey: string | undefined;
}

/** A request is about to be sent. */
export interface RequestEvent extends CallEvent {
  /**
   * The request's headers, with names in lower case. Values that may be secret are replaced. Headers that
   * telemetry adds are missing.
   */
  readonly headers: Readonly<Record<string, string>>;
}

/** A response was received completely, with any status. */
export interface ResponseEvent extends CallEvent {
  /** The HTTP status. */
  readonly status: number;
  /** The response's headers, with names in lower case. Values that may be secret are replaced. */
  readonly headers: Readonly<Record<string, string>>;
  /** The platform's identifier for the request, if it sends one. */
  readonly requestId: string | undefined;
  /** Milliseconds from sending the request to the end of the response. */
  readonly duration: number;
}

/** A call is about to be retried. */
export interface RetryEvent extends CallEvent {
  /** A short reason. */
  readonly reason: string;
  /** Milliseconds until the next request. */
  readonly delay: number;
}

/** A response differs from the API docs. The call still returns its data. */
export interface DriftEvent extends CallEvent {
  /** The differences: fields that are missing, unexpected, or of another type. */
  readonly issues: readonly Issue[];
}

/**
 * The rate limit store failed, so this client counts only its own requests for some seconds. During an
 * outage, it is emitted again when the client has tried the store again.
 */
export interface RateLimitFallbackEvent extends CallEvent {
  /** The group of operations that share the limit. */
  readonly group: RateLimitGroup;
  /** A short reason. The store's own error is left out, because it can contain a secret. */
  readonly reason: string;
}

/** Functions that the SDK calls during a request. The SDK ignores their results and errors. */
export interface Hooks {
  /** Called before each request, including retries. */
  onRequest?: (event: RequestEvent) => unknown;
  /** Called after each complete response, whatever its status. */
  onResponse?: (event: ResponseEvent) => unknown;
  /** Called before the client waits to retry. */
  onRetry?: (event: RetryEvent) => unknown;
  /** Called after a response that differs from the API docs, once per difference. */
  onDrift?: (event: DriftEvent) => unknown;
  /** Called after the `rateLimits` store has failed. The client then counts only its own requests. */
  onRateLimitFallback?: (event: RateLimitFallbackEvent) => unknown;
}

/** A throw, a rejection or a promise that never settles does not affect the call. */
export function notify<Event>(
  hook: ((event: Event) => unknown) | undefined,
  event: () => Event | undefined,
): void {
  if (hook === undefined) return;
  try {
    const payload = event();
    if (payload === undefined) return;
    const result = hook(Object.freeze(payload));
    Promise.resolve(result).catch(() => undefined);
  } catch {
    // A broken logger must not break a payment.
  }
}
