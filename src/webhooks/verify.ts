import { isSignedBy, rawBodyHelp } from '#platform';
import type { WebhookEvent } from '../contract/events.js';
import { accept } from '../errors/usage.js';
import { WebhookVerificationError } from '../errors/webhook.js';
import type { RawBody, SignedDelivery } from '../platform/signed-delivery.js';
// Web Crypto on every runtime, as `verifyAsync` promises. The receiver uses the runtime's own functions.
import { findSigner } from '../platform/web-crypto.js';
import { parseExactJson } from '../validation/json.js';
import { awaitItFirst, isPromise, isRecord } from '../validation/record.js';
import {
  type Checks,
  fieldNamesReader,
  readVerifyOptions,
  type ToSdkNames,
  tableReader,
  toMilliseconds,
} from './options.js';
import type { Delivery, DeliveryHeaders, VerifyOptions } from './types.js';

/**
 * Verifies that a delivery is authentic and recent, and then parses it (API docs, Events, Signature):
 * HMAC-SHA256 over `timestamp + "." + body`, 300 seconds in both directions. Needs node:crypto; on other
 * runtimes use `verifyAsync`.
 *
 * The encoding of the signature and the unit of the timestamp are undocumented. `verify` accepts hex and
 * base64, and seconds, milliseconds and ISO 8601.
 *
 * A delivery can arrive twice, so store the identifiers that you have handled.
 *
 * @throws WebhookVerificationError with a `reason`: respond with 400, and do nothing else.
 * @throws ConfigurationError for an invalid option, such as a secret outside 16 to 256 characters.
 * @example
 * ```ts
 * export async function POST(request: Request): Promise<Response> {
 *   const body = await request.text(); // unchanged: a parsed body cannot be verified
 *   const event = verify({ body, headers: request.headers }, secret);
 *   if (event.event === 'transaction.paid') await ship(event.externalReference);
 *   return new Response(null, { status: 204 });
 * }
 * ```
 */
export function verify(
  delivery: Delivery,
  secretOrOptions: string | readonly string[] | VerifyOptions,
): WebhookEvent {
  return verifyWithNames(delivery, secretOrOptions);
}

/** Uses the client's field names if the options contain no `fieldNames`. */
export function verifyWithNames(
  delivery: Delivery,
  secretOrOptions: string | readonly string[] | VerifyOptions,
  toSdkNames?: ToSdkNames,
): WebhookEvent {
  rejectBodyAlone(delivery);
  const options = readVerifyOptions(secretOrOptions);
  const signed = readDelivery(delivery, options, true);
  if (!options.secret.some((secret) => isSignedBy(secret, signed))) throw signatureMismatch();
  return readEvent(signed.body, options.fieldNames ?? toSdkNames);
}

/**
 * Verifies a delivery with WebCrypto, as `verify` does. For edge runtimes, Deno, Bun and service workers in
 * browsers.
 *
 * @throws WebhookVerificationError, ConfigurationError as `verify` does; the Promise rejects with them.
 */
export async function verifyAsync(
  delivery: Delivery,
  secretOrOptions: string | readonly string[] | VerifyOptions,
): Promise<WebhookEvent> {
  rejectBodyAlone(delivery);
  const options = readVerifyOptions(secretOrOptions);
  const signed = readDelivery(delivery, options, false);
  if ((await findSigner(signed, options.secret)) < 0) throw signatureMismatch();
  return readEvent(signed.body, options.fieldNames);
}

/**
 * Parses a delivery of an endpoint without `hmac_secret`, and therefore without a signature. **Anybody who
 * knows the URL can send it**, so its content can be false. Never ship an order because of such a delivery:
 * look the payment up first. Better still, give the endpoint a secret (`webhooks.update`), and use `verify`
 * or `createReceiver`.
 *
 * @throws WebhookVerificationError if the delivery is not an event.
 */
export function parseUnverified(
  body: Delivery['body'],
  options: Pick<VerifyOptions, 'fieldNames'> = {},
): WebhookEvent {
  const { fieldNames } = accept(
    'parseUnverified',
    tableReader<typeof options, Pick<Checks, 'fieldNames'>>({ fieldNames: fieldNamesReader }),
    options,
  );
  const raw = rawBody(body, true);
  if (raw === undefined) throw new WebhookVerificationError('body-already-parsed', rawBodyHelp());
  return readEvent(raw, fieldNames);
}

