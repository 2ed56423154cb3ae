import { PaymentPlatformError } from './base.js';

/** One problem, with the path of the offending value. */
export interface Issue {
  /** Dotted; empty for the value as a whole. */
  readonly path: string;
  readonly message: string;
}

const sentence = (issues: readonly Issue[]) =>
  issues
    .map(({ path, message }) => (path === '' ? `the argument ${message}` : `${path}: ${message}`))
    .join('; ');

/** An option of the client is missing or wrong. Thrown by the constructor. */
export class ConfigurationError extends PaymentPlatformError {
  static override readonly kind: string = 'ConfigurationError';
  override readonly name = 'ConfigurationError';

  constructor(message: string) {
    super('configuration_invalid', message);
  }
}

/** An argument breaks a rule of the API document. Nothing was sent. */
export class ValidationError extends PaymentPlatformError {
  static override readonly kind: string = 'ValidationError';
  override readonly name = 'ValidationError';
  /** Every problem at once. */
  readonly issues: readonly Issue[];

  constructor(subject: string, issues: readonly Issue[], idempotencyKey?: string) {
    super('validation_failed', `${subject}: ${sentence(issues)}. Nothing was sent.`, { idempotencyKey });
    this.issues = Object.freeze([...issues]);
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues };
  }
}
