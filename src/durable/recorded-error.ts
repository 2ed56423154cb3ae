import { type ErrorCode, PaymentPlatformError } from '../errors/base.js';
import type { RecordedRequest } from './recorded-request.js';

/** An error about a recorded request. */
export abstract class RecordedError<Recorded extends RecordedRequest> extends PaymentPlatformError {
  /** The record; undefined if there is none, or if the store failed. */
  declare readonly record: Recorded | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    {
      record,
      ...details
    }: {
      readonly record?: Recorded | undefined;
      readonly outcome: 'not-executed' | 'unknown';
      readonly idempotencyKey: string;
      readonly cause?: unknown;
    },
  ) {
    super(code, message, details);
    // Loggers write every enumerable property, and a record contains personal data.
    Object.defineProperty(this, 'record', { value: record });
  }

  override toJSON(): Record<string, unknown> {
    const { state, attempts, error } = this.record ?? {};
    return { ...super.toJSON(), state, attempts, reason: error?.code };
  }
}

/** Any other code could contain confidential data. */
export function shownCode(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[A-Z\d_]{2,40}$/.test(code) ? ` (${code})` : '';
}
