import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import {
  memoryPayments,
  type PaymentStore,
  postgresPayments,
  postgresPaymentsSql,
  sqlitePayments,
  sqlitePaymentsSql,
} from 'payment-platform/durable';
import postgres from 'postgres';
import { postgresPool, postgresSchema, postgresUrl } from './postgres.js';

/** An empty store, and the function that removes the store. */
export interface OpenStore {
  readonly store: PaymentStore<never>;
  readonly close: () => unknown;
}

/** Lists this package's stores. A store that this machine lacks is skipped by name. */
export const paymentStores: readonly {
  readonly name: string;
  readonly isThere: boolean;
  readonly open: () => Promise<OpenStore>;
}[] = [
  {
    name: 'memoryPayments',
    isThere: true,
    open: async () => ({ store: memoryPayments(), close: () => undefined }),
  },
  {
    name: 'sqlitePayments, a file, the methods of better-sqlite3',
    isThere: true,
    open: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'payments-'));
      const database = new Database(join(folder, 'payments.db'));
      database.exec(sqlitePaymentsSql());
      const close = () => {
        database.close();
        rmSync(folder, { recursive: true });
      };
      return { store: sqlitePayments(database), close };
    },
  },
  {
    name: 'postgresPayments, a pool of pg (needs POSTGRES_URL)',
    isThere: postgresUrl !== '',
    open: async () => {
      const { schema, createSchema, removeSchema } = postgresSchema();
      await createSchema();
      const { pool, close } = postgresPool();
      await pool.query(postgresPaymentsSql(`${schema}.payments`));
      const store = postgresPayments(pool, { table: `${schema}.payments` });
      return { store, close: () => close().then(removeSchema) };
    },
  },
  {
    name: 'postgresPayments, postgres.js (needs POSTGRES_URL)',
    isThere: postgresUrl !== '',
    open: async () => {
      const { schema, createSchema, removeSchema } = postgresSchema();
      await createSchema();
      const sql = postgres(postgresUrl, { onnotice: () => undefined });
      await sql.unsafe(postgresPaymentsSql(`${schema}.payments`));
      const store = postgresPayments(sql, { table: `${schema}.payments` });
      return { store, close: () => sql.end().then(removeSchema) };
    },
  },
];
