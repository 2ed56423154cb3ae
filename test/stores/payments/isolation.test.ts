import { fork } from 'node:child_process';
import { once } from 'node:events';
import { postgresPaymentsSql } from 'payment-platform/durable';
import { createSandbox } from 'payment-platform/sandbox';
import { postgresDedupeSql } from 'payment-platform/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { bundledScript } from '../../support/bundled-script.js';
import { postgresPool, postgresSchema, postgresUrl } from '../../support/postgres.js';
import type { SerializableShop, ShopReport } from '../../support/serializable-shop.js';

const keys = Array.from({ length: 200 }, (_, index) => `order-${index}`);

test.skipIf(postgresUrl === '').each([
  ['serializable', false],
  ['serializable', true],
  ['repeatable read', false],
])(
  'at the isolation level %s (in a transaction: %s), three processes handle 200 payments exactly once (needs POSTGRES_URL) (row 85)',
  async (isolation, transaction) => {
    const script = await bundledScript(new URL('../../support/serializable-shop.ts', import.meta.url));
    const { schema, createSchema, removeSchema } = postgresSchema();
    await createSchema();
    const { pool, close } = postgresPool({ max: 1 });
    onTestFinished(() => close().then(removeSchema));
    await pool.query(`${postgresPaymentsSql(`${schema}.payments`)}${postgresDedupeSql(`${schema}.deliveries`)}
CREATE TABLE ${schema}.handled (id text)`);
    const sandbox = createSandbox({ rateLimits: false });
    onTestFinished(() => sandbox.close());
    const server = await sandbox.listen({ allowedHosts: ['127.0.0.1'] });
    const platform = { ...server.clientOptions(), baseUrl: `http://127.0.0.1:${server.port}` };
    const shop: SerializableShop = { url: postgresUrl, schema, isolation, platform, keys, transaction };
    const processes = [1, 2, 3].map(() => fork(script, [JSON.stringify(shop)], { execArgv: [] }));
    onTestFinished(() => {
      for (const child of processes) child.kill('SIGKILL');
    });
    await Promise.all(processes.map((child) => once(child, 'message')));
    const reports = Promise.all(processes.map((child) => once(child, 'message')));
    for (const child of processes) child.send('go');
    for (const [report] of await reports) {
      const { errors, outcomes } = report as ShopReport;
      expect(errors).toEqual([]);
      expect(outcomes.filter((outcome) => outcome !== 'handled' && outcome !== 'duplicate')).toEqual([]);
    }
    const { rows } = await pool.query(
      `SELECT count(*)::integer AS all, count(DISTINCT id)::integer AS ids FROM ${schema}.handled`,
    );
    expect(rows).toEqual([{ all: 200, ids: 200 }]);
    const settled = await pool.query(`SELECT key FROM ${schema}.payments WHERE state = 'settled'`);
    expect(settled.rows).toHaveLength(200);
    expect(sandbox.ledger.charges).toHaveLength(200);
  },
);
