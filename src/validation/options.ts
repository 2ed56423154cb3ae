import { closestName, plainName, shownName, unknownName } from './closest-name.js';
import { type Issue, Parsed, prefixIssues } from './issue.js';
import { awaitItFirst, isPromise, objectProblem } from './record.js';

/** Reads and checks one option. */
export interface OptionReader<Value> {
  readonly read: (value: unknown) => Parsed<Value>;
  /** The message if the option is missing. An option without this message is optional. */
  readonly missing?: string;
  /** Returns the value to read if the option is missing. */
  readonly fallback?: () => unknown;
  /** The name under which earlier versions read the option, and the choice between both names. */
  readonly formerly?: { readonly name: string; readonly choose: typeof chooseName };
}

/**
 * A missing reader, an additional reader, or a reader of the wrong type does not compile. `Changed` contains
 * the types of options that are converted.
 */
export type OptionReaders<Options extends object, Changed extends object = Record<never, never>> = {
  readonly [Name in keyof Options]-?: OptionReader<
    Name extends keyof Changed ? Changed[Name] : Exclude<Options[Name], undefined>
  >;
};

/** The options after a check that throws. `Changed` contains those that are converted or have a default. */
export type Checked<Options extends object, Changed extends object = Record<never, never>> = {
  readonly [Name in keyof Options]-?: Name extends keyof Changed ? Changed[Name] : Options[Name] | undefined;
};

export type Accepted<Table> = {
  readonly [Name in keyof Table]?:
    | (Table[Name] extends OptionReader<infer Value> ? Value : never)
    | undefined;
};

export const rejected = (message: string) => new Parsed<never>(undefined, [{ path: '', message }]);

/* @__NO_SIDE_EFFECTS__ */ export function validIf<Value>(
  accepts: (value: unknown) => boolean,
  message: string,
): OptionReader<Value> {
  return { read: (value) => (accepts(value) ? new Parsed(value as Value) : rejected(message)) };
}

/* @__NO_SIDE_EFFECTS__ */ export function invalidIf<Value>(
  problem: (value: unknown) => string | undefined,
): OptionReader<Value> {
  return {
    read: (value) => {
      const message = problem(value);
      return message === undefined ? new Parsed(value as Value) : rejected(message);
    },
  };
}

/* @__NO_SIDE_EFFECTS__ */ export function oneOf<const Value extends string>(
  ...values: readonly Value[]
): OptionReader<Value> {
  return validIf((input) => values.some((value) => value === input), `must be ${alternatives(values)}`);
}

const alternatives = (values: readonly string[]): string =>
  listed(
    values.map((value) => `'${value}'`),
    'or',
  );

function listed(items: readonly string[], word = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;
}

export const functionReader = /* @__NO_SIDE_EFFECTS__ */ <Value>(): OptionReader<Value> =>
  validIf((value) => typeof value === 'function', 'must be a function');

export const booleanReader: OptionReader<boolean> = validIf(
  (value) => typeof value === 'boolean',
  'must be true or false',
);

export const objectReader = /* @__NO_SIDE_EFFECTS__ */ <Value>(): OptionReader<Value> =>
  invalidIf(objectProblem);

