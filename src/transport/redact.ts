import { isRecord } from '../contract/record.js';

const redacted = '[redacted]';

/** Request fields whose values are secret, wherever they stand in a body. */
const secretFields = new Set([
  'number',
  'cvv',
  'cardTokenId',
  'upsellToken',
  'hmac_secret',
  'client_secret',
  'access_token',
]);

/** Objects that are secret as a whole: what is inside is not ours to know. */
const secretObjects = new Set(['wallet', 'threeDSData']);

/** Every secret text in a body that is about to be sent. Walked only when something went wrong. */
export function secretsIn(body: unknown): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, secret: boolean, parent: string): void => {
    if (typeof value === 'string' || typeof value === 'number') {
      if (secret && String(value) !== '') found.add(String(value));
    } else if (Array.isArray(value)) {
      for (const entry of value) walk(entry, secret, parent);
    } else if (isRecord(value)) {
      for (const [name, entry] of Object.entries(value)) {
        const whole = secret || secretObjects.has(name);
        // `document.number` is a CPF that the merchant needs to see in a message about it.
        const field = secretFields.has(name) && !(name === 'number' && parent === 'document');
        walk(entry, whole || field, name);
      }
    }
  };
  walk(body, false, '');
  return [...found];
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** A run of 13 to 19 digits, as a PAN is written: with or without spaces or dashes between groups. */
const panLike = /(?<![0-9A-Za-z-])\d(?:[ -]?\d){12,18}(?![0-9A-Za-z-])/g;

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    let digit = Number(digits[digits.length - 1 - index]);
    if (index % 2 === 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 === 0;
}

/** A function that replaces the given secrets, and anything that looks like a PAN, in a text. */
export function scrubber(secrets: readonly string[]): (text: string) => string {
  // A short secret (a CVV) is replaced where it stands alone, so that it does not tear ids apart.
  const patterns = [
    ...new Set(
      secrets.flatMap((secret) => [
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(toWellFormed(secret)),
      ]),
    ),
  ]
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length)
    .map((secret) =>
      secret.length < 6 ? `(?<![0-9A-Za-z])${escapePattern(secret)}(?![0-9A-Za-z])` : escapePattern(secret),
    );
  const pattern = patterns.length > 0 ? new RegExp(patterns.join('|'), 'g') : undefined;
  return (text) => {
    const clean = pattern === undefined ? text : text.replace(pattern, redacted);
    return clean.replace(panLike, (run) => (isLuhn(run.replace(/\D/g, '')) ? redacted : run));
  };
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
