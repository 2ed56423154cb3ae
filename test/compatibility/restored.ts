// Restores stored data, as the version that stored it left it behind.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import type { Row, Stored, StoredTable } from '../../tools/compatibility/stored.js';
import { postgresPool, postgresSchema } from '../support/postgres.js';
import { redisLibraries, redisPrefix } from '../support/redis.js';

/** Registers cleanup for the end of a test. */
export type Closing = (close: () => unknown) => void;

/** Writes the stored state file to a new folder, as a killed sandbox left it. Returns its path. */
export function restoredState({ state }: Stored, closing: Closing): string {
  const folder = mkdtempSync(join(tmpdir(), 'stored-'));
  closing(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sandbox.state');
  writeFileSync(file, state);
  return file;
}

/** Restores the Redis keys. Returns a client, and the keys' prefix. */
export async function restoredRedis({ redis, writtenAt }: Stored, closing: Closing) {
  const { prefix, removeKeys } = redisPrefix();
  const { client, send, close } = await redisLibraries.ioredis();
  closing(async () => {
    close();
    await removeKeys();
  });
  const elapsed = (Date.now() - writtenAt) * 1000;
  for (const { key, value, ttl } of redis) {
    // The only lists contain the times of rate limits, in microseconds.
    if (typeof value === 'string') await send('SET', prefix + key, value);
    else await send('RPUSH', prefix + key, ...value.map((time) => String(Number(time) + elapsed)));
    await send('PEXPIRE', prefix + key, String(ttl));
  }
  return { client, prefix };
}

const isTime = (name: string) => ['expires_at', 'created_at', 'due_at', 'deadline'].includes(name);

/** Converts a row's relative times to moments. Rows that were due are due now. */
const toColumns = (row: Row, now: number) =>
  Object.entries(row).map(([name, value]) => {
    if (!isTime(name) || value === null) return [name, value] as const;
    return [name, now + (name === 'due_at' ? -1_000 : Math.trunc(Number(value)))] as const;
  });

/** Restores a PostgreSQL table. Returns a pool, and the table's name. */
export async function restoredPostgres({ sql, rows }: StoredTable, closing: Closing) {
  const { schema, createSchema, removeSchema } = postgresSchema();
  await createSchema();
  const { pool, close } = postgresPool();
  closing(async () => {
    await close();
    await removeSchema();
  });
  const table = `${schema}.t${randomUUID().slice(0, 8)}`;
  await pool.query(
    sql
      .replaceAll('TABLE IF NOT EXISTS TABLE', `TABLE IF NOT EXISTS ${table}`)
      .replaceAll('ON TABLE', `ON ${table}`),
  );
  for (const row of rows) {
    const columns = toColumns(row, Date.now());
    const places = columns.map(([name], index) =>
      isTime(name) ? `to_timestamp($${index + 1}::double precision / 1000)` : `$${index + 1}`,
    );
    const names = columns.map(([name]) => `"${name}"`).join(', ');
    await pool.query(
      `INSERT INTO ${table} (${names}) VALUES (${places.join(', ')})`,
      columns.map(([, value]) => value),
    );
  }
  return { pool, table };
}

/** Restores an SQLite table in memory. */
export function restoredSqlite({ sql, rows }: StoredTable, closing: Closing) {
  const database = new Database(':memory:');
  closing(() => database.close());
  const table = 'payments';
  database.exec(
    sql
      .replaceAll('TABLE IF NOT EXISTS TABLE', `TABLE IF NOT EXISTS ${table}`)
      .replaceAll('ON TABLE', `ON ${table}`),
  );
  for (const row of rows) {
    const columns = toColumns(row, Date.now());
    const places = columns.map(() => '?').join(', ');
    const names = columns.map(([name]) => name).join(', ');
    const insert = database.prepare(`INSERT INTO ${table} (${names}) VALUES (${places})`);
    insert.run(...columns.map(([, value]) => value));
  }
  return { database, table };
}

/** The statements of docs/upgrades.md for a SQLite table of a version before 1.0.0. */
export const upgradeSqlite = (
  table: string,
) => `ALTER TABLE ${table} ADD COLUMN merchant TEXT NOT NULL DEFAULT '';
ALTER TABLE ${table} ADD COLUMN refresh_until INTEGER;
`;
