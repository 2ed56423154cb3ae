import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { PaymentStore } from '../../src/durable/index.js';
import { Failure } from './failure.js';

interface Table {
  readonly name: string;
  readonly sql: string;
}

export interface Database {
  /** Without its user and password. */
  readonly address: string;
  readonly store: PaymentStore<never>;
  readonly tables: readonly Table[];
  readonly run: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Undefined if the table does not exist. */
  readonly findVersion: (table: Table) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

const missingUrl =
  'Pass the database of your application as --database-url, or set DATABASE_URL, or databaseUrl in the configuration file: postgres://… or the path of a SQLite file.';

/**
 * Uses the driver that the project in the current folder has installed.
 *
 * @param table default: the default table of payments
 */
export async function openDatabase(url: string | undefined, table: string | undefined): Promise<Database> {
  const address = url?.trim() ?? '';
  if (address === '') throw new Failure(missingUrl);
  try {
    return await (/^postgres(?:ql)?:/i.test(address)
      ? openPostgres(address, table)
      : openSqlite(address, table));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure((error as Error).message);
  }
}

interface PostgresModule {
  readonly Pool?: new (
    options: object,
  ) => {
    query(text: string): Promise<{ readonly rows: never[] }>;
    on(event: 'error', listener: () => void): void;
    end(): Promise<void>;
  };
  (url: string, options: object): { unsafe(text: string): Promise<never[]>; end(): Promise<void> };
}

async function openPostgres(url: string, table: string | undefined): Promise<Database> {
  const { postgresPayments, postgresPaymentsSql } = await import('../../src/durable/index.js');
  const { postgresDedupeSql } = await import('../../src/webhooks/index.js');
  const { hostname, port, pathname } = parseUrl(url);
  const driver = await loadFirst<PostgresModule>(['pg', 'postgres']);
  const options = table === undefined ? {} : { table };
  const tables = [
    { name: table ?? 'payment_platform.payments', sql: postgresPaymentsSql(table) },
    { name: 'payment_platform.deliveries', sql: postgresDedupeSql() },
  ];
  const described = { address: `${hostname}:${port || 5432}${pathname}`, tables };
  const findVersion = async (run: Database['run'], { name }: Table) => {
    const [row] = await run(
      `SELECT coalesce(obj_description(to_regclass('${name}')), 'an older version') AS version WHERE to_regclass('${name}') IS NOT NULL`,
    );
    return row === undefined ? undefined : String(row.version).replace('payment-platform: ', '');
  };
  if (driver.Pool !== undefined) {
    const pool = new driver.Pool({ connectionString: url, max: 2 });
    pool.on('error', () => undefined);
    const run = async (sql: string) => (await pool.query(sql)).rows ?? [];
    const store = postgresPayments(pool as never, options);
    return { ...described, store, run, findVersion: (one) => findVersion(run, one), close: () => pool.end() };
  }
  const sql = driver(url, { max: 2, onnotice: () => undefined });
  const run = (text: string) => sql.unsafe(text);
  const store = postgresPayments(sql as never, options);
  return { ...described, store, run, findVersion: (one) => findVersion(run, one), close: () => sql.end() };
}

function parseUrl(url: string): URL {
  try {
    return new URL(url);
  } catch {
    throw new Failure('The database URL is not a URL. Encode special characters of its password.');
  }
}

const noFile =
  'The database URL is neither postgres://… nor the path of a SQLite file that exists. Write it without quotes.';

interface SqliteDriver {
  exec(sql: string): unknown;
  prepare(sql: string): { all(): never[] };
  close(): void;
}

async function openSqlite(url: string, table: string | undefined): Promise<Database> {
  const { sqlitePayments, sqlitePaymentsSql } = await import('../../src/durable/index.js');
  const { sqliteDedupeSql } = await import('../../src/webhooks/index.js');
  const path = url.startsWith('file://') ? fileURLToPath(url) : url.replace(/^(?:file|sqlite):/, '');
  // The path is not printed, because it can be another database's URL with a password.
  if (!existsSync(path)) throw new Failure(noFile);
  const driver = await loadFirst<Record<string, new (path: string) => SqliteDriver>>([
    'better-sqlite3',
    'libsql',
    'node:sqlite',
  ]);
  const Driver = driver.DatabaseSync ?? driver.default ?? driver;
  const database = new (Driver as new (path: string) => SqliteDriver)(path);
  const run = async (sql: string) => {
    if (sql.startsWith('SELECT')) return database.prepare(sql).all();
    database.exec(sql);
    return [];
  };
  const findVersion = async ({ name }: Table) => {
    const [row] = await run(`SELECT name FROM sqlite_master WHERE name = '${name}'`);
    return row === undefined ? undefined : 'without a version';
  };
  return {
    address: path,
    store: sqlitePayments(database as never, table === undefined ? {} : { table }),
    tables: [
      { name: table ?? 'payment_platform_payments', sql: sqlitePaymentsSql(table) },
      { name: 'payment_platform_deliveries', sql: sqliteDedupeSql() },
    ],
    run,
    findVersion,
    close: async () => database.close(),
  };
}

async function loadFirst<Module>(names: readonly string[]): Promise<Module> {
  const project = createRequire(join(process.cwd(), 'package.json'));
  for (const name of names) {
    try {
      const path = name.startsWith('node:') ? name : pathToFileURL(project.resolve(name)).href;
      const loaded = (await import(path)) as { readonly default?: unknown };
      return (loaded.default ?? loaded) as Module;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_UNKNOWN_BUILTIN_MODULE') throw error;
    }
  }
  throw new Failure(
    `The project in ${process.cwd()} has none of ${names.join(', ')}. Run the command in the folder of your application.`,
  );
}
