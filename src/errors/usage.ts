import type { Issue } from '../input/issue.js';
import { type ErrorDetails, PaymentPlatformError } from './base.js';

/** So many problems are listed; who has more has another problem. */
const mostIssues = 100;

/** The first problems, and how many more there are. */
export function firstIssues(issues: readonly Issue[]): readonly Issue[] {
  const left = issues.length - mostIssues;
  if (left <= 0) return Object.freeze([...issues]);
  return Object.freeze([...issues.slice(0, mostIssues), { path: '', message: `has ${left} more problems` }]);
}

const sentence = (issues: readonly Issue[]) =>
  issues
    .map(({ path, message }) => (path === '' ? `the argument ${message}` : `${path}: ${message}`))
    .join('; ');

/**
 * An option of the client is missing or wrong: thrown by the constructor. A call rejects with it where the
 * package cannot even make a request, in a broken bundle for example: nothing was sent.
 */
export class ConfigurationError extends PaymentPlatformError {
  static override readonly kind: string = 'ConfigurationError';
  override readonly name = 'ConfigurationError';

  constructor(message: string, details?: ErrorDetails) {
    super('configuration_invalid', message, details);
  }
}

/** An argument breaks a rule of the API document. Nothing was sent. */
export class ValidationError extends PaymentPlatformError {
  static override readonly kind: string = 'ValidationError';
  override readonly name = 'ValidationError';
  /** Every problem at once; of more than a hundred, the first hundred and how many are left. */
  readonly issues: readonly Issue[];

  constructor(subject: string, issues: readonly Issue[], idempotencyKey?: string) {
    const listed = firstIssues(issues);
    super('validation_failed', `${subject}: ${sentence(listed)}. Nothing was sent.`, { idempotencyKey });
    this.issues = listed;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues };
  }
}
