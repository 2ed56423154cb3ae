import { isRecord } from '../contract/record.js';

const redacted = '[redacted]';

/** Fields whose values are secret, wherever they stand in a body that is sent or received. */
const secretFields = new Set(
  [
    'number cvv cardTokenId upsellToken token hmac_secret client_secret clientSecret access_token refresh_token',
    'pan cardNumber card_number cvc cvc2 cvv2 securityCode security_code password secret pin cryptogram',
  ].flatMap((names) => names.split(' ')),
);

/** Objects that are secret as a whole: what is inside is not ours to know. */
const secretObjects = new Set(['wallet', 'threeDSData', 'paymentData', 'applePay', 'googlePay']);

/** Inside such an object, a shorter text (`"Y"`, `"2"`) is no secret, and replacing it would only hide the message. */
const shortestInside = 6;

/** Every secret text in a body, or every text there is. Walked only when something went wrong. */
export function secretsIn(body: unknown, everything = false): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, named: boolean, inside: boolean, parent: string): void => {
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      if ((named && text !== '') || (inside && text.length >= shortestInside)) found.add(text);
    } else if (Array.isArray(value)) {
      for (const entry of value) walk(entry, named, inside, parent);
    } else if (isRecord(value)) {
      for (const [name, entry] of Object.entries(value)) {
        // `document.number` is a CPF that the merchant needs to see in a message about it.
        const field = secretFields.has(name) && !(name === 'number' && parent === 'document');
        walk(entry, field && !isRecord(entry), inside || secretObjects.has(name), name);
      }
    }
  };
  walk(body, false, everything, '');
  return [...found];
}

/** The values of headers that the caller added, where they are long enough to be a secret. */
export function secretHeaderValues(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => !shownHeaders.has(name) && value.length >= 8)
    .flatMap(([name, value]) => (name === 'authorization' ? [value, value.replace(/^\S+ /, '')] : [value]));
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** A run of 13 to 19 digits, as a PAN is written: with or without spaces or dashes between groups. */
const panLike = /(?<![0-9A-Za-z-])\d(?:[ .-]?\d){12,18}(?![0-9A-Za-z-])/g;

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    let digit = Number(digits[digits.length - 1 - index]);
    if (index % 2 === 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 === 0;
}

/** A PAN however it is grouped when it comes back. */
function groupedDigits(digits: string): string {
  return digits.split('').join('[ .-]?');
}

/** One secret as a pattern: as it is, or as JSON, a URL or a form would write it. */
function patternsOf(secret: string): string[] {
  const digits = secret.replace(/[ .-]/g, '');
  if (/^\d{12,19}$/.test(digits)) return [groupedDigits(digits)];
  // A short secret (a CVV) is replaced where it stands alone, so that it does not tear ids apart.
  if (secret.length < 6) return [`(?<![0-9A-Za-z])${escapePattern(secret)}(?![0-9A-Za-z])`];
  const json = JSON.stringify(secret).slice(1, -1);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const written = [secret, json, json.replaceAll('/', '\\/'), encodeURIComponent(toWellFormed(secret)), form];
  return [...new Set(written)].map(escapePattern);
}

/** A function that replaces the given secrets, and anything that looks like a PAN, in a text. */
export function scrubber(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  const patterns = [...new Set(known.flatMap(patternsOf))];
  const pattern = patterns.length > 0 ? new RegExp(patterns.join('|'), 'g') : undefined;
  return (text) => {
    const clean = pattern === undefined ? text : text.replace(pattern, redacted);
    return clean.replace(panLike, (run) => (isLuhn(run.replace(/\D/g, '')) ? redacted : run));
  };
}

/** Cut after it was scrubbed: half a secret would not be recognised. */
export function shorten(body: unknown): unknown {
  return typeof body === 'string' && body.length > 500 ? `${body.slice(0, 500)}…` : body;
}

const toWellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\uFFFD');

/** A deep copy of parsed JSON with every text in it scrubbed. */
export function scrubValue(value: unknown, scrub: (text: string) => string): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value === 'number') {
    const text = String(value);
    const clean = scrub(text);
    return clean === text ? value : clean;
  }
  if (Array.isArray(value)) return value.map((entry) => scrubValue(entry, scrub));
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(value)) {
    if (name !== '__proto__') copy[scrub(name)] = scrubValue(entry, scrub);
  }
  return copy;
}

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

/** Headers for a hook or a log: what is not known to be harmless is replaced. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  requestIdHeader: string,
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    shown[name] =
      shownHeaders.has(name) || name === requestIdHeader || name.startsWith('x-ratelimit-')
        ? value
        : redacted;
  }
  return shown;
}

/**
 * A copy of an error from below that says what happened and carries nothing else: errors of
 * `fetch` and of agents may hold the request with its headers.
 */
export function cleanCause(cause: unknown, scrub: (text: string) => string, depth = 0): unknown {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : new Error(scrub(String(cause)));
  const copy = new Error(scrub(cause.message));
  copy.name = cause.name;
  if (cause.stack !== undefined) copy.stack = scrub(cause.stack);
  for (const name of ['code', 'errno', 'syscall', 'address', 'port'] as const) {
    const value = (cause as Error & Record<string, unknown>)[name];
    if (typeof value === 'string') Object.assign(copy, { [name]: scrub(value) });
    else if (typeof value === 'number') Object.assign(copy, { [name]: value });
  }
  if (cause.cause !== undefined && depth < 3) copy.cause = cleanCause(cause.cause, scrub, depth + 1);
  return copy;
}
