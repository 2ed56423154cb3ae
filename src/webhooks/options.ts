import { webhookSecretLength, webhookToleranceSeconds } from '../contract/limits.js';
import { ConfigurationError } from '../errors/usage.js';
import { isInstance } from '../validation/builtins.js';
import { unknownName } from '../validation/closest-name.js';
import { chooseName } from '../validation/former-name.js';
import { listProblems } from '../validation/issue.js';
import { describePastedCharacter } from '../validation/pasted.js';
import { awaitItFirst, isPromise, isRecord, objectProblem } from '../validation/record.js';
import type { VerifyOptions } from './types.js';

/** The error names the problem without showing the value. */
interface OptionReader<Value> {
  (value: unknown, name: string, options: Fields): Value;
  /** The name under which earlier versions read the option. */
  readonly formerly?: string;
}

export function formerly<Value>(formerName: string, read: OptionReader<Value>): OptionReader<Value> {
  const reader: OptionReader<Value> = (value, name, options) => {
    const found = chooseName(value, options[formerName], formerName, name);
    if ('problem' in found) throw new ConfigurationError(`${name} ${found.problem}`);
    return read(found.value, name, options);
  };
  return Object.assign(reader, { formerly: formerName });
}

/** A missing reader does not compile. `Changed` lists options that are converted or have a default. */
export type OptionReaders<Options extends object, Changed extends object = Record<never, never>> = {
  readonly [Name in keyof Options]-?: OptionReader<
    Name extends keyof Changed ? Changed[Name] : Options[Name]
  >;
};

export type OptionValues<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends OptionReader<infer Value> ? Value : never;
};

/**
 * Reads each property exactly once, so that later changes by the caller do not matter. An unknown option is
 * rejected, because a misspelt one would silently have no effect.
 */
export function readOptions<Table extends object>(
  who: string,
  value: unknown,
  optionReaders: Table,
): OptionValues<Table> {
  const options = requireObject(value, `${who}:`);
  const known = Object.keys(optionReaders);
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, read] of Object.entries<OptionReader<unknown>>(optionReaders as never)) {
    try {
      if (read.formerly) known.push(read.formerly);
      values[name] = read((options as Fields)[name], name, options as Fields);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      wrong.push(error.message);
    }
  }
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    // A shorter common prefix would lead to unrelated suggestions, such as `maxBody` for `maxAge`.
    const isBeginning = (option: string) => option.startsWith(name.slice(0, 5));
    const meant = /^handlers?$/.test(name)
      ? known.find((option) => option === 'on')
      : known.find(isBeginning);
    wrong.push(`${name.slice(0, 40)} ${unknownName('option', meant, known)}`);
  }
  if (wrong.length > 0) throw new ConfigurationError(listProblems(who, wrong.slice(0, 30)));
  return values as OptionValues<Table>;
}

export function checked<Value>(value: unknown, isRight: boolean, name: string, rule: string): Value {
  if (!isRight) throw new ConfigurationError(`${name} ${isPromise(value) ? awaitItFirst : rule}`);
  return value as Value;
}

export function requireObject(value: unknown, name: string): object {
  const problem = objectProblem(value);
  return checked(value, problem === undefined, name, `${problem}`);
}

export const readOptionalFunction = <Value>(value: unknown, name: string): Value | undefined =>
  checked(value, value === undefined || typeof value === 'function', name, 'must be a function');

