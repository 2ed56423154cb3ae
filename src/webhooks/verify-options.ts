import { webhookSecretLength, webhookToleranceSeconds } from '../contract/limits.js';
import { isRecord } from '../input/record.js';
import { aFunction, anObject, checked, type Readers, readOptions, type Values } from './options.js';
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
  return { ...defaults, secret, now: Date.now() };
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

type Fields = Readonly<Record<string, unknown>>;

/** Gives a notification the names of the SDK. */
export type ToSdkNames = (payload: Fields) => object;

/** The fields of a notification whose names are assumed: the API document does not state them. */
export const assumedFields: readonly string[] = ['refusalReason', 'subMerchant', 'split'];

/** The fields of a notification whose names the API document states. */
export const documentedFields: readonly string[] =
  /* @__PURE__ */ 'event id status amount paymentMethod createdAt externalReference card customer items upsell boleto'.split(
    ' ',
  );

/** The keys of the option. It is the option of the client, which has more keys than the three of a notification. */
export const fieldKey =
  /^(payment\.(refusalReason|split|subMerchant(\.document(\.number|\.type)?)?|wallet|threeDSData|clientIp|statementDescriptor|metadata|pix|boleto)|(onboarding|certificates|webhooks|oauth|response)\.\w+)$/;

/** Where a name is used, as the client has it. */
const placeName = /^(request|query|response|notification|response-header)$/;

/** A name, or a path of names. */
const plainName = /^[A-Za-z_][\w-]{0,63}(\.[A-Za-z_][\w-]{0,63}){0,7}$/;

/** Reads the option `fieldNames`: a name, a path such as `data.split`, or an object with one as `notification`. */
export function readFieldNames(given: unknown, option: string): ToSdkNames | undefined {
  if (given === undefined) return undefined;
  const wireNames = new Map(assumedFields.map((property) => [property, property]));
  for (const [key, override] of Object.entries<unknown>({ ...anObject(given, option) })) {
    const path = `${option}.${key.slice(0, 40)}`;
    const property = key.slice('payment.'.length);
    checked(key, fieldKey.test(key), path, 'is an unknown key');
    for (const [place, name] of Object.entries(isRecord(override) ? override : { notification: override })) {
      const isName = name === undefined || (typeof name === 'string' && plainName.test(name));
      checked(
        name,
        isName && placeName.test(place),
        path,
        'must be a plain name, or a path such as data.name',
      );
      if (place === 'notification' && name !== undefined && wireNames.has(property))
        wireNames.set(property, name as string);
    }
  }
  const taken = [...documentedFields, ...wireNames.values()];
  for (const [property, name] of wireNames) {
    const isFree = taken.indexOf(name) === taken.lastIndexOf(name);
    const rule = `cannot be ${name}: another field of the notification has that name`;
    checked(name, isFree, `${option}.payment.${property}`, rule);
  }
  return (payload) => {
    const event: Record<string, unknown> = { ...payload };
    for (const name of wireNames.values()) delete event[name];
    for (const [property, path] of wireNames) {
      const value = path.split('.').reduce<unknown>(ownValue, payload);
      if (value !== undefined) event[property] = value;
    }
    return event;
  };
}

const ownValue = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