/** Rejects the arguments that other libraries use: `verify(body, headers, secret)`. */
function rejectBodyAlone(delivery: unknown): void {
  if (isPromise(delivery))
    throw new WebhookVerificationError('body-already-parsed', `The delivery ${awaitItFirst}.`);
  if (typeof delivery === 'string' || ArrayBuffer.isView(delivery))
    throw new WebhookVerificationError(
      'body-already-parsed',
      'Pass { body, headers } as the first argument, not the body alone.',
    );
}

export const signatureMismatch = (isUnknown = false) =>
  new WebhookVerificationError(
    'signature-mismatch',
    isUnknown
      ? 'The function `secret` returned no secret for this request. Check the URL that it received.'
      : 'The signature does not match. Check the secret, and pass the raw body (not parsed, re-encoded or trimmed).',
  );

function readDelivery(
  delivery: Delivery,
  options: Checks & { readonly now: number },
  isUsedAtOnce: boolean,
): SignedDelivery {
  // JavaScript callers can pass anything.
  const { body: input, headers }: Partial<Delivery> = delivery ?? {};
  const body = rawBody(input, isUsedAtOnce);
  if (body === undefined)
    throw new WebhookVerificationError(
      'body-already-parsed',
      isPromise(input) ? `The body ${awaitItFirst}.` : rawBodyHelp(),
    );
  return withBody(readSignedHeaders(headers, options, options.now), body);
}

export type SignatureHeaders = Omit<SignedDelivery, 'body'>;

/** A receiver calls this first, so that it does not read the body of a delivery with invalid headers. */
export function readSignedHeaders(
  headers: DeliveryHeaders | undefined,
  checks: Checks,
  now: number,
): SignatureHeaders {
  const { headerNames } = checks;
  if (headers === undefined)
    throw new WebhookVerificationError(
      'missing-timestamp',
      'The delivery has no headers. Pass { body, headers }.',
    );
  const timestamp = readHeader(headers, headerNames.timestamp);
  if (timestamp === undefined)
    throw new WebhookVerificationError(
      'missing-timestamp',
      `The header ${headerNames.timestamp} is missing. Deliveries are signed only if the endpoint has an hmac_secret.`,
    );
  checkTimestamp(timestamp, checks, now);
  const text = readHeader(headers, headerNames.signature);
  if (text === undefined)
    throw new WebhookVerificationError(
      'missing-signature',
      `The header ${headerNames.signature} is missing.`,
    );
  return { timestamp, signature: readSignature(text, checks) };
}

/** Rejects a string with a lone surrogate: see `hasLoneSurrogate`. */
export function withBody({ timestamp, signature }: SignatureHeaders, body: RawBody): SignedDelivery {
  if (typeof body === 'string' && hasLoneSurrogate(body)) throw signatureMismatch();
  return { timestamp, signature, body };
}