export function readPositiveInteger(
  value: unknown,
  name: string,
  unit: string,
  max = Number.MAX_SAFE_INTEGER,
): number {
  const isRight = Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= max;
  const range = max === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${max}`;
  return checked(value, isRight, name, `must be ${unit}: an integer ${range}`);
}

export interface Checks {
  /** In seconds. */
  readonly tolerance: number;
  /** To milliseconds since 1970. */
  readonly timestamp: ((text: string) => unknown) | undefined;
  readonly decodeSignature: ((header: string) => unknown) | undefined;
  /** In lower case. */
  readonly headerNames: { readonly timestamp: string; readonly signature: string };
  readonly fieldNames: ToSdkNames | undefined;
}

export function readVerifyOptions(value: unknown): OptionValues<typeof optionReaders> {
  const isObject = isRecord(value) && !ArrayBuffer.isView(value) && !(value instanceof String);
  if (isObject && !isPromise(value)) return readOptions('verify', value, optionReaders);
  const secret = isSecret(value) ? [value] : readSecrets(value, 'verify: secret');
  const { tolerance, timestamp, decodeSignature, headerNames, fieldNames } = defaults;
  // The properties are written out, because a spread takes longer than the rest of this function.
  return { secret, now: Date.now(), tolerance, timestamp, decodeSignature, headerNames, fieldNames };
}

/** The headers of a signed delivery (API docs, Events, Signature). */
export const timestampHeader = 'x-service-timestamp';
export const signatureHeader = 'x-service-signature';

const defaults: Checks = {
  tolerance: webhookToleranceSeconds,
  timestamp: undefined,
  decodeSignature: undefined,
  headerNames: { timestamp: timestampHeader, signature: signatureHeader },
  fieldNames: undefined,
};

const hasSecretLength = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length >= webhookSecretLength.min &&
  value.length <= webhookSecretLength.max;

const isSecret = (value: unknown): value is string =>
  hasSecretLength(value) && describePastedCharacter(value) === undefined;

/** The list is copied, so that later changes to it have no effect. */
export function readSecrets(value: unknown, name: string): readonly string[] {
  checked(value, !isPromise(value), name, awaitItFirst);
  const { min, max } = webhookSecretLength;
  const secrets: readonly unknown[] = Array.isArray(value) ? [...value] : [value];
  const rule = `must be a string of ${min} to ${max} characters, or a list of such strings`;
  const isLongEnough = secrets.length > 0 && secrets.every(hasSecretLength);
  const strings: readonly string[] = checked(secrets, isLongEnough, name, rule);
  const pasted = strings.map(describePastedCharacter).find((problem) => problem !== undefined);
  return checked(strings, pasted === undefined, name, `${pasted}`);
}

export function toMilliseconds(value: unknown): number | undefined {
  const time = typeof value === 'object' && isInstance(value, 'Date') ? Number(value) : value;
  return typeof time === 'number' && Math.abs(time) <= 8.64e15 ? time : undefined;
}

/** A constant is rejected, because every later delivery would have a wrong age. */
export function readClock(value: unknown = Date.now, name: string): () => number {
  const now = () => {
    const time = typeof value === 'function' ? toMilliseconds(value()) : undefined;
    if (time === undefined)
      throw new TypeError('The function `now` returned no time. Return a Date or milliseconds.');
    return time;
  };
  const isClock = typeof value === 'function' && toMilliseconds(value()) !== undefined;
  return checked(now, isClock, name, 'must be a function that returns a Date or milliseconds');
}

function readNow(value: unknown = Date.now, name: string): number {
  const time = toMilliseconds(typeof value === 'function' ? value() : value);
  const rule = 'must be a Date or milliseconds, or a function that returns one of them';
  return checked(time, time !== undefined, name, rule);
}

/** The maximum tolerance: a day, in seconds. A larger number is probably meant in milliseconds. */
const maxTolerance = 86_400;

export function readTolerance(value: unknown = defaults.tolerance, name: string): number {
  const isRight = Number.isFinite(value) && (value as number) >= 0 && (value as number) <= maxTolerance;
  return checked(value, isRight, name, `must be a number of seconds from 0 to ${maxTolerance}`);
}

export function readHeaderNames(value: unknown = {}, option: string): Checks['headerNames'] {
  const readName = (header: unknown, name: string) => {
    const isRight = typeof header === 'string' && header !== '';
    return checked<string>(header, isRight, `${option}.${name}`, 'must be a string').toLowerCase();
  };
  return readOptions(option, value, {
    timestamp: (header: unknown = timestampHeader, name: string) => readName(header, name),
    signature: (header: unknown = signatureHeader, name: string) => readName(header, name),
  });
}

interface Converted extends Checks {
  readonly secret: readonly string[];
  readonly now: number;
}

const optionReaders: OptionReaders<VerifyOptions, Converted> = {
  secret: readSecrets,
  now: readNow,
  tolerance: readTolerance,
  timestamp: readOptionalFunction,
  decodeSignature: readOptionalFunction,
  headerNames: readHeaderNames,
  fieldNames: readFieldNames,
};

type Fields = Readonly<Record<string, unknown>>;

export type ToSdkNames = (payload: Fields) => object;

/** Notification fields with assumed names: the API docs do not state them. */
export const assumedFields: readonly string[] = ['pix', 'refusalReason', 'subMerchant', 'split'];

/** A value is a name, a path such as `data.split`, or an object with one of them as `notification`. */
export function readFieldNames(input: unknown, option: string): ToSdkNames | undefined {
  if (input === undefined) return undefined;
  const names: Fields = { ...requireObject(input, option) };
  // The client option of the same name checks all keys. Here, only keys without a namespace are rejected,
  // because every valid key has one.
  const wrong = Object.keys(names).find((key) => !key.includes('.'));
  checked(wrong, wrong === undefined, option, 'has keys such as payment.split');
  const paths = assumedFields.map((property) => {
    const key = `payment.${property}`;
    const override = names[key];
    const name = (isRecord(override) ? override.notification : override) ?? property;
    const isName = typeof name === 'string' && name !== '';
    return checked<string>(name, isName, `${option}.${key}`, 'must be a name, or a path such as data.name');
  });
  return (payload) => {
    const event: Record<string, unknown> = { ...payload };
    for (const path of paths) delete event[path];
    for (const [index, property] of assumedFields.entries()) {
      const value = (paths[index] as string).split('.').reduce<unknown>(ownValue, payload);
      if (value !== undefined) event[property] = value;
    }
    return event;
  };
}

const ownValue = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
