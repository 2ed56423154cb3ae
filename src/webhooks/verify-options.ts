import type { FieldNames } from '../contract/assumptions.js';
import { limits } from '../contract/limits.js';
import { readFieldNames, WireNames } from '../contract/wire-names.js';
import { ConfigurationError } from '../errors/usage.js';
import { inWords } from '../input/issue.js';
import { optionsOf, type Readers, readOptions, required, that, unless } from '../input/options.js';
import { Read } from '../input/read.js';
import { isRecord } from '../input/record.js';
import { signatureHeader, timestampHeader } from './signature.js';

/** What a delivery is held against. */
export interface VerifyOptions {
  /** 16 to 256 characters; several while one replaces another. */
  secret: string | readonly string[];
  /** Seconds the timestamp may be away from now, both ways. Default 300. */
  tolerance?: number | undefined;
  /** Now, as a Date or milliseconds, or a function that returns it. Default: the system's clock. */
  now?: (Date | number | (() => Date | number)) | undefined;
  /** Other header names, should the platform change them. */
  headerNames?: { timestamp?: string | undefined; signature?: string | undefined } | undefined;
  /** Wire names by key, as the client option of the same name: the event then has the names of the SDK. */
  fieldNames?: FieldNames | undefined;
}

/** Options with every default filled in. */
export interface Checks {
  readonly secrets: readonly string[];
  readonly tolerance: number;
  /** Milliseconds. */
  readonly now: number;
  readonly timestampHeader: string;
  readonly signatureHeader: string;
  readonly names: WireNames;
}

const { min, max } = limits.webhookSecretLength;

const isSecret = (secret: unknown): boolean =>
  typeof secret === 'string' && secret.length >= min && secret.length <= max;

/** One secret, or a list of them: a copy, so that what was checked is what is used. */
function readSecrets(given: unknown): Read<readonly string[]> {
  const secrets: readonly unknown[] = Array.isArray(given) ? [...given] : [given];
  if (secrets.length > 0 && secrets.every(isSecret)) return new Read(secrets as readonly string[]);
  return new Read<never>(undefined, [{ path: '', message: secretRule }]);
}

/** The last millisecond that a Date can hold. */
const latestTime = 8.64e15;

/** Milliseconds; undefined where it is no time. */
function millisecondsOf(now: unknown): number | undefined {
  const at = typeof now === 'function' ? now() : now;
  const time = at instanceof Date ? at.getTime() : at;
  return typeof time === 'number' && Math.abs(time) <= latestTime ? time : undefined;
}

function readNow(given: unknown): Read<number> {
  const time = millisecondsOf(given);
  if (time !== undefined) return new Read(time);
  return new Read<never>(undefined, [{ path: '', message: nowRule }]);
}

const nowRule = 'must be a Date or milliseconds, or a function that returns one of them';

const secretRule = `must be a string of ${min} to ${max} characters, or a list of such strings`;

const headerName = unless<string>((given) =>
  typeof given === 'string' && given !== '' ? undefined : 'must be a string',
);

type HeaderNames = NonNullable<VerifyOptions['headerNames']>;

const headerReaders: Readers<HeaderNames> = { timestamp: headerName, signature: headerName };

/** How each option of a check is read. */
const readers: Readers<VerifyOptions, { secret: readonly string[]; now: number; fieldNames: WireNames }> = {
  secret: required({ read: readSecrets }, secretRule),
  tolerance: that(
    (given) => typeof given === 'number' && given >= 0 && given < Number.POSITIVE_INFINITY,
    'must be seconds: a finite number, 0 or more',
  ),
  now: { read: readNow },
  headerNames: optionsOf(headerReaders, 'header'),
  fieldNames: {
    read: (given) => {
      const { names, issues } = readFieldNames(given);
      return new Read(names, issues);
    },
  },
};

const defaultNames = new WireNames();

/**
 * The options of `verify` with every default filled in.
 *
 * @param names the names on the wire where the options say nothing of them.
 * @throws ConfigurationError: a wrong option is the developer's mistake, not the sender's.
 */
export function resolveChecks(given: unknown, names: WireNames = defaultNames): Checks {
  // What is no object is a secret, or nothing.
  const options = isRecord(given) ? given : { secret: given };
  const { value = {}, issues } = readOptions(options, readers);
  if (issues.length > 0) throw new ConfigurationError(`webhooks: ${inWords(issues)}.`);
  const {
    secret: secrets = [],
    tolerance = limits.webhookToleranceSeconds,
    now = Date.now(),
    headerNames,
  } = value;
  return {
    secrets,
    tolerance,
    now,
    timestampHeader: headerNames?.timestamp?.toLowerCase() ?? timestampHeader,
    signatureHeader: headerNames?.signature?.toLowerCase() ?? signatureHeader,
    names: value.fieldNames ?? names,
  };
}