export const integerReader = /* @__NO_SIDE_EFFECTS__ */ (
  from: number,
  unit: string,
  to: number = Number.MAX_SAFE_INTEGER,
): OptionReader<number> =>
  validIf(
    (value) => Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to,
    `must be ${unit}: an integer ${to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`}`,
  );

/** Other code checks it later. */
export const anything = /* @__NO_SIDE_EFFECTS__ */ <Value>(): OptionReader<Value> => ({
  read: (value) => new Parsed(value as Value),
});

const warned = new Set<string>();

/**
 * Chooses between the values of an option under its own and its former name. The former name is announced once.
 *
 * @returns the value, or the message for an option under both names
 */
function chooseName(
  given: unknown,
  former: unknown,
  formerName: string,
  name: string,
): { readonly value: unknown } | { readonly problem: string } {
  if (former === undefined) return { value: given };
  if (given !== undefined) return { problem: `is also passed as ${formerName}, its former name` };
  const warning = `payment-platform: the option ${formerName} is now called ${name}.`;
  // biome-ignore lint/suspicious/noConsole: nothing else shows that the name will stop working
  if (!warned.has(warning)) console.warn(warning);
  warned.add(warning);
  return { value: former };
}

/** Also reads an option under its former name, with a warning. Both names together are an issue. */
export const formerly = /* @__NO_SIDE_EFFECTS__ */ <Value>(
  name: string,
  reader: OptionReader<Value>,
): OptionReader<Value> => ({ ...reader, formerly: { name, choose: chooseName } });

export const required = /* @__NO_SIDE_EFFECTS__ */ <Value>(
  { read }: OptionReader<Value>,
  missing = 'is required',
): OptionReader<Value> => ({
  read,
  missing,
});

export const withDefault = /* @__NO_SIDE_EFFECTS__ */ <Value>(
  fallback: () => unknown,
  { read }: OptionReader<Value>,
): OptionReader<Value> => ({ read, fallback });

/** An empty variable counts as unset. */
export const orFromEnvironment = /* @__NO_SIDE_EFFECTS__ */ <Value>(
  variable: string,
  { read }: OptionReader<Value>,
): OptionReader<Value> => ({
  read,
  missing: `is missing. Pass it, or set ${variable}`,
  fallback: () => globalThis.process?.env?.[variable] || undefined,
});

export const readerFor = /* @__NO_SIDE_EFFECTS__ */ <Table extends object>(
  optionReaders: Table,
  noun?: string,
): OptionReader<Accepted<Table>> => ({
  read: (value) => readOptions(value, optionReaders, noun),
});

/**
 * Each is read exactly once, so that later changes by the caller do not matter. The result does not contain
 * missing options. An unknown option is an issue, because ignoring a misspelt option could cause a second
 * charge.
 */
export const readOptions = <Table extends object>(
  input: unknown,
  optionReaders: Table,
  noun?: string,
): Parsed<Accepted<Table>> => readWith(suggestClose, input, optionReaders, noun);

/** `suggest` finds the option that an unknown name means. */
export function readWith<Table extends object>(
  suggest: Suggest,
  input: unknown,
  optionReaders: Table,
  noun = 'option',
): Parsed<Accepted<Table>> {
  const accepted: Record<string, unknown> = {};
  const table = optionReaders as Readonly<Record<string, OptionReader<unknown>>>;
  const names = Object.keys(table);
  const result = (issues: readonly Issue[]) => new Parsed(accepted as Accepted<Table>, issues);
  const problem = objectProblem(input);
  if (problem !== undefined) {
    const needed = names.filter((name) => table[name]?.missing !== undefined);
    const isNoObject = problem === 'must be an object' && needed.length > 0;
    return result([{ path: '', message: isNoObject ? `${problem} with ${listed(needed)}` : problem }]);
  }
  const values = input as Readonly<Record<string, unknown>>;
  const isKnown = (name: string) =>
    names.some((known) => known === name || table[known]?.formerly?.name === name);
  const unknown = Object.keys(values).filter((name) => !isKnown(name));
  const issues: Issue[] = unknown.length === 0 ? [] : unknownOptions(unknown, names, noun, suggest);
  for (const name of names) {
    const { read, missing, fallback, formerly } = table[name] as OptionReader<unknown>;
    let given = values[name];
    if (formerly !== undefined) {
      const found = formerly.choose(given, values[formerly.name], formerly.name, name);
      if ('problem' in found) issues.push({ path: name, message: found.problem });
      else given = found.value;
    }
    const value = given === undefined ? fallback?.() : given;
    if (value === undefined) {
      if (missing !== undefined) issues.push({ path: name, message: missing });
      continue;
    }
    const result = read(value);
    if (result.issues.length > 0)
      issues.push(
        ...(isPromise(value) ? [{ path: name, message: awaitItFirst }] : prefixIssues(name, result.issues)),
      );
    if (result.value !== undefined) accepted[name] = result.value;
  }
  return result(issues);
}

const maxUnknown = 20;

type Suggest = (name: string, known: readonly string[]) => string | undefined;

function unknownOptions(
  unknown: readonly string[],
  known: readonly string[],
  noun: string,
  suggest: Suggest,
): Issue[] {
  const issues = unknown.slice(0, maxUnknown).map((name) => unknownOption(name, known, noun, suggest));
  const left = unknown.length - issues.length;
  return left > 0 ? [...issues, { path: '', message: `has ${left} more unknown names` }] : issues;
}

/** `requestTimeout` can mean `timeout`, and `retries` can mean `maxRetries`. */
const findPart = (value: string, known: readonly string[]) =>
  known.find((name) => {
    const [long, short] = [plainName(value), plainName(name)];
    if (long.length > 2 && short.endsWith(long)) return true;
    return short.length > 2 && (long.startsWith(short) || long.endsWith(short));
  });

const suggestClose: Suggest = (name, known) => closestName(name, known) ?? findPart(name, known);

function unknownOption(value: string, known: readonly string[], noun: string, suggest: Suggest): Issue {
  return { path: shownName(value), message: unknownName(noun, suggest(value, known), known) };
}
