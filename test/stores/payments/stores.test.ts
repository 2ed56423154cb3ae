import { paymentStoreChecks } from 'payment-platform/testing';
import { describe, test } from 'vitest';
import { paymentStores } from '../../support/payment-stores.js';

describe.each(paymentStores)('the payment store $name', ({ isThere, open }) => {
  test.skipIf(!isThere).each(paymentStoreChecks.map((check) => [check.name, check] as const))(
    '%s',
    async (_, { run }) => {
      const { store, close } = await open();
      try {
        await run(store);
      } finally {
        await close();
      }
    },
  );
});
