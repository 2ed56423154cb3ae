// The data that a version of the package left behind, stored in stored/<version>/.
import { readdirSync, readFileSync } from 'node:fs';

/** A table row. Times are milliseconds relative to when the row was read. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A table, with its rows and the SQL that created it. In the SQL, `TABLE` stands for the table's name. */
export interface StoredTable {
  readonly sql: string;
  readonly rows: readonly Row[];
}

/** A Redis key without its prefix. */
export interface StoredKey {
  readonly key: string;
  readonly value: string | readonly string[];
  /** The remaining lifetime in milliseconds. */
  readonly ttl: number;
}

export interface Stored {
  readonly version: string;
  /** The time when the data was written, in milliseconds since 1970. */
  readonly writtenAt: number;
  readonly redis: readonly StoredKey[];
  readonly deliveries: StoredTable;
  /** Undefined for a version without durable payments. */
  readonly postgresPayments?: StoredTable;
  readonly sqlitePayments?: StoredTable;
  /** The entries of an encrypting token store, by name. */
  readonly sealed: Readonly<Record<string, string>>;
  /** The lines of the sandbox's state file. */
  readonly state: string;
}

const folder = new URL('stored/', import.meta.url);

/** Lists the versions with stored data. */
export const storedVersions = (): string[] =>
  readdirSync(folder)
    .filter((name) => name !== 'README.md')
    .sort();

/**
 * Reads a version's stored data.
 *
 * @throws Error for a version without stored data
 */
export function readStored(version: string): Stored {
  const read = (name: string) => readFileSync(new URL(`${version}/${name}`, folder), 'utf8');
  return { ...(JSON.parse(read('stored.json')) as Omit<Stored, 'state'>), state: read('sandbox.state') };
}
