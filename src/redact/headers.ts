import { type MessageRedactor, redacted } from './message-redactor.js';

const harmlessHeaders = new Set([
  'accept',
  'accept-encoding',
  'client-id',
  'content-length',
  'content-type',
  'traceparent',
  'user-agent',
  'x-idempotency-key',
]);

export const isCredentialHeader = (name: string): boolean =>
  /cookie|auth|secret|token|key$/.test(name) && !harmlessHeaders.has(name);

/** The value of such a header can be anything. */
export const isCallerHeader = (name: string): boolean =>
  !harmlessHeaders.has(name) && !isCredentialHeader(name);

export function redactRequestHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return mapValues(headers, (name, value) => (harmlessHeaders.has(name) ? value : redacted));
}

/** Drops headers whose name contains a confidential value of the call. */
export function redactResponseHeaders(
  headers: Readonly<Record<string, string>>,
  requestIdHeader: string,
  redactor: MessageRedactor,
): Record<string, string> {
  const named = Object.entries(headers).filter(([name]) => redactor.isSafe(name));
  return mapValues(Object.fromEntries(named), (name, value) => {
    if (name === requestIdHeader) return redactRequestId(value, redactor) ?? redacted;
    return isCredentialHeader(name) ? redacted : redactor.show(value);
  });
}

/** Returns undefined if the id is not safe to show. */
export function redactRequestId(value: string | undefined, redactor: MessageRedactor): string | undefined {
  return value !== undefined && redactor.isSafeId(value) ? value : undefined;
}

const mapValues = (
  headers: Readonly<Record<string, string>>,
  map: (name: string, value: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(name, value)]));
