import type { WebhookEvent } from '../contract/events.js';
import { webhookSecretLength, webhookToleranceSeconds } from '../contract/limits.js';
import { WebhookVerificationError } from '../errors/webhook.js';
import { isRecord } from '../input/record.js';
import { isSignedBy } from './crypto.js';
import { type Checks, millisecondsOf, readDelivery, readEvent, signatureMismatch } from './delivery.js';
import { readFieldNames, type ToSdkNames } from './field-names.js';
import { aFunction, checked, type Readers, readOptions, type Values } from './options.js';
import { rawBody } from './raw-body.js';
import { rawBodyHelp } from './raw-body-help.js';
import { signatureHeader, timestampHeader } from './signature.js';
import type { Delivery, VerifyOptions } from './types.js';
import { signerOf } from './web-crypto.js';

/**
 * Checks that a delivery is authentic and fresh, and only then parses it (API document, Events,
 * Signature): HMAC-SHA256 over `timestamp + "." + body`, 300 seconds both ways. Needs node:crypto; on
 * other runtimes use `verifyAsync`.
 *
 * The encoding of the signature and the unit of the timestamp are undocumented, so both hex and base64 are
 * accepted, and seconds, milliseconds and ISO 8601.
 *
 * A delivery can come twice: store the identifiers that you have handled.
 *
 * @throws WebhookVerificationError with a `reason`: answer 400, and do nothing else.
 * @throws ConfigurationError for an invalid option, such as a secret outside 16 to 256 characters.
 * @example
 * ```ts
 * export async function POST(request: Request): Promise<Response> {
 *   const body = await request.text(); // as it was sent: a parsed body cannot be checked
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

/** The same as `verify`, with the names of a client if the options have no `fieldNames`. */
export function verifyWithNames(
  delivery: Delivery,
  secretOrOptions: string | readonly string[] | VerifyOptions,
  toSdkNames?: ToSdkNames,
): WebhookEvent {
  const options = resolve(secretOrOptions);
  const signed = readDelivery(delivery, options, options.now);
  if (!options.secret.some((secret) => isSignedBy(secret, signed))) throw signatureMismatch();
  return readEvent(signed.body, options.fieldNames ?? toSdkNames);
}

/**
 * The same as `verify`, with WebCrypto: for edge runtimes, Deno, Bun and service workers in browsers.
 *
 * @throws WebhookVerificationError, ConfigurationError as `verify` does; the Promise rejects with them.
 */
export async function verifyAsync(
  delivery: Delivery,
  secretOrOptions: string | readonly string[] | VerifyOptions,
): Promise<WebhookEvent> {
  const options = resolve(secretOrOptions);
  const { body, timestamp, signature } = readDelivery(delivery, options, options.now);
  // A copy: the caller could change the bytes while they are checked.
  const ownBody = typeof body === 'string' ? body : new Uint8Array(body);
  if ((await signerOf({ timestamp, signature, body: ownBody }, options.secret)) < 0)
    throw signatureMismatch();
  return readEvent(ownBody, options.fieldNames);
}

/**
 * Reads a delivery of an endpoint that has no `hmac_secret`, so that it is not signed. **Anybody who knows the
 * URL can send it**: what it says may be false. Ship nothing on its word; take it as a hint to look the payment
 * up, or better, give the endpoint a secret (`webhooks.update`) and use `verify` or `createReceiver`.
 *
 * @throws WebhookVerificationError for what is no event.
 */
export function parseUnverified(
  body: Delivery['body'],
  options: Pick<VerifyOptions, 'fieldNames'> = {},
): WebhookEvent {
  const { fieldNames } = readOptions('webhooks', options, { fieldNames: readFieldNames });
  const raw = rawBody(body);
  if (raw === undefined) throw new WebhookVerificationError('body-already-parsed', rawBodyHelp());
  return readEvent(raw, fieldNames);
}

/** What is checked where the options do not say otherwise. */
const defaults: Checks & { readonly fieldNames: undefined } = {
  tolerance: webhookToleranceSeconds,
  timestamp: undefined,
  headerNames: { timestamp: timestampHeader, signature: signatureHeader },
  fieldNames: undefined,
};

/** Reads the options of `verify`. Anything but an object is taken as the secret. */
function resolve(given: unknown): Values<typeof readers> {
  const isObject = isRecord(given) && !ArrayBuffer.isView(given) && !(given instanceof String);
  if (isObject) return readOptions('webhooks', given, readers);
  const secret = isSecret(given) ? [given] : readSecrets(given, 'webhooks: secret');
  const { tolerance, timestamp, headerNames, fieldNames } = defaults;
  return { secret, now: Date.now(), tolerance, timestamp, headerNames, fieldNames };
}

const { min, max } = webhookSecretLength;

const secretRule = `must be a string of ${min} to ${max} characters, or a list of such strings`;

const isSecret = (given: unknown): given is string =>
  typeof given === 'string' && given.length >= min && given.length <= max;

/** One secret, or a list of them. The list is copied, so that later changes have no effect. */
export function readSecrets(given: unknown, name: string): readonly string[] {
  const secrets = listOf(given);
  return checked(secrets, secrets.length > 0 && secrets.every(isSecret), name, secretRule);
}

/** A list, or one value as a list; an empty one for a proxy that throws. */
function listOf(given: unknown): readonly unknown[] {
  try {
    return Array.isArray(given) ? [...given] : [given];
  } catch {
    return [];
  }
}

/** Milliseconds since 1970. */
function readNow(given: unknown, name: string): number {
  let time: number | undefined;
  try {
    time = given === undefined ? Date.now() : millisecondsOf(typeof given === 'function' ? given() : given);
  } catch {
    // The caller's clock throws: it tells no time.
  }
  const rule = 'must be a Date or milliseconds, or a function that returns one of them';
  return checked(time, time !== undefined, name, rule);
}

export function readTolerance(given: unknown = defaults.tolerance, name: string): number {
  const isRight = Number.isFinite(given) && (given as number) >= 0;
  return checked(given, isRight, name, 'must be seconds: a finite number, 0 or more');
}

/** In lower case, as they are looked for. */
const readHeaderName = (given: unknown, name: string): string =>
  checked<string>(
    given,
    typeof given === 'string' && given !== '',
    `headerNames.${name}`,
    'must be a string',
  ).toLowerCase();

export function readHeaderNames(given: unknown = {}, option: string): Checks['headerNames'] {
  return readOptions(option, given, {
    timestamp: (given: unknown = defaults.headerNames.timestamp, name: string) => readHeaderName(given, name),
    signature: (given: unknown = defaults.headerNames.signature, name: string) => readHeaderName(given, name),
  });
}

/** The options that are something else when they are read, or have a default. */
interface Converted extends Checks {
  secret: readonly string[];
  now: number;
  fieldNames: ToSdkNames | undefined;
}

const readers: Readers<VerifyOptions, Converted> = {
  secret: readSecrets,
  now: readNow,
  tolerance: readTolerance,
  timestamp: aFunction,
  headerNames: readHeaderNames,
  fieldNames: readFieldNames,
};