export function readHeader(headers: DeliveryHeaders | undefined, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const fields = headers as Fields;
  const { get } = fields;
  const value: unknown = typeof get === 'function' ? get.call(headers, name) : readField(fields, name);
  const text = Array.isArray(value) ? value.join(', ') : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function readField(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  return fields[Object.keys(fields).find((key) => key.toLowerCase() === name) ?? ''];
}

const unixTimestamp = /^\d{1,16}$/;
const isoTimestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

/** A number above 10^11 cannot be seconds (it would be after the year 5138), so it is milliseconds. */
function usualTime(text: string): number {
  if (unixTimestamp.test(text)) return Number(text) > 1e11 ? Number(text) : Number(text) * 1000;
  return isoTimestamp.test(text) ? Date.parse(text) : Number.NaN;
}

function checkTimestamp(
  text: string,
  { timestamp = usualTime, tolerance, headerNames }: Checks,
  now: number,
): void {
  let time: number | undefined;
  let cause: unknown;
  try {
    time = toMilliseconds(requireValue(timestamp(text)));
  } catch (error) {
    cause = error;
  }
  if (time === undefined)
    throw new WebhookVerificationError(
      'malformed-timestamp',
      `The header ${headerNames.timestamp} must be seconds, milliseconds or ISO 8601 with a zone. For another format, set the option \`timestamp\`.`,
      cause,
    );
  const age = (now - time) / 1000;
  if (Math.abs(age) <= tolerance) return;
  const distance = `${Math.round(Math.abs(age))} seconds ${age > 0 ? 'old' : 'in the future'}`;
  throw new WebhookVerificationError(
    age > 0 ? 'timestamp-too-old' : 'timestamp-in-future',
    `The timestamp ${new Date(time).toISOString()} is ${distance}, and the tolerance is ${tolerance} seconds. It is a replay, or a clock is wrong. This receiver's clock says ${new Date(now).toISOString()} (option \`now\`).`,
  );
}

/** Rejects a Promise, because its rejection would end the process, and anybody can send a delivery. */
function requireValue(result: unknown): unknown {
  if (!isPromise(result)) return result;
  result.then(undefined, () => {});
  throw new TypeError('The function must not return a Promise.');
}

function readSignature(text: string, { decodeSignature: decode }: Checks): SignedDelivery['signature'] {
  let cause: unknown;
  try {
    const decoded = decode === undefined ? text : rawBody(requireValue(decode(text)));
    const bytes = typeof decoded === 'string' ? decodeSignature(decoded) : decoded;
    if (bytes?.length === 32) return bytes as Uint8Array<ArrayBuffer>;
  } catch (error) {
    cause = error;
  }
  throw new WebhookVerificationError(
    'malformed-signature',
    'The signature is not one HMAC-SHA256 in hex or base64. For another format, set the option `decodeSignature`.',
    cause,
  );
}

/** Matches the name of a hash or a version, which some platforms write before the signature. */
const signaturePrefix = /^(?:sha256|v1)=/i;
const hex = /^[0-9a-f]{64}$/i;
/** The last two bits must be zero. Otherwise several strings would encode the same bytes. */
const base64 = /^[A-Za-z0-9+/_-]{42}[AEIMQUYcgkosw048]=?$/;

/** Hex or base64, standard or URL-safe, with or without padding and prefix. */
function decodeSignature(text: string): Uint8Array<ArrayBuffer> | undefined {
  // The usual format is tried first, so that most deliveries do not need the replacement below.
  if (hex.test(text)) return decodeHex(text);
  const value = text.trim().replace(signaturePrefix, '');
  if (hex.test(value)) return decodeHex(value);
  if (!base64.test(value)) return undefined;
  const standard = value.replaceAll('-', '+').replaceAll('_', '/').slice(0, 43);
  return Uint8Array.from(atob(`${standard}=`), (character) => character.charCodeAt(0));
}

/** Decodes hex without Buffer, which some runtimes lack. */
function decodeHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(32);
  for (let index = 0; index < 64; index += 2)
    bytes[index / 2] = toDigit(text.charCodeAt(index)) * 16 + toDigit(text.charCodeAt(index + 1));
  return bytes;
}

/** The low four bits are the value of a digit from 0 to 9, and the place in the alphabet of a letter. */
const toDigit = (code: number) => (code & 15) + (code > 0x40 ? 9 : 0);

export function readEvent(body: RawBody, toSdkNames?: ToSdkNames): WebhookEvent {
  const payload = parsed(body);
  if (!isRecord(payload))
    throw new WebhookVerificationError('malformed-payload', 'The body is not a JSON object.');
  if (typeof payload.event !== 'string' || payload.event === '')
    throw new WebhookVerificationError('missing-event', 'The body has no field `event`.');
  return (toSdkNames?.(payload) ?? payload) as WebhookEvent;
}

function parsed(body: RawBody): unknown {
  try {
    return parseExactJson(typeof body === 'string' ? body : decodeUtf8(body));
  } catch {
    // The parser's own message is not used, because it would repeat a part of the body.
    throw new WebhookVerificationError('malformed-payload', 'The body is not JSON.');
  }
}

const decodeUtf8 = (body: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(body);

const findTag = (value: unknown): string => Object.prototype.toString.call(value);

/**
 * Copies bytes, so that no other code can change them during verification. If they are used before any other
 * code can run, only shared memory is copied.
 */
export function rawBody(body: unknown, isUsedAtOnce = false): RawBody | undefined {
  if (typeof body === 'string') return body;
  const isView = ArrayBuffer.isView(body);
  // Other values are ruled out first, because an exception takes longer than everything else here.
  if (!isView && !findTag(body).endsWith('ArrayBuffer]')) return undefined;
  try {
    const { buffer, byteOffset, byteLength } = isView ? body : new DataView(body as ArrayBuffer);
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    return isUsedAtOnce && buffer instanceof ArrayBuffer ? bytes : bytes.slice();
  } catch {
    // The buffer is detached, or is not a real buffer, which DataView requires.
    return undefined;
  }
}

/** UTF-8 would encode it as U+FFFD, so the string would match a body that was signed with U+FFFD. */
export function hasLoneSurrogate(text: string & { isWellFormed?: () => boolean }): boolean {
  // The native method is much faster, but not every runtime has it.
  return text.isWellFormed === undefined ? /\p{Surrogate}/u.test(text) : !text.isWellFormed();
}
