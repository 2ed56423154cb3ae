export interface Dialect {
  readonly now: string;
  /** The type of a parameter, for drivers that would otherwise guess it. */
  readonly type: (name: 'text' | 'integer' | 'boolean') => string;
  /** A duration whose parameter contains milliseconds. */
  readonly duration: (parameter: string) => string;
  /** The milliseconds of a time or duration. */
  readonly milliseconds: (time: string) => string;
  /** Locks the rows of a SELECT, and skips rows that another statement has locked. */
  readonly lock: string;
}

export const postgresDialect: Dialect = {
  // Unlike `now()`, this time advances within a transaction.
  now: 'clock_timestamp()',
  type: (name) => `::${name}`,
  duration: (parameter) => `${parameter}::double precision * interval '1 millisecond'`,
  milliseconds: (time) => `(extract(epoch FROM ${time}) * 1000)::double precision`,
  lock: 'FOR UPDATE SKIP LOCKED',
};

/** The current time in SQLite, in milliseconds since 1970. It is constant within a statement. */
export const sqliteNow = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";

/** Times are in milliseconds since 1970, and a write excludes every other one. */
export const sqliteDialect: Dialect = {
  now: sqliteNow,
  type: () => '',
  duration: (parameter) => parameter,
  milliseconds: (time) => time,
  lock: '',
};
