import { d1Dedupe, sqliteDedupeSql } from 'payment-platform/webhooks';
import { afterAll, beforeAll, describe } from 'vitest';
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

    keepsDedupeContract(async () => d1Dedupe(await miniflare.getD1Database('DB')));
  },
);
