import { postgresPayments, postgresPaymentsSql } from 'payment-platform/durable';
import { paymentStoreChecks } from 'payment-platform/testing';
import { Pool } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { postgresSchema, postgresUrl } from '../../support/postgres.js';
import { isInstalled, Servers } from '../../support/servers.js';

const isThere = postgresUrl !== '' && isInstalled('pgbouncer');

describe.skipIf(!isThere)(
  'postgresPayments through PgBouncer in transaction mode (needs POSTGRES_URL and pgbouncer)',
  () => {
    let servers: Servers;
    let url: URL;
    beforeAll(async () => {
      servers = new Servers();
      url = new URL(postgresUrl);
      url.port = String(await servers.pgbouncer(Number(url.port)));
    });
    afterAll(() => servers?.close());

    test.each(paymentStoreChecks.map((check) => [check.name, check] as const))('%s', async (_, { run }) => {
      const { schema, createSchema, removeSchema } = postgresSchema();
      await createSchema();
      const pool = new Pool({ connectionString: url.href });
      const sql = postgres(url.href, { onnotice: () => undefined });
      try {
        for (const [name, database] of [
          ['pg', pool],
          ['js', sql],
        ] as const) {
          const table = `${schema}.${name}`;
          await pool.query(postgresPaymentsSql(table));
          await run(postgresPayments(database, { table }) as never);
        }
      } finally {
        await Promise.all([pool.end(), sql.end()]);
        await removeSchema();
      }
    });
  },
);
