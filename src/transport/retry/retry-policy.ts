import type { RetryRule } from '../response/classify-failure.js';

/** The input of the decision whether to retry. */
export interface RetryContext {
  readonly retry: RetryRule;
  /** Whether sending the call twice is harmless: it changes nothing, or it has an idempotency key that the platform honours. */
  readonly repeatable: boolean;
  /** The request failed on a kept connection that the server had closed, for the first time in this call. */
  readonly stale: boolean;
  /** How many times the call was sent again so far, not counting stale connections. */
  readonly retries: number;
  readonly maxRetries: number;
  /** Milliseconds the platform asked to wait. */
  readonly retryAfter: number | undefined;
  /** Milliseconds to the deadline. */
  readonly remainingMs: number;
  /** A random number from 0 to 1, for the jitter. */
  readonly random: number;
}

const initialBackoff = 500;
const maxBackoff = 8_000;

/** Milliseconds until the next request, or `undefined` to stop. The first line that applies decides. */
export function retryDelay(context: RetryContext): number | undefined {
  const { retry, repeatable, stale, retries, maxRetries, retryAfter, remainingMs, random } = context;
  if (retry === 'never') return undefined;
  if (retry === 'if-repeatable' && !repeatable) return undefined;
  if (stale) return 0;
  if (retries >= maxRetries) return undefined;
  const wait = Math.max(fullJitter(retries, random), retryAfter ?? 0);
  return wait < remainingMs ? wait : undefined;
}

/** A random share of the exponential backoff, so that clients that failed together do not retry together. */
function fullJitter(retries: number, random: number): number {
  return random * Math.min(maxBackoff, initialBackoff * 2 ** retries);
}

/** A longer Retry-After is shortened to this, the longest delay of setTimeout. In milliseconds. */
const maxRetryAfter = 2 ** 31 - 1;

/**
 * Milliseconds from a Retry-After header: seconds, or a date. A date is compared with the response's own
 * Date header, because the client's clock may be wrong. Undefined for anything else.
 */
export function parseRetryAfter(value: string | undefined, date: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfter);
  const at = parseHttpDate(text);
  const sent = date === undefined ? Number.NaN : parseHttpDate(date.trim());
  const wait = at - (Number.isNaN(sent) ? Date.now() : sent);
  return Number.isNaN(wait) || wait < 0 ? undefined : Math.min(wait, maxRetryAfter);
}

/** A date of RFC 9110, 5.6.7: with its zone, or in the obsolete asctime format, which means GMT. */
const zoned = /^[A-Za-z]{3,9}, ?\d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
const asctime = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

function parseHttpDate(text: string): number {
  if (zoned.test(text)) return Date.parse(text);
  return asctime.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
