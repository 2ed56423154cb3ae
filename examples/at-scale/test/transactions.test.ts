import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Pool } from 'pg';
import type PgBoss from 'pg-boss';
import postgres, { type TransactionSql } from 'postgres';
import { createRetriedQueue } from '../boss.js';
import { markAsPaid, startQueues, tasks } from '../outbox/tasks.js';
import { closesAfter, missing } from './engines.js';
import { newShop } from './inboxes.js';

const kyselyDb = (client: Transaction<unknown>) => ({
  executeSql: async (text: string, values: unknown[]) => ({
    rows: [...(await client.executeQuery(CompiledQuery.raw(text, values))).rows],
  }),
});

const postgresJsDb = (client: TransactionSql) => ({
  executeSql: async (text: string, values: (string | null | undefined)[]) => ({
    rows: await client.unsafe(
      text,
      values.map((value) => value ?? null),
    ),
  }),
});

interface Library {
  run(work: (db: PgBoss.Db) => Promise<unknown>): Promise<unknown>;
  close(): Promise<unknown>;
}

const libraries: Readonly<Record<string, (url: string) => Library>> = {
  Kysely: (url) => {
    const orm = new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: url }) }) });
    return {
      run: (work) => orm.transaction().execute((client) => work(kyselyDb(client))),
      close: () => orm.destroy(),
    };
  },
  'postgres.js': (url) => {
    const sql = postgres(url);
    return { run: (work) => sql.begin((client) => work(postgresJsDb(client))), close: () => sql.end() };
  },
};

async function open(t: TestContext) {
  const after = closesAfter(t);
  const { pool, url } = await newShop(after, 2);
  const boss = await startQueues(url);
  after(() => boss.stop({ graceful: false }));
  const jobs = async () =>
    (await pool.query('SELECT name, data FROM pgboss.job WHERE name = ANY($1) ORDER BY name', [tasks])).rows;
  const paid = async () =>
    (await pool.query('SELECT id FROM orders WHERE paid_at IS NOT NULL')).rows.map(({ id }) => id);
  return { after, pool, url, boss, jobs, paid };
}

for (const [name, connect] of Object.entries(libraries))
  test(`pg-boss sends jobs in a transaction of ${name}`, { skip: missing('POSTGRES_URL') }, async (t) => {
    const { after, url, boss, jobs, paid } = await open(t);
    const library = connect(url);
    after(() => library.close());
    const pay = (order: string) => async (db: PgBoss.Db) => {
      await db.executeSql('UPDATE orders SET paid_at = now() WHERE id = $1', [order]);
      assert.notEqual(await boss.send('mail', { order }, { db }), null);
    };
    await library.run(pay('order-1'));
    await assert.rejects(
      library.run(async (db) => {
        await pay('order-2')(db);
        throw new Error('rolled back');
      }),
      /rolled back/,
    );
    assert.deepEqual(
      [await jobs(), await paid()],
      [[{ name: 'mail', data: { order: 'order-1' } }], ['order-1']],
    );
  });

test('an order that is unknown, already paid or without a queue gets no job', {
  skip: missing('POSTGRES_URL'),
}, async (t) => {
  const { pool, boss, jobs, paid } = await open(t);
  const pay = async (order: string) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await markAsPaid(client, boss, order);
      await client.query('COMMIT');
    } finally {
      client.release(true);
    }
  };
  await boss.deleteQueue('shipping');
  await assert.rejects(pay('order-1'), /The queue shipping does not exist/);
  assert.deepEqual([await jobs(), await paid()], [[], []]);
  await createRetriedQueue(boss, 'shipping');

  await assert.rejects(pay('order-unknown'), /The order order-unknown does not exist/);
  await pay('order-1');
  await pay('order-1');
  const three = tasks
    .map((task) => ({ name: task, data: { order: 'order-1' } }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  assert.deepEqual([await jobs(), await paid()], [three, ['order-1']]);
});
