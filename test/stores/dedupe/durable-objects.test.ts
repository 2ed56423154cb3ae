import { durableObjectDedupe } from 'payment-platform/webhooks';
import { afterAll, beforeAll, describe } from 'vitest';
import { keepsDedupeContract } from '../../support/dedupe-contract.js';
import { miniflarePath, startMiniflare } from '../../support/miniflare.js';

describe.skipIf(miniflarePath === '')(
  'durableObjectDedupe in workerd (run by node tools/environments/main.mjs workers)',
  () => {
    let miniflare: Awaited<ReturnType<typeof startMiniflare>>;
    beforeAll(async () => {
      miniflare = await startMiniflare();
    });
    afterAll(() => miniflare?.dispose());

    keepsDedupeContract(async () =>
      durableObjectDedupe(await miniflare.getDurableObjectNamespace('DELIVERIES')),
    );
  },
);
