import { memoryDedupe } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { keepsDedupeContract, minute, worker } from '../../support/dedupe-contract.js';

describe('memoryDedupe', () => {
  keepsDedupeContract(async () => memoryDedupe());

  test('forgets the oldest completed deliveries, but no delivery that is still being handled', async () => {
    const store = memoryDedupe({ maxEntries: 3 });
    const one = worker();
    for (const id of ['1', '2', '3']) expect(await store.claim(id, minute, one)).toBe('claimed');
    expect(await store.claim('4', minute, one)).toBe('busy');
    await store.complete('2', minute, one);
    expect(await store.claim('4', minute, one)).toBe('claimed');
    expect(await store.claim('1', minute, worker())).toBe('busy');
    expect(await store.claim('2', minute, worker())).toBe('busy');
    await store.complete('1', minute, one);
    expect(await store.claim('2', minute, worker())).toBe('claimed');
  });
});
