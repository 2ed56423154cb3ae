import Database from 'libsql';
import type { PaymentPlatform } from 'payment-platform';
import {
  type PaymentStore,
  postgresPayments,
  postgresPaymentsSql,
  sqlitePayments,
  sqlitePaymentsSql,
} from 'payment-platform/durable';
import { Pool } from 'pg';

/** A database that processes share payments in. */
export interface PaymentPlace {
  readonly kind: 'sqlite' | 'postgres';
  /** A file path, or a PostgreSQL URL. */
  readonly at: string;
  readonly table: string;
  /** The recorded requests, if they are not payments. */
  readonly requests?: 'withdrawals' | 'onboarding' | undefined;
  /** The application name of its PostgreSQL connections. */
  readonly application?: string | undefined;
}

/** A place as one process opens it. */
export interface OpenPlace {
  readonly store: PaymentStore<unknown>;
  /** Runs statements without parameters. */
  execute(sql: string): Promise<unknown>;
  /** Runs the work in a transaction on its own connection. */
  inTransaction(work: (client: unknown) => Promise<unknown>): Promise<void>;
  close(): Promise<unknown>;
}

export const paymentsSql = ({ kind, table }: PaymentPlace): string =>
  kind === 'sqlite' ? sqlitePaymentsSql(table) : postgresPaymentsSql(table);

export const openPlace = (place: PaymentPlace): OpenPlace =>
  place.kind === 'sqlite' ? openFile(place) : openServer(place);

function openFile({ at, table }: PaymentPlace): OpenPlace {
  const database = new Database(at);
  return {
    store: sqlitePayments(database, { table }),
    execute: async (sql) => database.exec(sql),
    async inTransaction(work) {
      const client = new Database(at, { timeout: 5_000 });
      try {
        client.exec('BEGIN IMMEDIATE');
        await work(client);
        client.exec('COMMIT');
      } finally {
        client.close();
      }
    },
    close: async () => database.close(),
  };
}

function openServer({ at, table, application }: PaymentPlace): OpenPlace {
  const pool = new Pool({ connectionString: at, application_name: application });
  // Tests cut connections on purpose.
  pool.on('error', () => undefined);
  return {
    store: postgresPayments(pool, { table }),
    execute: (sql) => pool.query(sql),
    async inTransaction(work) {
      const client = await pool.connect();
      let isDone = false;
      try {
        await client.query('BEGIN');
        await work(client);
        await client.query('COMMIT');
        isDone = true;
      } finally {
        // Closing the connection during a transaction rolls the transaction back.
        client.release(!isDone);
      }
    },
    close: () => pool.end(),
  };
}

/**
 * Presents a client for durable payments as if every process used one base address. In these tests, each
 * process reaches the platform through its own port.
 */
export const atOneAddress = ({ payments, submerchants, onboarding, merchant }: PaymentPlatform) => ({
  payments,
  submerchants,
  onboarding,
  merchant: { ...merchant, baseUrl: 'https://platform.example' },
});
