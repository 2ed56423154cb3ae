import { randomUUID } from 'node:crypto';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { onTestFinished } from 'vitest';

/** The URL of the tests' PostgreSQL server; empty if the machine has none. */
export const postgresUrl = process.env.POSTGRES_URL ?? '';

export function postgresPool(config: PoolConfig = {}) {
  const pool = new Pool({ connectionString: postgresUrl, ...config });
  // A test that cuts the connection expects this error.
  pool.on('error', () => undefined);
  return { pool, close: () => pool.end() };
}

/** Manages a schema for one test file, with functions that create and remove the schema. */
export function postgresSchema() {
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  const query = async (sql: string) => {
    const { pool, close } = postgresPool({ max: 1 });
    try {
      await pool.query(sql);
    } finally {
      await close();
    }
  };
  return {
    schema,
    createSchema: () => query(`CREATE SCHEMA ${schema}`),
    removeSchema: () => query(`DROP SCHEMA ${schema} CASCADE`),
  };
}

/** Creates a database for a test, because Prisma names the schema `public` in each statement. @returns its URL */
export async function emptyDatabase(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const query = async (sql: string) => {
    const { pool, close } = postgresPool({ max: 1 });
    await pool.query(sql).finally(close);
  };
  await query(`CREATE DATABASE ${name}`);
  // Without FORCE, the server waits until connections that end are gone, instead of ending them with an error.
  onTestFinished(() => query(`DROP DATABASE ${name}`));
  const url = new URL(postgresUrl);
  url.pathname = name;
  return url.href;
}

/** Runs work in a transaction of a pg pool, as merchants do. */
export async function runInTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
