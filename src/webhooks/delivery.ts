import type { WebhookEvent } from '../contract/events.js';
import { WebhookVerificationError, type WebhookVerificationReason } from '../errors/webhook.js';
import { parseJson } from '../input/json.js';
import { isRecord } from '../input/record.js';
import type { ToSdkNames } from './field-names.js';
import { hasLoneSurrogate, rawBody } from './raw-body.js';
import { rawBodyHelp } from './raw-body-help.js';
import type { Delivery, DeliveryHeaders, RawBody, SignedDelivery } from './types.js';

/** What the deliveries of an endpoint are checked with. */
export interface Checks {
  /** Seconds. */
  readonly tolerance: number;
  /** Reads milliseconds since 1970 from the header, for a platform that writes it otherwise. */
  readonly timestamp: ((text: string) => unknown) | undefined;
  /** In lower case. */
  readonly headerNames: { readonly timestamp: string; readonly signature: string };
}

/**
 * Reads timestamp, signature and raw body from a delivery, and checks the timestamp against the clock.
 *
 * @throws WebhookVerificationError
 */
export function readDelivery(delivery: Delivery, checks: Checks, now: number): SignedDelivery {
  let body: RawBody | undefined;
  let headers: DeliveryHeaders | undefined;
  try {
    body = rawBody(delivery.body);
    ({ headers } = delivery);
  } catch {
    // It is no object, a getter throws, or the buffer is detached.
    body = undefined;
  }
  if (body === undefined) throw refusal('body-already-parsed', rawBodyHelp());
  const { timestamp, signature } = readSignature(headers, checks, now);
  if (typeof body === 'string' && hasLoneSurrogate(body)) throw signatureMismatch();
  return { timestamp, signature, body };
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
  const timestamp = readHeader(headers, checks.headerNames.timestamp);
  if (timestamp === undefined)
    throw refusal(
      'missing-timestamp',
      `The header ${checks.headerNames.timestamp} is missing. Deliveries are signed only when the endpoint has an hmac_secret.`,
    );
  checkTimestamp(timestamp, checks, now);
  const text = readHeader(headers, checks.headerNames.signature);
  if (text === undefined)
    throw refusal('missing-signature', `The header ${checks.headerNames.signature} is missing.`);
  const signature = decodeSignature(text);
  if (signature === undefined)
    throw refusal('malformed-signature', 'The signature is not one HMAC-SHA256 in hex or base64.');
  return { timestamp, signature };
}

const refusal = (reason: WebhookVerificationReason, message: string, cause?: unknown) =>
  new WebhookVerificationError(reason, message, cause);

export const signatureMismatch = () =>
  refusal(
    'signature-mismatch',
    'The signature does not match: the secret is wrong, or the body is not exactly what was sent (re-serialised, re-encoded, trimmed).',
  );

/** The text of a header; `undefined` if it is missing, empty or cannot be read. The values of a repeated header are joined, which makes it malformed. */
export function readHeader(headers: DeliveryHeaders | undefined, name: string): string | undefined {
  try {
    const { get } = headers as Headers;
    const value = typeof get === 'function' ? get.call(headers, name) : fieldOf(headers as Fields, name);
    const text = Array.isArray(value) ? value.join(', ') : value;
    return typeof text === 'string' && text !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function fieldOf(fields: Fields, name: string): unknown {
  const isSpeltSo = Object.hasOwn(fields, name);
  return fields[isSpeltSo ? name : (Object.keys(fields).find((key) => key.toLowerCase() === name) ?? '')];
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

/** The largest time value of a Date, in milliseconds. */
const maxTime = 8.64e15;

/** Milliseconds since 1970; undefined for a value that is not a time. */
export function millisecondsOf(given: unknown): number | undefined {
  const time = given instanceof Date ? given.getTime() : given;
  return typeof time === 'number' && Math.abs(time) <= maxTime ? time : undefined;
}

/** @throws WebhookVerificationError for a timestamp that cannot be read, or is further away than the tolerance. */
function checkTimestamp(
  text: string,
  { timestamp = usualTime, tolerance, headerNames }: Checks,
  now: number,
): void {
  let time: number | undefined;
  let cause: unknown;
  try {
    time = millisecondsOf(timestamp(text));
  } catch (error) {
    cause = error;
  }
  if (time === undefined)
    throw refusal(
      'malformed-timestamp',
      `The header ${headerNames.timestamp} is neither seconds, milliseconds nor ISO 8601 with a zone, or \`timestamp\` made no time of it.`,
      cause,
    );
  const age = (now - time) / 1000;
  if (Math.abs(age) <= tolerance) return;
  const distance = `${Math.round(Math.abs(age))} seconds ${age > 0 ? 'old' : 'in the future'}`;
  throw refusal(
    age > 0 ? 'timestamp-too-old' : 'timestamp-in-future',
    `The timestamp is ${distance}, more than the tolerance of ${tolerance} seconds: a replay, or a wrong clock. It says ${new Date(time).toISOString()}, this receiver's clock ${new Date(now).toISOString()} (option \`now\`).`,
  );
}

/** A hash by its name, as some platforms write it before the signature. */
const signaturePrefix = /^(?:sha256|v1)=/i;
const hex = /^[0-9a-f]{64}$/i;
/** 43 characters hold 258 bits, of which the last two are zero: another spelling of the same bytes is no signature. */
const base64 = /^[A-Za-z0-9+/_-]{42}[AEIMQUYcgkosw048]=?$/;

/** The 32 bytes of a signature: hex or base64, standard or URL-safe, with or without padding and prefix. */
function decodeSignature(text: string): Uint8Array<ArrayBuffer> | undefined {
  const value = text.trim().replace(signaturePrefix, '');
  if (hex.test(value)) return decodeHex(value);
  if (!base64.test(value)) return undefined;
  const standard = value.replaceAll('-', '+').replaceAll('_', '/').slice(0, 43);
  return Uint8Array.from(atob(`${standard}=`), (character) => character.charCodeAt(0));
}

/** Not done with Buffer, which not every runtime has. */
function decodeHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(32);
  for (let index = 0; index < 64; index += 2)
    bytes[index / 2] = digitOf(text.charCodeAt(index)) * 16 + digitOf(text.charCodeAt(index + 1));
  return bytes;
}

/** The code of a letter, large or small, ends in its place in the alphabet; the code of a digit in the digit. */
const digitOf = (code: number) => (code & 15) + (code > 0x40 ? 9 : 0);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the event from a body, with the SDK's field names.
 *
 * @throws WebhookVerificationError
 */
export function readEvent(body: RawBody, toSdkNames?: ToSdkNames): WebhookEvent {
  let payload: unknown;
  try {
    payload = parseJson(typeof body === 'string' ? body : utf8.decode(body));
  } catch (cause) {
    throw refusal('malformed-payload', 'The body is not JSON.', cause);
  }
  if (!isRecord(payload)) throw refusal('malformed-payload', 'The body is not a JSON object.');
  if (typeof payload.event !== 'string' || payload.event === '')
    throw refusal('missing-event', 'The body has no field `event`.');
  return (toSdkNames?.(payload) ?? payload) as WebhookEvent;
}
