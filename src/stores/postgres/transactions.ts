import { StoreError } from '../../errors/store.js';
import { hasMethods } from '../../validation/record.js';
import { withQuestionMarks } from '../question-marks.js';
import type { PostgresJs, PostgresQueries } from './client.js';

/** The transaction that Drizzle passes to the callback of `db.transaction`. */
export interface DrizzleTransaction {
  /** Drizzle's own data, with the session that runs queries. */
  readonly _: { readonly session: { prepareQuery(...query: never[]): unknown } };
  /** Throws, so that the transaction is rolled back. Drizzle's root object lacks this method. */
  rollback(): never;
}

/** The transaction that Kysely passes to `db.transaction().execute`. */
export interface KyselyTransaction {
  /** Distinguishes a transaction from Kysely's root object, which has `false` here. */
  readonly isTransaction: true;
  /** Runs a compiled query. */
  executeQuery(query: never): PromiseLike<unknown>;
  /** Returns the same transaction, without plugins that rename columns. */
  withoutPlugins(): unknown;
}

/** The transaction that Knex passes to `knex.transaction`. */
export interface KnexTransaction {
  /** Runs one query with `?` as parameters. */
  raw(text: string, values: never[]): PromiseLike<unknown>;
  /** Whether the transaction has ended. Knex's root object lacks this method. */
  isCompleted(): boolean;
}

/** The transaction that Sequelize passes to `sequelize.transaction`. */
export interface SequelizeTransaction {
  /** Commits the transaction. */
  commit(): Promise<void>;
  /** Rolls the transaction back. */
  rollback(): Promise<void>;
  /** Calls a function after the commit. */
  afterCommit(hook: never): void;
}

/** The EntityManager that MikroORM passes to `em.transactional`. */
export interface MikroTransaction {
  /** Runs one query with `?` as parameters. */
  execute(text: string, values?: never[]): Promise<unknown>;
  /** Whether a transaction is open. */
  isInTransaction(): boolean;
}

/** The client that Prisma passes to `prisma.$transaction`. */
export interface PrismaTransaction {
  /** Runs one query with `$1`, `$2`, … as parameters. */
  $queryRawUnsafe(text: string, ...values: never[]): PromiseLike<unknown>;
  /**
   * Absent. Only Prisma's root object has this method. In Prisma 7, transactions also have `$transaction`.
   */
  readonly $connect?: never;
}

/**
 * An open transaction: a `pg` client after BEGIN, or the object that your library passes to its transaction
 * callback. The libraries are postgres.js, Drizzle, Kysely, Knex, TypeORM, Sequelize, MikroORM and Prisma.
 * Members of the type `never` belong to pools and root objects, which cannot hold a transaction open.
 */
export type PostgresTransaction =
  | (Pick<PostgresQueries, 'query'> & {
      /** Absent. Only `pg` pools have this property. */
      readonly totalCount?: never;
      /** Absent. Only TypeORM's `DataSource` has this property. */
      readonly createQueryRunner?: never;
    })
  | (PostgresJs & {
      /** Absent. Only the root `sql` of postgres.js has this method. */
      readonly begin?: never;
    })
  | DrizzleTransaction
  | KyselyTransaction
  | KnexTransaction
  | SequelizeTransaction
  | MikroTransaction
  | PrismaTransaction;

/** Returns the rows, or an object that has them. */
type RunQuery = (text: string, values: unknown[]) => unknown;

/** Recognises the library by the object's methods. */
export function findRunner(client: unknown): RunQuery | undefined {
  if (hasMethods(client, '$queryRawUnsafe'))
    // Prisma's engine encodes every number as an integer, regardless of the parameter's type.
    return (text, values) =>
      client.$queryRawUnsafe(
        text.replace(/(\$\d+)::(integer|double precision)/g, '$1::text::$2'),
        ...values.map((value) => (typeof value === 'number' ? String(value) : value)),
      );
  if (hasMethods(client, 'unsafe')) return (text, values) => client.unsafe(text, values);
  if (hasMethods(client, 'executeQuery', 'withoutPlugins'))
    return (sql, parameters) => {
      const query = { kind: 'RawNode', sqlFragments: [sql], parameters: [] };
      const compiled = { sql, parameters, query, queryId: { queryId: 'payment-platform' } };
      return (client.withoutPlugins() as typeof client).executeQuery(compiled);
    };
  if (hasMethods(client, 'raw', 'isCompleted'))
    return (text, values) => client.raw(...withQuestionMarks(text, values));
  if (hasMethods(client, 'execute', 'isInTransaction'))
    return (text, values) => client.execute(...withQuestionMarks(text, values));
  const { sequelize, queryRunner = client, _: drizzle } = Object(client) as Record<string, unknown>;
  if (hasMethods(client, 'afterCommit') && hasMethods(sequelize, 'query'))
    return async (text, bind) => {
      const result = await sequelize.query(text, { bind, transaction: client, raw: true });
      return (result as unknown[])[0];
    };
  // The third argument, `true`, keeps TypeORM from wrapping the rows of an UPDATE in a list.
  if (hasMethods(queryRunner, 'query', 'startTransaction'))
    return (text, values) => queryRunner.query(text, values, true);
  const { session } = Object(drizzle) as { readonly session?: unknown };
  if (hasMethods(client, 'rollback') && hasMethods(session, 'prepareQuery'))
    return (sql, params) => {
      // Drizzle's own `execute` does not accept parameters together with a string.
      const query = session.prepareQuery({ sql, params }, undefined, undefined, false);
      return (query as { execute(): unknown }).execute();
    };
  return hasMethods(client, 'query') ? (text, values) => client.query(text, values) : undefined;
}

export async function queryRows(
  client: unknown,
  text: string,
  values: unknown[],
): Promise<readonly Record<string, unknown>[]> {
  const result = await findRunner(client)?.(text, values);
  // TypeORM names the rows `records`.
  const { rows = result } = Object(result) as { readonly rows?: unknown };
  const { records = rows } = Object(rows) as { readonly records?: unknown };
  if (Array.isArray(records)) return records;
  throw new StoreError('PostgreSQL returned no rows. Pass a pool of pg or postgres.js.');
}

export async function queryRow(
  client: unknown,
  text: string,
  values: unknown[],
): Promise<Readonly<Record<string, unknown>>> {
  const [row, ...others] = await queryRows(client, text, values);
  if (row === undefined || others.length > 0)
    throw new TypeError('PostgreSQL returned no row for a statement that has one.');
  return row;
}

export async function queryResult(client: unknown, text: string, values: unknown[]): Promise<unknown> {
  return (await queryRow(client, text, values)).result;
}
