// The data that a version of the package left behind, as kept in stored/<version>/.
import { readdirSync, readFileSync } from 'node:fs';

/** A row of a table. Times are milliseconds from the moment at which the row was read. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A table: the SQL that made it, and its rows. `TABLE` is its name in the SQL. */
export interface StoredTable {
  readonly sql: string;
  readonly rows: readonly Row[];
}

/** A key of Redis, without its prefix. */
export interface StoredKey {
  readonly key: string;
  readonly value: string | readonly string[];
  /** How long it was kept, in milliseconds. */
  readonly ttl: number;
}

export interface Stored {
  readonly version: string;
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAt: number;
  readonly redis: readonly StoredKey[];
  readonly deliveries: StoredTable;
  /** Undefined of a version without durable payments. */
  readonly postgresPayments?: StoredTable;
  readonly sqlitePayments?: StoredTable;
  /** The entry of a token store that encrypts, by its name. */
  readonly sealed: Readonly<Record<string, string>>;
  /** The lines of the state file of its sandbox. */
  readonly state: string;
}

const folder = new URL('stored/', import.meta.url);

/** The versions whose data is kept. */
export const storedVersions = (): string[] =>
  readdirSync(folder)
    .filter((name) => name !== 'README.md')
    .sort();

/** @throws Error for a version whose data is not kept */
export function readStored(version: string): Stored {
  const read = (name: string) => readFileSync(new URL(`${version}/${name}`, folder), 'utf8');
  return { ...(JSON.parse(read('stored.json')) as Omit<Stored, 'state'>), state: read('sandbox.state') };
}
