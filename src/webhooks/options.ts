import { ConfigurationError } from '../errors/usage.js';
import { objectProblem, unreadable } from '../input/record.js';

/**
 * Reads one option: gives the value to work with, which is the default where nothing is given.
 *
 * @throws ConfigurationError that says what is wrong, and does not show the value.
 */
type Reader<Value> = (given: unknown, name: string) => Value;

/**
 * A reader for each option: the compiler wants all of them. `Changed` has the types of those that are converted,
 * or have a default.
 */
export type Readers<Options extends object, Changed extends object = Record<never, never>> = {
  readonly [Name in keyof Options]-?: Reader<Name extends keyof Changed ? Changed[Name] : Options[Name]>;
};

/** What the readers of a table gave. */
export type Values<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Reader<infer Value> ? Value : never;
};

/**
 * Reads an object of options, each exactly once, so that later changes by the caller have no effect. An unknown
 * option is refused, because a misspelt one would have no effect.
 *
 * @param who begins the message.
 * @throws ConfigurationError naming every wrong option, up to thirty.
 */
export function readOptions<Table extends object>(
  who: string,
  given: unknown,
  readers: Table,
): Values<Table> {
  const options = anObject(given, `${who}:`);
  const known = Object.keys(readers);
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, read] of Object.entries<Reader<unknown>>(readers as never)) {
    try {
      values[name] = read(optionOf(options, name), name);
    } catch (error) {
      wrong.push(error instanceof ConfigurationError ? error.message : `${name} ${unreadable}`);
    }
  }
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    // The known option that begins as the unknown one does is probably the one that was meant.
    const meant = known.find((option) => option.startsWith(name.slice(0, 3)));
    const hint = meant === undefined ? '' : `did you mean ${meant}? `;
    wrong.push(`${name.slice(0, 40)} is an unknown option (${hint}known: ${known.join(', ')})`);
  }
  if (wrong.length > 0) throw new ConfigurationError(`${who}: ${wrong.slice(0, 30).join('; ')}.`);
  return values as Values<Table>;
}

/** An option of the object or of its class, but not a property that was added to `Object.prototype`. */
export function optionOf(options: object, name: string): unknown {
  const isGiven = Object.hasOwn(options, name) || !(name in Object.prototype);
  return isGiven ? (options as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Gives a value that passes a test. */
export function checked<Value>(value: unknown, isRight: boolean, name: string, rule: string): Value {
  if (!isRight) throw new ConfigurationError(`${name} ${rule}`);
  return value as Value;
}

export function anObject(given: unknown, name: string): object {
  const problem = objectProblem(given);
  return checked(given, problem === undefined, name, `${problem}`);
}

/** Reads a function, which may be left out. */
export const aFunction = <Value>(given: unknown, name: string): Value | undefined =>
  checked(given, given === undefined || typeof given === 'function', name, 'must be a function');

/** Reads an integer from 1 to a limit. */
export function anInteger(given: unknown, name: string, unit: string, max = Number.MAX_SAFE_INTEGER): number {
  const isRight = Number.isSafeInteger(given) && (given as number) >= 1 && (given as number) <= max;
  const range = max === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${max}`;
  return checked(given, isRight, name, `must be ${unit}: an integer ${range}`);
}
