import { randomUUID } from 'node:crypto';
import { Pool, type PoolConfig } from 'pg';
import { onTestFinished } from 'vitest';

/** The PostgreSQL of these tests; empty if there is none. */
export const postgresUrl = process.env.POSTGRES_URL ?? '';

export function postgresPool(config: PoolConfig = {}) {
  const pool = new Pool({ connectionString: postgresUrl, ...config });
  // What a lost connection tells is no news to a test that cuts it.
  pool.on('error', () => undefined);
  return { pool, close: () => pool.end() };
}

/** A schema that nobody else has, and what removes it. */
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

/** Creates a schema for a test; returns a database address whose unqualified names belong to it. */
export async function emptyDatabase(): Promise<string> {
  const { schema, createSchema, removeSchema } = postgresSchema();
  await createSchema();
  onTestFinished(removeSchema);
  const url = new URL(postgresUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return url.href;
}
