import type { PaymentPlatformError } from '../errors/base.js';

/** Whether an error may go away, so that polling continues. A refusal does not. */
export function isTemporary({ name, status }: PaymentPlatformError): boolean {
  return temporaryErrors.has(name) || status === 408 || status === 425;
}

const temporaryErrors = new Set([
  'PaymentOutcomeUnknownError',
  'ConnectionError',
  'TimeoutError',
  'UnreadableResponseError',
  'RateLimitError',
  'ServerError',
]);
