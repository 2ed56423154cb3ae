import { type Issue, listIssues } from '../validation/issue.js';
import { type Accepted, type OptionReader, readerFor, rejected } from '../validation/options.js';
import { awaitItFirst, isPromise } from '../validation/record.js';
import { type ErrorDetails, PaymentPlatformError } from './base.js';

const maxIssues = 100;

export function takeFirstIssues(issues: readonly Issue[]): readonly Issue[] {
  const remaining = issues.length - maxIssues;
  if (remaining <= 0) return Object.freeze([...issues]);
  return Object.freeze([
    ...issues.slice(0, maxIssues),
    { path: '', message: `has ${remaining} more problems` },
  ]);
}

/** The end of the message for a retry that was never sent. */
export const earlierMayBeExecuted =
  'Nothing was sent now, but an earlier call with this key may have been executed.';

/**
 * An option is missing or invalid. Thrown by the client's constructor, for example. A call also rejects with
 * this error if the package cannot make any request, for example in a broken bundle. Nothing was sent.
 */
export class ConfigurationError extends PaymentPlatformError {
  static override readonly kind: string = 'ConfigurationError';
  /** Always `ConfigurationError`. */
  override readonly name = 'ConfigurationError';
  /** Always `configuration_invalid`. */
  declare readonly code: 'configuration_invalid';

  constructor(message: string, details?: ErrorDetails) {
    super('configuration_invalid', message, details);
  }
}

/** @throws ConfigurationError, which lists the issues. */
export function accept<Value>(subject: string, { read }: OptionReader<Value>, input: unknown): Value {
  const { value, issues } = isPromise(input) ? rejected(awaitItFirst) : read(input);
  if (issues.length > 0) throw new ConfigurationError(listIssues(subject, issues));
  return value as Value;
}

/** @throws ConfigurationError, which names each wrong option. */
export const acceptOptions = <Table extends object>(
  subject: string,
  input: unknown,
  optionReaders: Table,
): Accepted<Table> => accept(subject, readerFor(optionReaders), input);

/**
 * An argument breaks a rule of the API docs or of the SDK, or cannot be sent. Nothing was sent. The outcome is
 * `not-executed`, except for `payments.reconcile`: there it is `unknown`, because the earlier call may have
 * been executed.
 */
export class ValidationError extends PaymentPlatformError {
  static override readonly kind: string = 'ValidationError';
  /** Always `ValidationError`. */
  override readonly name = 'ValidationError';
  /** Always `validation_failed`. */
  declare readonly code: 'validation_failed';
  /**
   * Lists the problems. If there are more than 100, the list contains the first 100 and an issue that counts
   * the rest.
   */
  readonly issues: readonly Issue[];

  constructor(
    subject: string,
    issues: readonly Issue[],
    idempotencyKey?: string,
    details: ErrorDetails = {},
    /** Used for the error's message only. */
    withValues: readonly Issue[] = issues,
  ) {
    const listed = takeFirstIssues(issues);
    const named = takeFirstIssues(withValues).map((issue) => ({
      ...issue,
      path: issue.path || 'the argument',
    }));
    const sent = details.outcome === 'unknown' ? earlierMayBeExecuted : 'Nothing was sent.';
    const message = listIssues(subject, named, ` ${sent}`);
    super('validation_failed', message, { ...details, idempotencyKey });
    this.issues = listed;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues };
  }
}
