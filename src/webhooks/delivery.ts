import { WebhookVerificationError } from '../errors/webhook.js';
import { isRecord } from '../input/record.js';
import { isTorn, rawBody } from './raw-body.js';
import type { RawBody } from './signature.js';
import type { Checks } from './verify-options.js';

/** Headers as a framework gives them: a `Headers`, Node's object, or a plain record. */
export type DeliveryHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A delivery as it arrived. */
export interface Delivery {
  /** The body exactly as received: the signature covers its bytes. */
  body: RawBody;
  headers: DeliveryHeaders;
}

/** The parts of a delivery that the signature is about. */
export interface Signed {
  readonly timestamp: string;
  readonly signature: Uint8Array;
  readonly body: RawBody;
}

const rawBodyHelp = [
  'The signature covers the body exactly as it was sent, so a parsed one cannot be checked. Get the raw body:',
  "Express: app.post(path, express.raw({ type: '*/*' }), handler), then req.body;",
  "Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => done(null, body)), then request.body;",
  'Hono: await c.req.text(); Next: await request.text() in a route handler.',
].join(' ');

/**
 * Finds timestamp, signature and raw body in a delivery, and holds the timestamp against the clock.
 *
 * @throws WebhookVerificationError
 */
export function readSigned(delivery: Delivery, checks: Checks): Signed {
  const { body, headers } = partsOf(delivery);
  if (body === undefined) {
    throw new WebhookVerificationError(
      'body-already-parsed',
      `The body is neither a string nor bytes. ${rawBodyHelp}`,
    );
  }
  const timestamp = headerOf(headers, checks.timestampHeader);
  if (timestamp === undefined) {
    throw new WebhookVerificationError(
      'missing-timestamp',
      `The header ${checks.timestampHeader} is missing. Deliveries are signed only when the endpoint has an hmac_secret.`,
    );
  }
  checkTimestamp(timestamp, checks);
  if (typeof body === 'string' && isTorn(body)) throw mismatch();
  const text = headerOf(headers, checks.signatureHeader);
  if (text === undefined)
    throw new WebhookVerificationError(
      'missing-signature',
      `The header ${checks.signatureHeader} is missing.`,
    );
  const signature = decodeSignature(text);
  if (signature === undefined) {
    throw new WebhookVerificationError(
      'malformed-signature',
      'The signature is not one HMAC-SHA256 in hex or base64.',
    );
  }
  return { timestamp, signature, body };
}

function partsOf(delivery: unknown): { body: RawBody | undefined; headers: Delivery['headers'] | undefined } {
  try {
    if (!isRecord(delivery)) return { body: undefined, headers: undefined };
    const { body, headers } = delivery as unknown as Delivery;
    return { body: rawBody(body), headers };
  } catch {
    // A getter throws, or the bytes are gone: there is neither a body nor a header.
    return { body: undefined, headers: undefined };
  }
}

/** The text of a header; `undefined` when it is missing, empty or cannot be read. A repeated one is joined, and then malformed. */
function headerOf(headers: DeliveryHeaders | undefined, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  try {
    const value =
      typeof headers.get === 'function'
        ? headers.get(name)
        : valueIn(headers as Record<string, unknown>, name);
    const text = Array.isArray(value) ? value.join(', ') : value;
    return typeof text === 'string' && text !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

function valueIn(record: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name];
  const key = Object.keys(record).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : record[key];
}

const digits = /^\d{1,16}$/;
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

/** Above this a number cannot be seconds (the year 5138): it is milliseconds. */
const largestSeconds = 100_000_000_000;

function checkTimestamp(text: string, { now, tolerance, timestampHeader: name }: Checks): void {
  const at = digits.test(text)
    ? toMilliseconds(Number(text))
    : iso.test(text)
      ? Date.parse(text)
      : Number.NaN;
  if (Number.isNaN(at)) {
    throw new WebhookVerificationError(
      'malformed-timestamp',
      `The header ${name} is neither seconds, milliseconds nor ISO 8601.`,
    );
  }
  const age = (now - at) / 1000;
  if (Math.abs(age) <= tolerance) return;
  const away = `${Math.round(Math.abs(age))} seconds ${age > 0 ? 'old' : 'in the future'}`;
  throw new WebhookVerificationError(
    age > 0 ? 'timestamp-too-old' : 'timestamp-in-future',
    `The timestamp is ${away}, more than the tolerance of ${tolerance}: a replay, or a wrong clock. This machine's clock says ${new Date(now).toISOString()}.`,
  );
}

const toMilliseconds = (value: number) => (value > largestSeconds ? value : value * 1000);

const scheme = /^(?:sha256|v1)=/i;
const base64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** The 32 bytes of a signature: hex or base64, standard or URL-safe, with or without padding and prefix. */
function decodeSignature(text: string): Uint8Array | undefined {
  // The commonest form needs no trimming: 64 hex digits and nothing else.
  const value = text.length === 64 ? text : text.trim().replace(scheme, '');
  if (value.length === 64) return decodeHex(value);
  if (!base64.test(value)) return undefined;
  const standard = value.replaceAll('-', '+').replaceAll('_', '/').slice(0, 43);
  return Uint8Array.from(atob(`${standard}=`), (character) => character.charCodeAt(0));
}

/** By hand, because Buffer is not everywhere and takes anything for hex. */
function decodeHex(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    const byte = nibble(text.charCodeAt(index * 2)) * 16 + nibble(text.charCodeAt(index * 2 + 1));
    if (Number.isNaN(byte)) return undefined;
    bytes[index] = byte;
  }
  return bytes;
}

function nibble(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

export function mismatch(): WebhookVerificationError {
  return new WebhookVerificationError(
    'signature-mismatch',
    'The signature does not match: the secret is another one, or the body is not exactly what was sent (re-serialised, re-encoded, trimmed).',
  );
}
