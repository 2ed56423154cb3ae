import Database from 'libsql';
import {
  type PaymentStore,
  postgresPayments,
  postgresPaymentsSql,
  sqlitePayments,
  sqlitePaymentsSql,
} from 'payment-platform/durable';
import { Pool } from 'pg';

/** Where processes share payments. */
export interface PaymentPlace {
  readonly kind: 'sqlite' | 'postgres';
  /** A file, or the URL of a PostgreSQL. */
  readonly at: string;
  readonly table: string;
  /** The name of its connections to PostgreSQL. */
  readonly application?: string | undefined;
}

/** A place as one process has it. */
export interface OpenPlace {
  readonly store: PaymentStore<unknown>;
  /** Runs statements without parameters. */
  execute(sql: string): Promise<unknown>;
  /** Opens a transaction, on a connection of its own. */
  begin(): Promise<{ readonly client: unknown; commit(): Promise<unknown> }>;
  close(): Promise<unknown>;
}

export const paymentsSql = ({ kind, table }: PaymentPlace): string =>
  kind === 'sqlite' ? sqlitePaymentsSql(table) : postgresPaymentsSql(table);

export const openPlace = (place: PaymentPlace): OpenPlace =>
  place.kind === 'sqlite' ? openFile(place) : openServer(place);

function openFile({ at, table }: PaymentPlace): OpenPlace {
  const open = [new Database(at)];
  const [database] = open as [Database.Database];
  return {
    store: sqlitePayments(database, { table }),
    execute: async (sql) => database.exec(sql),
    async begin() {
      const client = new Database(at, { timeout: 5_000 });
      open.push(client);
      client.exec('BEGIN IMMEDIATE');
      return { client, commit: async () => client.exec('COMMIT') };
    },
    close: async () => open.map((one) => one.close()),
  };
}

function openServer({ at, table, application }: PaymentPlace): OpenPlace {
  const pool = new Pool({ connectionString: at, application_name: application });
  // Connections are cut on purpose.
  pool.on('error', () => undefined);
  return {
    store: postgresPayments(pool, { table }),
    execute: (sql) => pool.query(sql),
    async begin() {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
      } catch (error) {
        client.release(true);
        throw error;
      }
      // A connection that ends in the midst of a transaction rolls it back.
      client.on('error', () => undefined);
      const commit = () =>
        client.query('COMMIT').then(
          () => client.release(),
          (error) => {
            client.release(true);
            throw error;
          },
        );
      return { client, commit };
    },
    close: () => pool.end(),
  };
}
