import { readFileSync } from 'node:fs';
import { d1Dedupe, sqliteDedupeSql } from 'payment-platform/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepsDedupeContract } from '../../support/dedupe-contract.js';
import { miniflarePath, startMiniflare } from '../../support/miniflare.js';

describe.skipIf(miniflarePath === '')(
  'd1Dedupe in workerd (run by node tools/environments/main.mjs workers)',
  () => {
    let miniflare: Awaited<ReturnType<typeof startMiniflare>>;
    beforeAll(async () => {
      miniflare = await startMiniflare();
      await (await miniflare.getD1Database('DB')).exec(sqliteDedupeSql());
    });
    afterAll(() => miniflare?.dispose());

    test('the D1 batch of docs/exactly-once.md ships each of fifty orders once, however often it runs', async () => {
      const page = readFileSync('docs/exactly-once.md', 'utf8');
      const statements = ['ship', 'pay'].map(
        (name) => new RegExp(`^const ${name} = \`(.+)\`;$`, 'm').exec(page)?.[1],
      );
      const database = await miniflare.getD1Database('DB');
      const run = (sql = '', ...values: string[]) => database.prepare(sql).bind(...values);
      const ids = Array.from({ length: 50 }, (_, index) => `order-${index}`);
      await database.exec('CREATE TABLE orders (id TEXT PRIMARY KEY, paid_at TEXT)');
      await database.exec('CREATE TABLE shipments (order_id TEXT)');
      await database.batch(ids.map((id) => run('INSERT INTO orders (id) VALUES (?)', id)));
      // Fifty at a time, because D1 rejects a statement that waits for half a minute.
      for (let from = 0; from < ids.length; from += 5) {
        const deliveries = Array.from({ length: 10 }, () => ids.slice(from, from + 5)).flat();
        await Promise.all(deliveries.map((id) => database.batch(statements.map((sql) => run(sql, id)))));
      }
      const { results } = await run('SELECT order_id FROM shipments ORDER BY order_id').all();
      expect(results).toEqual(ids.sort().map((order_id) => ({ order_id })));
    });

    keepsDedupeContract(async () => d1Dedupe(await miniflare.getD1Database('DB')));
  },
);
