import 'reflect-metadata';
import { EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { PrismaPg } from '@prisma/adapter-pg';
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOverPostgresJs } from 'drizzle-orm/postgres-js';
import knex from 'knex';
import { CamelCasePlugin, Kysely, sql as kyselySql, ParseJSONResultsPlugin, PostgresDialect } from 'kysely';
import type { PostgresTransaction } from 'payment-platform/durable';
import { Pool } from 'pg';
import postgres from 'postgres';
import { Sequelize } from 'sequelize';
import { DataSource } from 'typeorm';
import { runInTransaction } from '../../support/postgres.js';
import { type Prisma, PrismaClient } from './prisma-client.js';

/** A database behind a merchant's library. */
export interface Orm {
  /** Runs work in a transaction, which an error from the work rolls back. */
  transaction(work: (client: PostgresTransaction, query: Query) => Promise<unknown>): Promise<unknown>;
  /** The library's root object, which holds connections and no open transaction. */
  readonly root: unknown;
  close(): Promise<unknown>;
}

/**
 * Creates a pool whose connections have an error listener. Without one, a connection that the server ends during
 * a transaction ends the process.
 */
function createPool(url: string): Pool {
  const pool = new Pool({ connectionString: url });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Runs a statement in the transaction through the library. */
export type Query = (text: string) => PromiseLike<unknown>;

/** Connects with each library as merchants do, and opens a transaction. */
export const orms: Readonly<Record<string, (url: string) => Promise<Orm>>> = {
  async pg(url) {
    const pool = createPool(url);
    return {
      root: pool,
      transaction: (work) => runInTransaction(pool, (client) => work(client, (text) => client.query(text))),
      close: () => pool.end(),
    };
  },

  async 'postgres.js'(url) {
    const sql = postgres(url, { onnotice: () => undefined });
    return {
      root: sql,
      transaction: (work) => sql.begin((client) => work(client, (text) => client.unsafe(text))),
      // Without a limit, `end` waits for ever once the server has ended a connection.
      close: () => sql.end({ timeout: 1 }),
    };
  },

  async 'Drizzle over pg'(url) {
    const pool = createPool(url);
    const db = drizzle(pool);
    return {
      root: db,
      transaction: (work) =>
        db.transaction((client) => work(client, (text) => client.execute(drizzleSql.raw(text)))),
      close: () => pool.end(),
    };
  },

  async 'Drizzle over postgres.js'(url) {
    const sql = postgres(url, { onnotice: () => undefined });
    const db = drizzleOverPostgresJs(sql);
    return {
      root: db,
      transaction: (work) =>
        db.transaction((client) => work(client, (text) => client.execute(drizzleSql.raw(text)))),
      // Without a limit, `end` waits for ever once the server has ended a connection.
      close: () => sql.end({ timeout: 1 }),
    };
  },

  async Kysely(url) {
    // These plugins rename every result's columns, and parse strings that look like JSON.
    const db = new Kysely<unknown>({
      dialect: new PostgresDialect({ pool: createPool(url) }),
      plugins: [new CamelCasePlugin(), new ParseJSONResultsPlugin()],
    });
    return {
      root: db,
      transaction: (work) =>
        db.transaction().execute((client) => work(client, (text) => kyselySql.raw(text).execute(client))),
      close: () => db.destroy(),
    };
  },

  async Knex(url) {
    const db = knex({ client: 'pg', connection: url });
    return {
      root: db,
      transaction: (work) => db.transaction((client) => work(client, (text) => client.raw(text))),
      close: () => db.destroy(),
    };
  },

  async 'TypeORM, EntityManager'(url) {
    const source = await new DataSource({ type: 'postgres', url }).initialize();
    return {
      root: source.manager,
      transaction: (work) => source.transaction((manager) => work(manager, (text) => manager.query(text))),
      close: () => source.destroy(),
    };
  },

  async 'TypeORM, QueryRunner'(url) {
    const source = await new DataSource({ type: 'postgres', url }).initialize();
    return {
      root: source,
      async transaction(work) {
        const runner = source.createQueryRunner();
        await runner.startTransaction();
        try {
          await work(runner, (text) => runner.query(text));
          await runner.commitTransaction();
        } catch (error) {
          await runner.rollbackTransaction();
          throw error;
        } finally {
          await runner.release();
        }
      },
      close: () => source.destroy(),
    };
  },

  async Sequelize(url) {
    const sequelize = new Sequelize(url, { logging: false });
    return {
      root: sequelize,
      transaction: (work) =>
        sequelize.transaction((transaction) =>
          work(transaction, (text) => sequelize.query(text, { transaction })),
        ),
      close: () => sequelize.close(),
    };
  },

  async MikroORM(url) {
    const order = new EntitySchema({ name: 'Order', properties: { id: { type: 'string', primary: true } } });
    const orm = await MikroORM.init({ clientUrl: url, entities: [order] });
    return {
      root: orm.em.fork(),
      transaction: (work) => orm.em.fork().transactional((em) => work(em, (text) => em.execute(text))),
      close: () => orm.close(),
    };
  },

  async Prisma(url) {
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
    return {
      root: prisma,
      transaction: (work) =>
        prisma.$transaction((client: Prisma.TransactionClient) =>
          work(client, (text) => client.$queryRawUnsafe(text)),
        ),
      close: () => prisma.$disconnect(),
    };
  },

  /** Imitates Prisma 6 and earlier, whose native engine encodes numbers differently. */
  async 'Prisma 6 (imitated)'(url) {
    const pool = createPool(url);
    const query = async (on: Pick<Pool, 'query'>, text: string, values: unknown[]) => {
      // Prisma encodes a number by its value, but PostgreSQL expects the parameter's type.
      if (values.some((value) => typeof value === 'number')) throw new Error('incorrect binary data format');
      try {
        return (await on.query(text, values)).rows;
      } catch (cause) {
        const { code, message } = cause as Error & { code: string };
        throw Object.assign(new Error(`Raw query failed. Code: ${code}`), {
          code: 'P2010',
          meta: { code, message },
        });
      }
    };
    return {
      root: {
        $queryRawUnsafe: (text: string, ...values: unknown[]) => query(pool, text, values),
        $transaction: () => undefined,
      },
      async transaction(work) {
        const client = await pool.connect();
        try {
          await client.query('BEGIN');
          const transaction = {
            $queryRawUnsafe: (text: string, ...values: unknown[]) => query(client as never, text, values),
          };
          await work(transaction, (text) => transaction.$queryRawUnsafe(text));
          await client.query('COMMIT');
        } catch (error) {
          await client.query('ROLLBACK');
          throw error;
        } finally {
          client.release();
        }
      },
      close: () => pool.end(),
    };
  },
};
