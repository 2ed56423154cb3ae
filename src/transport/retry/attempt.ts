import type { EngineResponse } from '../send/engine.js';
import type { Classification } from './classify-failure.js';

/** A request that failed. */
export interface FailedAttempt {
  readonly classification: Classification;
  readonly response?: EngineResponse;
  readonly status?: number | undefined;
  readonly stale?: boolean | undefined;
  /** Milliseconds to wait, if the wait does not come from a Retry-After header. */
  readonly waitMs?: number;
  readonly cause?: unknown;
}

/** A request that succeeded. A class, because a check of a property could be fooled by a changed Object.prototype. */
export class SuccessfulAttempt {
  constructor(
    readonly result: object,
    readonly status: number,
  ) {}
}

/** How an attempt ended, for its span: the status of its answer, and the type of its error. */
export function endOf(
  attempt: SuccessfulAttempt | FailedAttempt,
): [status: number | undefined, errorType: string | undefined] {
  if (attempt instanceof SuccessfulAttempt) return [attempt.status, undefined];
  const status = attempt.response?.head.status ?? attempt.status;
  const isErrorStatus = status !== undefined && (status < 200 || status > 299);
  const { error } = attempt.classification;
  return isErrorStatus ? [status, String(status)] : [status, error.kind];
}
