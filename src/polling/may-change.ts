import type { PaymentPlatformError } from '../errors/base.js';

/** Whether asking again may bring another answer: a refusal stays one. */
export function mayChange({ name, status }: PaymentPlatformError): boolean {
  return passing.has(name) || status === 408 || status === 425;
}

const passing = new Set([
  'PaymentOutcomeUnknownError',
  'ConnectionError',
  'TimeoutError',
  'UnreadableResponseError',
  'RateLimitError',
  'ServerError',
]);
