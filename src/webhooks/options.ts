import { webhookSecretLength, webhookToleranceSeconds } from '../contract/limits.js';
import { accept } from '../errors/usage.js';
import { isInstance } from '../validation/builtins.js';
import { type Issue, Parsed } from '../validation/issue.js';
import {
  type Checked,
  functionReader,
  type OptionReader,
  type OptionReaders,
  readWith,
  rejected,
  required,
  validIf,
  withDefault,
} from '../validation/options.js';
import { describePastedCharacter } from '../validation/pasted.js';
import { isPromise, isRecord, objectProblem } from '../validation/record.js';
import type { VerifyOptions } from './types.js';

/** A shorter common prefix would lead to unrelated suggestions, such as `maxBody` for `maxAge`. */
const suggest = (name: string, known: readonly string[]): string | undefined =>
  known.find(
    /^handlers?$/.test(name) ? (option) => option === 'on' : (option) => option.startsWith(name.slice(0, 5)),
  );

/**
 * Suggests no distant spellings, so that `verifyAsync` stays small. Tables are made in functions, because bundlers keep
 * every call in a module.
 */
export const tableReader = <Options extends object, Changed extends object = Record<never, never>>(
  optionReaders: OptionReaders<Options, Changed>,
): OptionReader<Checked<Options, Changed>> => ({
  read: (value) => readWith(suggest, value, optionReaders) as Parsed<Checked<Options, Changed>>,
});

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

/** Created with the first options. */
let verifyReader: OptionReader<VerifyValues> | undefined;

type VerifyValues = Checked<VerifyOptions, Converted>;

export function readVerifyOptions(value: unknown): VerifyValues {
  if (!isSecret(value)) {
    const isObject = isRecord(value) && !ArrayBuffer.isView(value) && !(value instanceof String);
    verifyReader ??= createVerifyReader();
    return accept('verify', verifyReader, isObject && !isPromise(value) ? value : { secret: value });
  }
  const { tolerance, timestamp, decodeSignature, headerNames, fieldNames } = defaults;
  // The properties are written out, because a spread takes longer than the rest of this function.
  return { secret: [value], now: Date.now(), tolerance, timestamp, decodeSignature, headerNames, fieldNames };
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

const secretRule = `must be a string of ${webhookSecretLength.min} to ${webhookSecretLength.max} characters, or a list of such strings`;

/** The list is copied, so that later changes to it have no effect. */
export const secretsReader: OptionReader<readonly string[]> = {
  read(value) {
    const secrets: readonly unknown[] = Array.isArray(value) ? [...value] : [value];
    if (secrets.length === 0 || !secrets.every(hasSecretLength)) return rejected(secretRule);
    const pasted = secrets.map(describePastedCharacter).find((problem) => problem !== undefined);
    return pasted === undefined ? new Parsed(secrets) : rejected(pasted);
  },
};

export function toMilliseconds(value: unknown): number | undefined {
  const time = typeof value === 'object' && isInstance(value, 'Date') ? Number(value) : value;
  return typeof time === 'number' && Math.abs(time) <= 8.64e15 ? time : undefined;
}

/** A constant is rejected, because every later delivery would have a wrong age. */
export const clockReader: OptionReader<() => number> = /* @__PURE__ */ withDefault(() => Date.now, {
  read(value) {
    const now = () => {
      const time = typeof value === 'function' ? toMilliseconds(value()) : undefined;
      if (time === undefined)
        throw new TypeError('The function `now` returned no time. Return a Date or milliseconds.');
      return time;
    };
    const isClock = typeof value === 'function' && toMilliseconds(value()) !== undefined;
    return isClock ? new Parsed(now) : rejected('must be a function that returns a Date or milliseconds');
  },
});

const nowReader: OptionReader<number> = /* @__PURE__ */ withDefault(Date.now, {
  read(value) {
    const time = toMilliseconds(typeof value === 'function' ? value() : value);
    const rule = 'must be a Date or milliseconds, or a function that returns one of them';
    return time === undefined ? rejected(rule) : new Parsed(time);
  },
});

/** The maximum tolerance: a day, in seconds. A larger number is probably meant in milliseconds. */
const maxTolerance = 86_400;

export const toleranceReader: OptionReader<number> = /* @__PURE__ */ withDefault(
  () => defaults.tolerance,
  /* @__PURE__ */ validIf(
    (value) => Number.isFinite(value) && (value as number) >= 0 && (value as number) <= maxTolerance,
    `must be a number of seconds from 0 to ${maxTolerance}`,
  ),
);

const headerReader = (header: string): OptionReader<string> =>
  withDefault(() => header, {
    read: (value) =>
      typeof value === 'string' && value !== ''
        ? new Parsed(value.toLowerCase())
        : rejected('must be a string'),
  });

type HeaderNames = Checks['headerNames'];

export const headerNamesReader = (): OptionReader<HeaderNames> =>
  withDefault(
    () => ({}),
    tableReader<HeaderNames, HeaderNames>({
      timestamp: headerReader(timestampHeader),
      signature: headerReader(signatureHeader),
    }),
  );

interface Converted extends Checks {
  readonly secret: readonly string[];
  readonly now: number;
}

type Fields = Readonly<Record<string, unknown>>;

export type ToSdkNames = (payload: Fields) => object;

/** Notification fields with assumed names: the API docs do not state them. */
export const assumedFields: readonly string[] = ['pix', 'refusalReason', 'subMerchant', 'split'];

const findKeyProblem = (names: Fields): Issue[] => {
  // The client option of the same name checks all keys. Here, only keys without a namespace are rejected,
  // because every valid key has one.
  const isWrong = Object.keys(names).some((key) => !key.includes('.'));
  return isWrong ? [{ path: '', message: 'has keys such as payment.split' }] : [];
};

/** A value is a name, a path such as `data.split`, or an object with one of them as `notification`. */
export const fieldNamesReader: OptionReader<ToSdkNames> = {
  read(input) {
    const problem = objectProblem(input);
    if (problem !== undefined) return rejected(problem);
    const names: Fields = { ...(input as Fields) };
    const issues = findKeyProblem(names);
    const paths = assumedFields.map((property) => {
      const key = `payment.${property}`;
      const override = names[key];
      const name = (isRecord(override) ? override.notification : override) ?? property;
      if (typeof name !== 'string' || name === '')
        issues.push({ path: key, message: 'must be a name, or a path such as data.name' });
      return String(name);
    });
    return new Parsed((payload) => {
      const event: Record<string, unknown> = { ...payload };
      for (const path of paths) delete event[path];
      for (const [index, property] of assumedFields.entries()) {
        const value = (paths[index] as string).split('.').reduce<unknown>(ownValue, payload);
        if (value !== undefined) event[property] = value;
      }
      return event;
    }, issues);
  },
};

const ownValue = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const createVerifyReader = () =>
  tableReader<VerifyOptions, Converted>({
    secret: required(secretsReader, secretRule),
    now: nowReader,
    tolerance: toleranceReader,
    timestamp: functionReader(),
    decodeSignature: functionReader(),
    headerNames: headerNamesReader(),
    fieldNames: fieldNamesReader,
  });
