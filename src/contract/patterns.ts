import { isRecord } from '../validation/record.js';

export function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  // Uses isRecord, because Array.isArray throws for a revoked proxy.
  if (typeof value === 'object' && !isRecord(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a fraction';
  return article(typeof value);
}

export const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);

/** The format of a required idempotency key (API docs, Authentication, 2). */
export const uuidV4Pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const loopbackPattern = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export const isLoopback = ({ hostname }: URL) => loopbackPattern.test(hostname);

const certainlyMissing = /undefined|\[object [^\]]+\]|Invalid Date/;

/**
 * Matches words that can also be part of a valid string, as in `order-null-7`. They mean a missing value only
 * as the whole string, or as its first or last part.
 */
const missingAtAnEnd = /(?:^|[^0-9A-Za-z])(null|NaN|-?Infinity)$|^(null|NaN|-?Infinity)(?![0-9A-Za-z])/;

/** An idempotency key with such a string would be the same for every order. */
export function missingValue(text: string): string | undefined {
  const [, last, first] = missingAtAnEnd.exec(text) ?? [];
  return certainlyMissing.exec(text)?.[0] ?? last ?? first;
}

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Beyond 2^53 only a string is accepted, because a number would lose digits. */
export const isLongInteger = (value: unknown): boolean =>
  Number.isSafeInteger(value) || (typeof value === 'string' && /^\d{1,30}$/.test(value));

/** Parsers also accept white space, backslashes and missing slashes, and repair them silently. */
const urlPattern = /^https?:\/\/[^\s/\\\p{Cc}\p{Cf}][^\s\\\p{Cc}\p{Cf}]*$/iu;

/** Plain http is allowed for loopback, because only a sandbox can reach a loopback address. */
export function isReachable(text: string): boolean {
  if (!urlPattern.test(text) || !URL.canParse(text)) return false;
  const address = new URL(text);
  return address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(address));
}

/** The platform decides which characters are valid. */
export const isHostname = (name: string): boolean => !/[\s/:?#@\\]|\.\./.test(name) && !name.startsWith('.');

export function notCents(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  // A number of ten or more digits is not repeated in the message, because it could be a card number.
  if (typeof value === 'string' && /^\d{1,9}$/.test(text))
    return `must be an integer in cents, got a string. Did you mean ${Number(text)} without quotes?`;
  const [, reais, centavos] = /^(-?\d{1,9})[.,](\d\d?)$/.exec(text) ?? [];
  // Not `1.999`: in Brazil, the point before three digits separates thousands.
  if (reais === undefined || centavos === undefined) return 'must be an integer in cents. R$ 19,90 is 1990';
  const cents = centavos.padEnd(2, '0');
  return `must be an integer in cents, got ${text}. Did you mean ${Number(reais + cents)} (R$ ${reais},${cents})?`;
}
