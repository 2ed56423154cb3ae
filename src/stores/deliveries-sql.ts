import type { Dialect } from './dialect.js';

export type DedupeStatements = ReturnType<typeof dedupeStatements>;

/** The SQL parameter contains the milliseconds from now. */
const later = ({ now, duration }: Dialect, parameter: string) => `${now} + ${duration(parameter)}`;

/** `$1` is the id, `$2` the holder, `$3` the digest, and `$4` how long the mark is kept. */
export function completion(table: string, dialect: Dialect, condition: string): string {
  const text = dialect.type('text');
  return `INSERT INTO ${table} AS present (id, holder, digest, expires_at)
SELECT $1${text}, $2${text}, $3${text}, ${later(dialect, '$4')} WHERE ${condition}
ON CONFLICT (id) DO UPDATE
SET holder = excluded.holder, digest = excluded.digest, expires_at = excluded.expires_at
WHERE present.holder = excluded.holder OR present.expires_at <= ${dialect.now}
RETURNING id`;
}

/** `$1` is the id, `$2` the holder, and `$3` the lease. */
export function claiming(table: string, dialect: Dialect, claimed: string, condition: string): string {
  const text = dialect.type('text');
  return `INSERT INTO ${table} AS present (id, holder, expires_at)
SELECT $1${text}, $2${text}, ${later(dialect, '$3')} WHERE ${condition}
ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, digest = NULL, expires_at = excluded.expires_at
WHERE present.expires_at <= ${dialect.now} OR (present.holder = excluded.holder AND present.digest IS NULL)
RETURNING ${claimed}`;
}

/**
 * A row has a holder and, once the delivery is done, a digest. The row with the id `order:<transaction id>`
 * stores the rank of that payment transaction's latest status. A statement that changes rows returns the
 * changed rows. A granted claim returns the column `claimed`.
 */
export function dedupeStatements(table: string, dialect: Dialect, claimed: string) {
  const { now } = dialect;
  const [text, integer] = [dialect.type('text'), dialect.type('integer')];
  return {
    claim: claiming(table, dialect, claimed, 'true'),
    digest: `SELECT digest FROM ${table} WHERE id = $1${text} AND expires_at > ${now}`,
    complete: completion(table, dialect, 'true'),
    release: `DELETE FROM ${table} WHERE id = $1${text} AND holder = $2${text} AND digest IS NULL RETURNING id`,
    advance: `INSERT INTO ${table} AS present (id, "rank", expires_at)
VALUES ($1${text}, $2${integer}, ${later(dialect, '$3')})
ON CONFLICT (id) DO UPDATE SET "rank" = excluded."rank", expires_at = excluded.expires_at
WHERE present."rank" <= excluded."rank" OR present.expires_at <= ${now}
RETURNING id`,
    clean: `DELETE FROM ${table} WHERE id IN (
  SELECT id FROM ${table} WHERE expires_at < ${now} LIMIT 1000 ${dialect.lock}
) RETURNING id`,
  };
}
