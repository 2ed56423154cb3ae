import { WebhookVerificationError } from '../errors/webhook.js';
import { isRecord } from '../input/record.js';
import { hasLoneSurrogate, rawBody } from './raw-body.js';
import { rawBodyHelp } from './raw-body-help.js';
import type { RawBody } from './signature.js';
import { type Checks, toMilliseconds } from './verify-options.js';

/** Headers as a framework gives them: a `Headers`, Node's object, or a plain record. */
export type DeliveryHeaders =
  | {
      /** The value of a header by its name; null if there is none. */
      get(name: string): string | null;
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A delivery as it arrived. */
export interface Delivery {
  /** The body exactly as received: the signature covers its bytes. */
  body: RawBody | ArrayBuffer;
  /** The headers as received. Upper and lower case make no difference in their names. */
  headers: DeliveryHeaders;
}

/** A delivery whose timestamp is accepted, with its decoded signature, which is not checked yet. */
export interface SignedDelivery {
  readonly timestamp: string;
  readonly signature: Uint8Array;
  readonly body: RawBody;
}

/**
 * Reads timestamp, signature and raw body from a delivery, and checks the timestamp against the clock.
 *
 * @param now milliseconds since 1970.
 * @throws WebhookVerificationError
 */
export function readSignedDelivery(delivery: Delivery, checks: Checks, now: number): SignedDelivery {
  const { body, headers } = bodyAndHeaders(delivery);
  if (body === undefined) {
    throw new WebhookVerificationError('body-already-parsed', rawBodyHelp());
  }
  const signed = readSignature(headers, checks, now);
  if (typeof body === 'string' && hasLoneSurrogate(body)) throw signatureMismatch();
  return { ...signed, body };
}

/**
 * Reads timestamp and signature alone: a delivery that they refuse needs no body.
 *
 * @throws WebhookVerificationError
 */
export function readSignature(
  headers: DeliveryHeaders | undefined,
  checks: Checks,
  now: number,
): Omit<SignedDelivery, 'body'> {
  const timestamp = readHeader(headers, checks.timestampHeader);
  if (timestamp === undefined) {
    throw new WebhookVerificationError(
      'missing-timestamp',
      `The header ${checks.timestampHeader} is missing. Deliveries are signed only when the endpoint has an hmac_secret.`,
    );
  }
  checkTimestamp(timestamp, checks, now);
  const text = readHeader(headers, checks.signatureHeader);
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
  return { timestamp, signature };
}

function bodyAndHeaders(delivery: unknown): {
  body: RawBody | undefined;
  headers: Delivery['headers'] | undefined;
} {
  try {
    if (!isRecord(delivery)) return { body: undefined, headers: undefined };
    const { body, headers } = delivery as unknown as Delivery;
    return { body: rawBody(body), headers };
  } catch {
    // A getter throws, or the buffer is detached: treated as if there were neither body nor headers.
    return { body: undefined, headers: undefined };
  }
}

/** The text of a header; `undefined` if it is missing, empty or cannot be read. The values of a repeated header are joined, which makes it malformed. */
export function readHeader(headers: DeliveryHeaders | undefined, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  try {
    const value =
      typeof headers.get === 'function'
        ? headers.get(name)
        : headerValue(headers as Record<string, unknown>, name);
    const text = Array.isArray(value) ? value.join(', ') : value;
    return typeof text === 'string' && text !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

function headerValue(record: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name];
  const key = Object.keys(record).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : record[key];
}

const unixTimestamp = /^\d{1,16}$/;
const isoTimestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

/** A larger number cannot be seconds (it would be after the year 5138), so it is read as milliseconds. */
const maxSeconds = 100_000_000_000;

/** Milliseconds since 1970, or NaN. */
function usualTime(text: string): number {
  if (unixTimestamp.test(text)) {
    const value = Number(text);
    return value > maxSeconds ? value : value * 1000;
  }
  return isoTimestamp.test(text) ? Date.parse(text) : Number.NaN;
}

/** @throws WebhookVerificationError */
function timeOf(text: string, { timestamp = usualTime, timestampHeader }: Checks): number {
  let cause: unknown;
  try {
    const time = toMilliseconds(timestamp(text));
    if (time !== undefined) return time;
  } catch (error) {
    cause = error;
  }
  throw new WebhookVerificationError(
    'malformed-timestamp',
    `The header ${timestampHeader} is neither seconds, milliseconds nor ISO 8601 with a zone, or \`timestamp\` made no time of it.`,
    cause,
  );
}

function checkTimestamp(text: string, checks: Checks, now: number): void {
  const { tolerance } = checks;
  const time = timeOf(text, checks);
  const age = (now - time) / 1000;
  if (Math.abs(age) <= tolerance) return;
  const distance = `${Math.round(Math.abs(age))} seconds ${age > 0 ? 'old' : 'in the future'}`;
  throw new WebhookVerificationError(
    age > 0 ? 'timestamp-too-old' : 'timestamp-in-future',
    `The timestamp is ${distance}, more than the tolerance of ${tolerance} seconds: a replay, or a wrong clock. It says ${new Date(time).toISOString()}, this receiver's clock ${new Date(now).toISOString()} (option \`now\`).`,
  );
}

const signaturePrefix = /^(?:sha256|v1)=/i;
/** 43 characters hold 258 bits, of which the last two are zero: another spelling of the same bytes is no signature. */
const base64 = /^[A-Za-z0-9+/_-]{42}[AEIMQUYcgkosw048]=?$/;

/** The 32 bytes of a signature: hex or base64, standard or URL-safe, with or without padding and prefix. */
function decodeSignature(text: string): Uint8Array | undefined {
  // The usual form, 64 hex digits, needs no trimming.
  const value = text.length === 64 ? text : text.trim().replace(signaturePrefix, '');
  if (value.length === 64) return decodeHex(value);
  if (!base64.test(value)) return undefined;
  const standard = value.replaceAll('-', '+').replaceAll('_', '/').slice(0, 43);
  return Uint8Array.from(atob(`${standard}=`), (character) => character.charCodeAt(0));
}

/** Not done with Buffer, which not every runtime has and which ignores invalid hex digits. */
function decodeHex(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    const byte = hexDigit(text.charCodeAt(index * 2)) * 16 + hexDigit(text.charCodeAt(index * 2 + 1));
    if (Number.isNaN(byte)) return undefined;
    bytes[index] = byte;
  }
  return bytes;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

export function signatureMismatch(): WebhookVerificationError {
  return new WebhookVerificationError(
    'signature-mismatch',
    'The signature does not match: the secret is wrong, or the body is not exactly what was sent (re-serialised, re-encoded, trimmed).',
  );
}
