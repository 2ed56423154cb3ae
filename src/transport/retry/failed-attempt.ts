import type { Classification } from '../response/classify-failure.js';
import type { EngineResponse } from '../send/engine.js';

type Details = {
  readonly [Name in 'response' | 'status' | 'isStale' | 'waitMs' | 'cause']?: FailedAttempt[Name] | undefined;
};

/** A request that failed, or that could not be sent. */
export class FailedAttempt {
  readonly classification: Classification;
  readonly response: EngineResponse | undefined;
  readonly status: number | undefined;
  /** It failed on a kept connection that the server had closed. */
  readonly isStale: boolean;
  /** Milliseconds to wait, if the wait does not come from a Retry-After header. */
  readonly waitMs: number | undefined;
  readonly cause: unknown;

  constructor(classification: Classification, details: Details = {}) {
    this.classification = classification;
    this.response = details.response;
    this.status = details.response?.head.status ?? details.status;
    this.isStale = details.isStale ?? false;
    this.waitMs = details.waitMs;
    this.cause = details.cause;
  }

  /** The type of its error in telemetry: an error status, or what went wrong. */
  get errorType(): string {
    const { status } = this;
    return status !== undefined && (status < 200 || status > 299)
      ? String(status)
      : this.classification.error.kind;
  }
}
