import { type MessageRedactor, redacted } from './message-redactor.js';

/** Request headers that are neither secret nor personal. */
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

/** Whether a request header can be shown: the SDK sets it, and it holds no secret. */
export const isHarmlessHeader = (name: string): boolean => harmlessHeaders.has(name);

/** The headers of a request, for a hook. */
export function redactedRequestHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return mapValues(headers, (name, value) => (isHarmlessHeader(name) ? value : redacted));
}

/** Response headers that hold credentials. */
const credentialHeader = /cookie|auth|secret|token|api-?key/;

/** The headers of a response, for a hook. */
export function redactedResponseHeaders(
  headers: Readonly<Record<string, string>>,
  requestIdHeader: string,
  redactor: MessageRedactor,
): Record<string, string> {
  return mapValues(headers, (name, value) => {
    if (name === requestIdHeader) return redactedRequestId(value, redactor) ?? redacted;
    return credentialHeader.test(name) ? redacted : redactor.show(value);
  });
}

/** The platform's identifier of a request, unless it repeats what the call sent. */
export function redactedRequestId(value: string | undefined, redactor: MessageRedactor): string | undefined {
  return value !== undefined && redactor.isSafeId(value) ? value : undefined;
}

const mapValues = (
  headers: Readonly<Record<string, string>>,
  map: (name: string, value: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(name, value)]));
