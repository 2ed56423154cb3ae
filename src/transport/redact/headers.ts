import { printable } from '../../errors/printable.js';
import { redacted, type Scrubber } from './scrubber.js';

/** Headers whose values are never secret. */
const harmlessHeaders = new Set([
  'accept',
  'b3',
  'cache-control',
  'client-id',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'retry-after',
  'server',
  'traceparent',
  'tracestate',
  'transfer-encoding',
  'user-agent',
  'x-idempotency-key',
]);

/** The values of other headers, if they are long enough to be a secret. */
export function secretHeaderValues(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => !harmlessHeaders.has(name) && value.length >= 8)
    .flatMap(([name, value]) => (name === 'authorization' ? [value, value.replace(/^\S+ /, '')] : [value]));
}

/** Headers for a hook or a log. Values of headers that may be secret are replaced, and secrets within the others. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  requestIdHeader: string,
  scrubber: Scrubber,
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const isShown = harmlessHeaders.has(name) || name === requestIdHeader || name.startsWith('x-ratelimit-');
    // Never changed: a call is resumed with its idempotency key.
    const isKey = name === 'x-idempotency-key';
    shown[scrubber.text(name)] = isKey ? value : isShown ? printable(scrubber.text(value)) : redacted;
  }
  return shown;
}

/** Longer identifiers are cut. */
const maxRequestIdLength = 200;

/** The platform's identifier of a request, without secrets and cut. */
export function shownRequestId(value: string | undefined, scrubber: Scrubber): string | undefined {
  return value === undefined ? undefined : printable(scrubber.text(value)).slice(0, maxRequestIdLength);
}
