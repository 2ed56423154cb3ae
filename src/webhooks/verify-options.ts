import { webhookSecretLength, webhookToleranceSeconds } from '../contract/limits.js';
import { isRecord } from '../input/record.js';
import { readFieldNames, type ToSdkNames } from './event.js';
import { aFunction, checked, type Readers, readOptions, type Values } from './options.js';
import { signatureHeader, timestampHeader } from './signature.js';
import type { VerifyOptions } from './types.js';

/** How the deliveries of an endpoint are checked. */
export interface Checks {
  /** Seconds. */
  readonly tolerance: number;
  /** Reads milliseconds since 1970 from the header, for a platform that writes it otherwise. */
  readonly timestamp: ((text: string) => unknown) | undefined;
  /** In lower case. */
  readonly headerNames: { readonly timestamp: string; readonly signature: string };
  /** Gives the event the names of the SDK. */
  readonly fieldNames: ToSdkNames | undefined;
}

/** Reads the options of `verify`. A value that is not an object of options is taken for the secret. */
export function readVerifyOptions(given: unknown): Values<typeof readers> {
  const isObject = isRecord(given) && !ArrayBuffer.isView(given) && !(given instanceof String);
  if (isObject) return readOptions('webhooks', given, readers);
  const secret = isSecret(given) ? [given] : readSecrets(given, 'webhooks: secret');
  const { tolerance, timestamp, headerNames, fieldNames } = defaults;
  // Written out, because a spread takes longer than the rest of this function.
  return { secret, now: Date.now(), tolerance, timestamp, headerNames, fieldNames };
}

const defaults: Checks = {
  tolerance: webhookToleranceSeconds,
  timestamp: undefined,
  headerNames: { timestamp: timestampHeader, signature: signatureHeader },
  fieldNames: undefined,
};

const isSecret = (given: unknown): given is string =>
  typeof given === 'string' &&
  given.length >= webhookSecretLength.min &&
  given.length <= webhookSecretLength.max;

/** Reads one secret, or a list of them. The list is copied, so that later changes have no effect. */
export function readSecrets(given: unknown, name: string): readonly string[] {
  const { min, max } = webhookSecretLength;
  let secrets: readonly unknown[] = [];
  try {
    secrets = Array.isArray(given) ? [...given] : [given];
  } catch {
    // A proxy that throws is refused as an empty list is.
  }
  const rule = `must be a string of ${min} to ${max} characters, or a list of such strings`;
  return checked(secrets, secrets.length > 0 && secrets.every(isSecret), name, rule);
}

/** Milliseconds since 1970; undefined for a value that is not a time, or is out of the range of a Date. */
export function millisecondsOf(given: unknown): number | undefined {
  const time = given instanceof Date ? given.getTime() : given;
  return typeof time === 'number' && Math.abs(time) <= 8.64e15 ? time : undefined;
}

function readNow(given: unknown = Date.now, name: string): number {
  let time: number | undefined;
  try {
    time = millisecondsOf(typeof given === 'function' ? given() : given);
  } catch {
    // The function `now` throws: it is refused as one that gives no time.
  }
  const rule = 'must be a Date or milliseconds, or a function that returns one of them';
  return checked(time, time !== undefined, name, rule);
}

export function readTolerance(given: unknown = defaults.tolerance, name: string): number {
  const isRight = Number.isFinite(given) && (given as number) >= 0;
  return checked(given, isRight, name, 'must be seconds: a finite number, 0 or more');
}

export function readHeaderNames(given: unknown = {}, option: string): Checks['headerNames'] {
  const readName = (header: unknown, name: string) => {
    const isRight = typeof header === 'string' && header !== '';
    return checked<string>(header, isRight, `${option}.${name}`, 'must be a string').toLowerCase();
  };
  return readOptions(option, given, {
    timestamp: (header: unknown = timestampHeader, name: string) => readName(header, name),
    signature: (header: unknown = signatureHeader, name: string) => readName(header, name),
  });
}

/** The options that are something else when they are read, or have a default. */
interface Converted extends Checks {
  readonly secret: readonly string[];
  readonly now: number;
}

const readers: Readers<VerifyOptions, Converted> = {
  secret: readSecrets,
  now: readNow,
  tolerance: readTolerance,
  timestamp: aFunction,
  headerNames: readHeaderNames,
  fieldNames: readFieldNames,
};
