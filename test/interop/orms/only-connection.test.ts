import { drizzle } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgresJs } from 'drizzle-orm/postgres-js';
import { Kysely, PostgresDialect } from 'kysely';
import { test } from 'vitest';
import { acceptsItsTransaction, overPg, overPostgresJs } from '../../support/only-connection.js';
import { postgresUrl } from '../../support/postgres.js';

test.skipIf(postgresUrl === '').each([
  ['Drizzle over pg', overPg((pool, work) => drizzle(pool).transaction(work as never))],
  [
    'Kysely',
    overPg((pool, work) =>
      new Kysely({ dialect: new PostgresDialect({ pool }) }).transaction().execute(work as never),
    ),
  ],
  [
    'Drizzle over postgres.js',
    overPostgresJs((sql, work) => drizzleOverPostgresJs(sql).transaction(work as never)),
  ],
])(
  'enqueue is accepted in a transaction of %s on the only connection of the store’s pool (needs POSTGRES_URL)',
  (_, open) => acceptsItsTransaction(open),
);
