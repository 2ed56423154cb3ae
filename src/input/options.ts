import type { Issue } from './issue.js';
import { issuesAt } from './issue.js';
import { isRecord, readFields, unreadable } from './record.js';

/** A value as it was read: what is accepted, and what is wrong. A class, because a plain object could inherit either. */
export class Read<Value> {
  constructor(
    /** Undefined where nothing was given, or nothing of it can be used. */
    readonly value: Value | undefined,
    readonly issues: readonly Issue[] = [],
  ) {}
}

/** Reads one value that was given. */
export interface Reader<Value> {
  readonly read: (given: unknown) => Read<Value>;
  /** What to say where it is missing; without it the option may be left out. */
  readonly missing?: string;
}

/**
 * A reader for each option: an option without one does not compile, nor a reader without an option, nor one
 * that accepts what the option's type does not.
 */
export type Readers<Options extends object> = {
  readonly [Name in keyof Options]-?: Reader<Exclude<Options[Name], undefined>>;
};

const refused = (message: string) => new Read<never>(undefined, [{ path: '', message }]);

/** A value that passes a test. */
export function that<Value>(accepts: (given: unknown) => boolean, message: string): Reader<Value> {
  return { read: (given) => (accepts(given) ? new Read(given as Value) : refused(message)) };
}

/** A value about which a function says what is wrong; undefined where nothing is. */
export function unless<Value>(problem: (given: unknown) => string | undefined): Reader<Value> {
  return {
    read: (given) => {
      const message = problem(given);
      return message === undefined ? new Read(given as Value) : refused(message);
    },
  };
}

/** One of some words. */
export function oneOf<const Value extends string>(...values: readonly Value[]): Reader<Value> {
  return that((given) => values.some((value) => value === given), `must be ${alternatives(values)}`);
}

function alternatives(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

export const aFunction = <Value>(): Reader<Value> =>
  that((given) => typeof given === 'function', 'must be a function');

export const aBoolean: Reader<boolean> = that((given) => typeof given === 'boolean', 'must be true or false');

export const anObject = <Value>(): Reader<Value> => that(isRecord, 'must be an object');

export const anInteger = (from: number, unit: string): Reader<number> =>
  that(
    (given) => Number.isSafeInteger(given) && (given as number) >= from,
    `must be ${unit}: an integer of at least ${from}`,
  );

/** Whatever was given: somebody else looks at it. */
export const anything = <Value>(): Reader<Value> => ({ read: (given) => new Read(given as Value) });

/** An option that must be given. */
export const required = <Value>({ read }: Reader<Value>, missing = 'is required'): Reader<Value> => ({
  read,
  missing,
});

/** An object of options among the options. */
export const optionsOf = <Options extends object>(
  readers: Readers<Options>,
  noun?: string,
): Reader<Options> => ({
  read: (given) => readOptions(given, readers, noun) as Read<Options>,
});

/** Options that were accepted: on no prototype, so that what was not given is found nowhere else. */
export type Accepted<Options> = { readonly [Name in keyof Options]?: Options[Name] | undefined };

/**
 * Reads an object of options, each once: what was checked is what is used, whatever the caller does to the
 * object later. What nobody gave is left out. A misspelt option is a problem: a lost one could be a second
 * charge.
 *
 * @param noun what an entry is called, in messages.
 */
export function readOptions<Options extends object>(
  given: unknown,
  readers: Readers<Options>,
  noun = 'option',
): Read<Accepted<Options>> {
  const accepted: { [Name in keyof Options]?: Options[Name] } = Object.create(null);
  const names = Object.keys(readers) as (keyof Options & string)[];
  if (!isRecord(given)) return new Read(accepted, [{ path: '', message: 'must be an object' }]);
  const found = readFields(given, names);
  if (found === undefined) return new Read(accepted, [{ path: '', message: unreadable }]);
  const issues: Issue[] = found.unknown.map((name) => unknownOption(name, names, noun));
  for (const name of names) {
    const { read, missing } = readers[name];
    const value = found.fields[name];
    if (value === undefined) {
      if (missing !== undefined) issues.push({ path: name, message: missing });
      continue;
    }
    const result = safely(read, value);
    issues.push(...issuesAt(name, result.issues));
    if (result.value !== undefined) accepted[name] = result.value;
  }
  return new Read(accepted, issues);
}

/** A getter or a proxy of the caller's may throw wherever it is looked at. */
function safely<Value>(read: Reader<Value>['read'], given: unknown): Read<Value> {
  try {
    return read(given);
  } catch {
    return refused(unreadable);
  }
}

/** What to say of an option that does not exist: a misspelt one would have no effect. */
function unknownOption(name: string, known: readonly string[], noun: string): Issue {
  const plain = (text: string) => text.replace(/[-_]/g, '').toLowerCase();
  const meant = known.find((option) => plain(option) === plain(name));
  const hint = meant === undefined ? '' : `did you mean ${meant}? `;
  return { path: name, message: `is an unknown ${noun} (${hint}known: ${known.join(', ')})` };
}
