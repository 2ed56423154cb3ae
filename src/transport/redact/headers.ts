import { printable } from '../../errors/printable.js';
import { redacted, type Scrubber } from './scrubber.js';

/** Headers whose values are known to be harmless. */
const shownHeaders = new Set([
  'accept',
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
  'transfer-encoding',
  'user-agent',
  'x-idempotency-key',
]);

/** The values of headers that the caller added, where they are long enough to be a secret. */
export function secretHeaderValues(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => !shownHeaders.has(name) && value.length >= 8)
    .flatMap(([name, value]) => (name === 'authorization' ? [value, value.replace(/^\S+ /, '')] : [value]));
}

/** Headers for a hook or a log: what is not known to be harmless is replaced, and a secret in the rest too. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  requestIdHeader: string,
  scrubber: Scrubber,
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const isShown = shownHeaders.has(name) || name === requestIdHeader || name.startsWith('x-ratelimit-');
    // The key is what a call is resumed with: it is shown as it was sent.
    const isKey = name === 'x-idempotency-key';
    shown[scrubber.text(name)] = isKey ? value : isShown ? printable(scrubber.text(value)) : redacted;
  }
  return shown;
}

/** Longer identifiers are cut. */
const longestRequestId = 200;

/** The platform's identifier of a request, as it may be shown. */
export function shownRequestId(value: string | undefined, scrubber: Scrubber): string | undefined {
  return value === undefined ? undefined : printable(scrubber.text(value)).slice(0, longestRequestId);
}
