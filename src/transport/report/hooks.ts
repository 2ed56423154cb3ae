import type { Issue } from '../../input/issue.js';

/** What every hook is told. Secrets are replaced, and bodies are not shown at all. */
export interface CallEvent {
  /** `payments.create`, or `request` for `platform.request`. */
  readonly operation: string;
  readonly method: string;
  /** After the base address, without the query. */
  readonly path: string;
  /** 1 for the first request of a call. */
  readonly attempt: number;
  readonly idempotencyKey: string | undefined;
}

export interface RequestEvent extends CallEvent {
  readonly headers: Readonly<Record<string, string>>;
}

export interface ResponseEvent extends CallEvent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  /** Milliseconds from sending to the whole answer. */
  readonly duration: number;
}

export interface RetryEvent extends CallEvent {
  /** What happened, in a few words. */
  readonly reason: string;
  /** Milliseconds until the next request. */
  readonly delay: number;
}

export interface DriftEvent extends CallEvent {
  /** Where the answer departs from the API document: fields missing, unexpected, or of another type. */
  readonly issues: readonly Issue[];
}

/** Called beside a call. What they return is ignored, and what they throw too. */
export interface Hooks {
  onRequest?: (event: RequestEvent) => unknown;
  onResponse?: (event: ResponseEvent) => unknown;
  onRetry?: (event: RetryEvent) => unknown;
  onDrift?: (event: DriftEvent) => unknown;
}

/** Runs a hook, unless there is nothing to tell, so that nothing it does reaches the call: a throw, a rejection, a promise that never settles. */
export function notify<Event>(
  hook: ((event: Event) => unknown) | undefined,
  event: () => Event | undefined,
): void {
  if (hook === undefined) return;
  try {
    const told = event();
    if (told === undefined) return;
    const result = hook(Object.freeze(told));
    Promise.resolve(result).catch(() => undefined);
  } catch {
    // A broken logger is not a broken payment.
  }
}
