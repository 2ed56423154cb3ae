import type { FieldNames } from '../contract/assumptions.js';
import { limits } from '../contract/limits.js';
import { ConfigurationError } from '../errors/usage.js';
import { inWords } from '../input/issue.js';
import {
  type Accepted,
  aFunction,
  optionsOf,
  type Reader,
  type Readers,
  readIf,
  readOptions,
  readUnless,
  required,
} from '../input/options.js';
import { Read } from '../input/read.js';
import { isRecord } from '../input/record.js';
import { readNotificationNames, type ToSdkNames } from './notification-names.js';
import { signatureHeader, timestampHeader } from './signature.js';

/** How a delivery is checked. */
export interface VerifyOptions {
  /** The endpoint's `hmac_secret`, 16 to 256 characters. Give several while one secret replaces another: any of them is accepted. */
  secret: string | readonly string[];
  /** How many seconds the timestamp may be in the past or in the future. Default 300. */
  tolerance?: number | undefined;
  /**
   * Reads the timestamp of a delivery: milliseconds since 1970. For a platform that writes it otherwise than
   * in seconds, milliseconds or ISO 8601 with a zone.
   */
  timestamp?: ((text: string) => number) | undefined;
  /** The current time: a Date, milliseconds since 1970, or a function that returns one of them. Default: the system clock. */
  now?: (Date | number | (() => Date | number)) | undefined;
  /** Header names, if they differ from `x-service-timestamp` and `x-service-signature`. */
  headerNames?: { timestamp?: string | undefined; signature?: string | undefined } | undefined;
  /** Wire names by key, as in the client option `fieldNames`. The event is returned with the SDK's names. */
  fieldNames?: FieldNames | undefined;
}

/** What every delivery of an endpoint is checked with. */
export interface Checks {
  readonly tolerance: number;
  /** Undefined: as the usual forms say. */
  readonly timestamp: VerifyOptions['timestamp'];
  readonly timestampHeader: string;
  readonly signatureHeader: string;
  readonly toSdkNames: ToSdkNames;
}

/** Options with every default filled in. */
export interface ResolvedVerifyOptions extends Checks {
  readonly secrets: readonly string[];
  /** Milliseconds. */
  readonly now: number;
}

const { min, max } = limits.webhookSecretLength;

const isSecret = (secret: unknown): secret is string =>
  typeof secret === 'string' && secret.length >= min && secret.length <= max;

/** One secret, or a list of them. The list is copied, so that later changes have no effect. */
export function readSecrets(given: unknown): Read<readonly string[]> {
  const secrets: readonly unknown[] = Array.isArray(given) ? [...given] : [given];
  if (secrets.length > 0 && secrets.every(isSecret)) return new Read(secrets as readonly string[]);
  return new Read<never>(undefined, [{ path: '', message: secretRule }]);
}

/** The largest time value of a Date, in milliseconds. */
const maxTime = 8.64e15;

/** Milliseconds since 1970; undefined for a value that is not a time. */
export function toMilliseconds(now: unknown): number | undefined {
  const at = typeof now === 'function' ? now() : now;
  const time = at instanceof Date ? at.getTime() : at;
  return typeof time === 'number' && Math.abs(time) <= maxTime ? time : undefined;
}

function readNow(given: unknown): Read<number> {
  const time = timeOf(given);
  if (time !== undefined) return new Read(time);
  return new Read<never>(undefined, [{ path: '', message: nowRule }]);
}

/** Undefined if the caller's clock throws. */
function timeOf(given: unknown): number | undefined {
  try {
    return toMilliseconds(given);
  } catch {
    return undefined;
  }
}

const nowRule = 'must be a Date or milliseconds, or a function that returns one of them';

export const secretRule = `must be a string of ${min} to ${max} characters, or a list of such strings`;

const headerName = readUnless<string>((given) =>
  typeof given === 'string' && given !== '' ? undefined : 'must be a string',
);

type HeaderNames = NonNullable<VerifyOptions['headerNames']>;

const headerReaders: Readers<HeaderNames> = { timestamp: headerName, signature: headerName };

// The readers of what a receiver has, too: each by itself, so that a bundler can leave out the others' tables.
export const tolerance = readIf<number>(
  (given) => typeof given === 'number' && given >= 0 && given < Number.POSITIVE_INFINITY,
  'must be seconds: a finite number, 0 or more',
);
export const timestamp = aFunction<NonNullable<VerifyOptions['timestamp']>>();
export const headerNames = optionsOf(headerReaders, 'header');
export const fieldNames: Reader<ToSdkNames> = { read: readNotificationNames };

/** The reader of each option. */
const readers: Readers<VerifyOptions, { secret: readonly string[]; now: number; fieldNames: ToSdkNames }> = {
  secret: required({ read: readSecrets }, secretRule),
  now: { read: readNow },
  tolerance,
  timestamp,
  headerNames,
  fieldNames,
};

/**
 * The options of `verify` with every default filled in.
 *
 * @param toSdkNames renames the fields of a payload if the options have no `fieldNames`.
 * @throws ConfigurationError for an invalid option: that is the developer's mistake, not the sender's.
 */
export function resolveVerifyOptions(given: unknown, toSdkNames?: ToSdkNames): ResolvedVerifyOptions {
  // The usual case: one secret, and nothing else to read.
  if (isSecret(given)) return { secrets: [given], now: Date.now(), ...checksOf({}, toSdkNames) };
  // Anything but an object is taken as the secret.
  const options =
    isRecord(given) && !ArrayBuffer.isView(given) && !(given instanceof String) ? given : { secret: given };
  const { value = {}, issues } = readOptions(options, readers);
  if (issues.length > 0) throw new ConfigurationError(`webhooks: ${inWords(issues)}.`);
  const { secret: secrets = [], now = Date.now() } = value;
  return { secrets, now, ...checksOf(value, toSdkNames) };
}

/** The checks of read options, with every default filled in. */
export function checksOf(
  given: Accepted<Pick<typeof readers, 'tolerance' | 'timestamp' | 'headerNames' | 'fieldNames'>>,
  toSdkNames: ToSdkNames = (payload) => payload,
): Checks {
  return {
    tolerance: given.tolerance ?? limits.webhookToleranceSeconds,
    timestamp: given.timestamp,
    timestampHeader: given.headerNames?.timestamp?.toLowerCase() ?? timestampHeader,
    signatureHeader: given.headerNames?.signature?.toLowerCase() ?? signatureHeader,
    toSdkNames: given.fieldNames ?? toSdkNames,
  };
}
