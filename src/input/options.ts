import type { Issue } from './issue.js';
import { issuesAt } from './issue.js';
import { Read } from './read.js';
import { isRecord, readFields, unreadable } from './record.js';

/** Reads one value that was given. */
export interface Reader<Value> {
  readonly read: (given: unknown) => Read<Value>;
  /** What to say where it is missing; without it the option may be left out. */
  readonly missing?: string;
  /** What is read where it is not given. */
  readonly fallback?: () => unknown;
}

/**
 * A reader for each option: an option without one does not compile, nor a reader without an option, nor one
 * that accepts what the option's type does not. `Changed` names the options that are read as something else.
 */
export type Readers<Options extends object, Changed extends object = Record<never, never>> = {
  readonly [Name in keyof Options]-?: Reader<
    Name extends keyof Changed ? Changed[Name] : Exclude<Options[Name], undefined>
  >;
};

/** Options that were accepted: on no prototype, so that what was not given is found nowhere else. */
export type Accepted<Table> = {
  readonly [Name in keyof Table]?: (Table[Name] extends Reader<infer Value> ? Value : never) | undefined;
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

/** An option that the environment gives where the caller does not; an empty variable gives none. */
export const orFromEnvironment = <Value>(variable: string, { read }: Reader<Value>): Reader<Value> => ({
  read,
  missing: `is missing: pass it, or set ${variable}`,
  fallback: () => globalThis.process?.env?.[variable] || undefined,
});

/** An object of options among the options. */
export const optionsOf = <Table extends object>(readers: Table, noun?: string): Reader<Accepted<Table>> => ({
  read: (given) => readOptions(given, readers, noun),
});

/**
 * Reads an object of options, each once: what was checked is what is used, whatever the caller does to the
 * object later. What nobody gave is left out. A misspelt option is a problem: a lost one could be a second
 * charge.
 *
 * @param noun what an entry is called, in messages.
 */
export function readOptions<Table extends object>(
  given: unknown,
  readers: Table,
  noun = 'option',
): Read<Accepted<Table>> {
  const accepted: Record<string, unknown> = Object.create(null);
  const table = readers as Readonly<Record<string, Reader<unknown>>>;
  const names = Object.keys(table);
  const done = (issues: readonly Issue[]) => new Read(accepted as Accepted<Table>, issues);
  if (!isRecord(given)) {
    const needed = names.filter(
      (name) => table[name]?.missing !== undefined && table[name]?.fallback === undefined,
    );
    const having = needed.length === 0 ? '' : ` with ${needed.join(' and ')}`;
    return done([{ path: '', message: `must be an object${having}` }]);
  }
  const found = readFields(given, names);
  if (found === undefined) return done([{ path: '', message: unreadable }]);
  const issues: Issue[] = found.unknown.map((name) => unknownOption(name, names, noun));
  for (const name of names) {
    const { read, missing, fallback } = table[name] as Reader<unknown>;
    const value = found.fields[name] === undefined ? fallback?.() : found.fields[name];
    if (value === undefined) {
      if (missing !== undefined) issues.push({ path: name, message: missing });
      continue;
    }
    const result = safely(read, value);
    issues.push(...issuesAt(name, result.issues));
    if (result.value !== undefined) accepted[name] = result.value;
  }
  return done(issues);
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
