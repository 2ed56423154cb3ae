/** When a failed request may be sent again. */
export type Again =
  /** Nothing was executed. */
  | 'always'
  /** It may have been executed: only where a repeat is harmless. */
  | 'if-repeatable'
  | 'never';

export interface Situation {
  readonly again: Again;
  /** Whether sending the call twice is harmless: it changes nothing, or it carries a key the platform honours. */
  readonly repeatable: boolean;
  /** An idle connection that the server had closed, and no such resend yet in this call. */
  readonly stale: boolean;
  /** How often the call was sent again so far, stale connections aside. */
  readonly retries: number;
  readonly maxRetries: number;
  /** Milliseconds the platform asked to wait. */
  readonly retryAfter: number | undefined;
  /** Milliseconds to the deadline. */
  readonly remaining: number;
  /** From 0 to 1. */
  readonly random: number;
}

/** Milliseconds until the next request, or `undefined` to stop. */
export type Decision = number | undefined;

const firstBackoff = 500;
const longestBackoff = 8_000;

/** Whether and when to send again. Reads top to bottom; the first line that applies decides. */
export function decide(situation: Situation): Decision {
  const { again, repeatable, stale, retries, maxRetries, retryAfter, remaining, random } = situation;
  if (again === 'never') return undefined;
  if (again === 'if-repeatable' && !repeatable) return undefined;
  if (stale) return 0;
  if (retries >= maxRetries) return undefined;
  const wait = Math.max(fullJitter(retries, random), retryAfter ?? 0);
  return wait < remaining ? wait : undefined;
}

/** Spread over the whole backoff, so that clients that failed together do not come back together. */
function fullJitter(retries: number, random: number): number {
  return random * Math.min(longestBackoff, firstBackoff * 2 ** retries);
}

/** The longest wait that is believed, in milliseconds: what a timer takes. */
const longestHint = 2 ** 31 - 1;

/**
 * Milliseconds from a Retry-After header: seconds, or a date. A date is read against the answer's own
 * Date header, because the client's clock may be wrong. Anything else is no hint.
 */
export function parseRetryAfter(value: string | undefined, date: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, longestHint);
  const at = parseHttpDate(text);
  const sent = date === undefined ? Number.NaN : parseHttpDate(date.trim());
  const wait = at - (Number.isNaN(sent) ? Date.now() : sent);
  return Number.isNaN(wait) || wait < 0 ? undefined : Math.min(wait, longestHint);
}

/** A date of RFC 9110, 5.6.7, with its zone, or in the old form of asctime, which has none and means GMT. */
const zoned = /^[A-Za-z]{3,9}, ?\d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
const asctime = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

function parseHttpDate(text: string): number {
  if (zoned.test(text)) return Date.parse(text);
  return asctime.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
