import { EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { postgresDedupe } from 'payment-platform/webhooks';
import { DataSource } from 'typeorm';
import { expect, test } from 'vitest';
import { claim, defaultTables, key } from '../../support/default-tables.js';
import { postgresUrl } from '../../support/postgres.js';

test.skipIf(postgresUrl === '').each<[string, (url: string) => Promise<void>]>([
  [
    'MikroORM’s schema update with ignoreSchema',
    async (url) => {
      const entity = new EntitySchema({
        name: 'Order',
        properties: { id: { type: 'string', primary: true } },
      });
      const schemaGenerator = { ignoreSchema: ['payment_platform'] };
      const orm = await MikroORM.init({ clientUrl: url, entities: [entity], schemaGenerator });
      await orm.schema.updateSchema();
      await orm.close();
    },
  ],
  [
    'TypeORM’s synchronize',
    async (url) => {
      const source = await new DataSource({ type: 'postgres', url, synchronize: true }).initialize();
      await source.destroy();
    },
  ],
])('the default tables in PostgreSQL survive %s, with their rows (needs POSTGRES_URL)', async (_, update) => {
  const { url, pool, payments } = await defaultTables();
  await update(url);
  expect(await payments.find(key)).toMatchObject({ state: 'recorded' });
  expect(await postgresDedupe(pool).claim('delivery', 60_000, { ...claim, holder: 'c' })).toBe('busy');
});
