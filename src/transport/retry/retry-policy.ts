import { longestTimer } from '../../validation/time-limit.js';
import type { RetryRule } from '../response/classify-failure.js';

export interface RetryContext {
  readonly retry: RetryRule;
  /** Whether sending the call twice is harmless. */
  readonly repeatable: boolean;
  /** The server had closed the keep-alive connection, for the first time in this call. */
  readonly stale: boolean;
  /** Without the retry on a stale connection. */
  readonly retries: number;
  readonly maxRetries: number;
  /** In milliseconds. */
  readonly retryAfter: number | undefined;
  readonly remainingMs: number;
  readonly random: number;
}

const initialBackoffMs = 500;
const maxBackoffMs = 8_000;

export function retryDelay(context: RetryContext): number | undefined {
  const { retry, repeatable, stale, retries, maxRetries, retryAfter, remainingMs, random } = context;
  if (retry === 'never') return undefined;
  if (retry === 'if-repeatable' && !repeatable) return undefined;
  if (stale) return 0;
  if (retries >= maxRetries) return undefined;
  const wait = Math.max(fullJitter(retries, random), retryAfter ?? 0);
  return wait < remainingMs ? wait : undefined;
}

/** Clients that failed at the same time must not retry at the same time. */
function fullJitter(retries: number, random: number): number {
  return random * Math.min(maxBackoffMs, initialBackoffMs * 2 ** retries);
}

/** A date is compared with the response's own Date header, because the client's clock can be wrong. */
export function parseRetryAfter(value: string | undefined, date: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, longestTimer);
  const at = parseHttpDate(text);
  const sent = date === undefined ? Number.NaN : parseHttpDate(date.trim());
  const wait = at - (Number.isNaN(sent) ? Date.now() : sent);
  return Number.isNaN(wait) || wait < 0 ? undefined : Math.min(wait, longestTimer);
}

/** RFC 9110, 5.6.7. The obsolete asctime format is always GMT. */
const zoned = /^[A-Za-z]{3,9}, ?\d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
const asctime = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

function parseHttpDate(text: string): number {
  if (zoned.test(text)) return Date.parse(text);
  return asctime.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
