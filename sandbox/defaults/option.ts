import {
  type Accepted,
  type OptionReader,
  type OptionReaders,
  readerFor,
  validIf,
} from '../../src/validation/options.js';
import { type Duration, durationForms, isDuration, milliseconds } from '../time/duration.js';
import type { SandboxDefault } from './sandbox-default.js';

/** An option of `createSandbox`, with its reader, its default and its documentation. */
export class Option<Given, Value = Given> {
  readonly reader: OptionReader<Given>;
  /** Converts the given value; undefined becomes the default. */
  readonly toValue: (input: Given | undefined) => Value;
  /** The documentation; undefined if another option's documentation mentions this option. */
  readonly sandboxDefault: Omit<SandboxDefault, 'option' | 'fixed'> | undefined;

  constructor(
    reader: OptionReader<Given>,
    toValue: (input: Given | undefined) => Value,
    sandboxDefault?: Omit<SandboxDefault, 'option' | 'fixed'>,
  ) {
    this.reader = reader;
    this.toValue = toValue;
    this.sandboxDefault = sandboxDefault;
  }
}

export const option = <Given, const Default>(
  reader: OptionReader<Given>,
  otherwise: Default,
  sandboxDefault?: Option<Given>['sandboxDefault'],
): Option<Given, Given | Default> => new Option(reader, (value) => value ?? otherwise, sandboxDefault);

/** The value is in milliseconds. */
export const durationOption = (
  otherwise: number,
  sandboxDefault?: Option<Duration>['sandboxDefault'],
): Option<Duration, number> =>
  new Option(
    validIf<Duration>(isDuration, `must be ${durationForms}`),
    (value) => (value === undefined ? otherwise : milliseconds(value)),
    sandboxDefault,
  );

export interface OptionTable {
  // biome-ignore lint/suspicious/noExplicitAny: an option of any type
  readonly [name: string]: Option<any, unknown> | OptionTable;
}

/** The options that a caller can pass for a table. */
export type GivenOptions<Table> = {
  [Name in keyof Table]?:
    | (Table[Name] extends Option<infer Given, unknown> ? Given : GivenOptions<Table[Name]>)
    | undefined;
};

export type OptionValues<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer _, infer Value>
    ? Value
    : OptionValues<Table[Name]>;
};

const mapped = (table: OptionTable, make: (entry: Option<unknown> | OptionTable, name: string) => unknown) =>
  Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [name, make(entry as Option<unknown> | OptionTable, name)]),
  );

export const toOptionReaders = <Table extends OptionTable>(
  table: Table,
): OptionReaders<GivenOptions<Table>> =>
  mapped(table, (entry) =>
    entry instanceof Option ? entry.reader : readerFor(toOptionReaders(entry)),
  ) as OptionReaders<GivenOptions<Table>>;

export const listValues = <Table extends OptionTable>(
  table: Table,
  options: Accepted<OptionReaders<GivenOptions<Table>>> = {} as Accepted<OptionReaders<GivenOptions<Table>>>,
): OptionValues<Table> => {
  const values = options as Readonly<Record<string, unknown>>;
  return mapped(table, (entry, name) =>
    entry instanceof Option
      ? entry.toValue(values[name])
      : listValues(entry, (values[name] ?? {}) as Parameters<typeof listValues>[1]),
  ) as OptionValues<Table>;
};

/** A path is such as `payments.dueDay`. */
export function listPaths(table: OptionTable, prefix = ''): (readonly [Option<unknown>, path: string])[] {
  return Object.entries(table).flatMap(([name, entry]) =>
    entry instanceof Option ? [[entry, prefix + name] as const] : listPaths(entry, `${prefix}${name}.`),
  );
}
