import { postgresDedupe, postgresDedupeSql } from 'payment-platform/webhooks';
import { afterAll, beforeAll, describe } from 'vitest';
import { keepsDedupeContract } from '../../support/dedupe-contract.js';
import { postgresPool, postgresSchema, postgresUrl } from '../../support/postgres.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

describe.skipIf(postgresUrl === '')('postgresDedupe (set POSTGRES_URL to run these)', () => {
  const { schema, createSchema, removeSchema } = postgresSchema();
  const table = `${schema}.Deliveries`;
  beforeAll(async () => {
    await createSchema();
    const { pool, close } = postgresPool();
    await pool.query(postgresDedupeSql(table));
    await close();
  });
  afterAll(removeSchema);

  keepsDedupeContract(async () => postgresDedupe(opens(postgresPool()).pool, { table }));
  describe('with transactions', () => {
    keepsDedupeContract(async () => postgresDedupe(opens(postgresPool()).pool, { table, transaction: true }));
  });
});
