import { randomUUID } from 'node:crypto';
import { createReceiver, type DedupeStore, sign } from 'payment-platform/webhooks';
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually } from './eventually.js';

const secret = 'whsec_0123456789abcdef';
export const minute = 60_000;
/** A delay in milliseconds that tests can wait when no event has to happen first. */
const soon = 60;
/** A delay in milliseconds that is long enough for progress even on a slow machine. */
const later = 1_500;

/** Creates the holder of a claim, and the digest of a delivery's body. */
export const worker = (digest = 'digest of the body') => ({ holder: randomUUID(), digest });

/** Resolves when a lease that starts now has expired by the store's clock. */
async function leaseToPass(store: DedupeStore<unknown>, lease = soon) {
  const witness = randomUUID();
  expect(await store.claim(witness, lease, worker())).toBe('claimed');
  await claimed(store, witness);
}

/** Claims an id as soon as its claim expires, and returns the new holder. */
async function claimed(store: DedupeStore<unknown>, id: string, lease = minute) {
  const next = worker();
  await vi.waitFor(async () => expect(await store.claim(id, lease, next)).toBe('claimed'), {
    timeout: 120_000,
    interval: 5,
  });
  return next;
}

/**
 * Checks what receivers expect of every dedupe store, over real time and without control of the store's clock.
 *
 * @param open opens a store, for each test, over an engine that other tests can use at the same time
 */
export function keepsDedupeContract(open: () => Promise<DedupeStore<unknown>>) {
  let store: DedupeStore<unknown>;
  let id: string;
  beforeEach(async () => {
    store = await open();
    id = randomUUID();
  });

  test('a dedupe store’s claim returns "claimed" once, then "busy", then "done", and "changed" for a different body', async () => {
    const [one, other] = [worker(), worker()];
    expect(await store.claim(id, minute, one)).toBe('claimed');
    expect(await store.claim(id, minute, other)).toBe('busy');
    await store.complete(id, minute, one);
    expect(await store.claim(id, minute, other)).toBe('done');
    expect(await store.claim(id, minute, one)).toBe('done');
    expect(await store.claim(id, minute, worker('digest of another body'))).toBe('changed');
    expect(await store.claim(randomUUID(), minute, other)).toBe('claimed');
  });

  test('a dedupe store grants a claim again to the same holder', async () => {
    const one = worker();
    expect(await store.claim(id, minute, one)).toBe('claimed');
    expect(await store.claim(id, minute, one)).toBe('claimed');
    expect(await store.claim(id, minute, worker())).toBe('busy');
  });

  test('a dedupe store ends a claim after its lease, and forgets a completed delivery after keepFor', async () => {
    const one = worker();
    expect(await store.claim(id, soon, one)).toBe('claimed');
    const next = await claimed(store, id);
    expect(await store.claim(id, minute, one)).toBe('busy');
    await store.complete(id, soon, next);
    await claimed(store, id);
  });

  test('a dedupe store lets only the holder release a claim, and never releases a completed delivery', async () => {
    const [one, other] = [worker(), worker()];
    expect(await store.claim(id, minute, one)).toBe('claimed');
    await store.release(id, other);
    expect(await store.claim(id, minute, other)).toBe('busy');
    await store.release(id, one);
    expect(await store.claim(id, minute, other)).toBe('claimed');
    await store.release(id, one);
    expect(await store.claim(id, minute, one)).toBe('busy');
    await store.complete(id, minute, other);
    await store.release(id, other);
    expect(await store.claim(id, minute, one)).toBe('done');
    await store.release(randomUUID(), one);
  });

  test('a dedupe store lets only the holder extend a claim', async () => {
    const [one, stranger] = [worker(), worker()];
    const foreign = randomUUID();
    expect(await store.claim(id, later, one)).toBe('claimed');
    expect(await store.claim(foreign, later, one)).toBe('claimed');
    await store.renew?.(id, minute, one);
    await store.renew?.(foreign, minute, stranger);
    await leaseToPass(store, later);
    expect(await store.claim(id, minute, stranger)).toBe('busy');
    expect(await store.claim(foreign, minute, stranger)).toBe('claimed');
  });

  test('a dedupe store keeps a delivery completed even if its claim is renewed afterwards', async () => {
    const one = worker();
    await store.claim(id, minute, one);
    await store.complete(id, minute, one);
    await store.renew?.(id, 1, one);
    await leaseToPass(store);
    expect(await store.claim(id, minute, worker())).toBe('done');
    await store.renew?.(randomUUID(), minute, one);
  });

  test('a dedupe store extends a claim if the same holder claims again', async () => {
    const one = worker();
    expect(await store.claim(id, later, one)).toBe('claimed');
    expect(await store.claim(id, minute, one)).toBe('claimed');
    await leaseToPass(store, later);
    expect(await store.claim(id, minute, worker())).toBe('busy');
  });

  test('a dedupe store renews or completes a lost claim only if no other worker holds it (row 71)', async () => {
    const [one, other] = [worker(), worker()];
    expect(await store.renew?.(id, minute, one)).toBe(true);
    expect(await store.claim(id, minute, other)).toBe('busy');
    const forgotten = randomUUID();
    expect(await store.complete(forgotten, minute, one)).toBe(true);
    expect(await store.claim(forgotten, minute, other)).toBe('done');
    const expired = randomUUID();
    await store.claim(expired, soon, other);
    await leaseToPass(store);
    expect(await store.renew?.(expired, minute, one)).toBe(true);
    expect(await store.claim(expired, minute, other)).toBe('busy');
  });

  test('a dedupe store neither renews nor completes a claim that another worker holds (row 71)', async () => {
    const one = worker();
    expect(await store.claim(id, soon, one)).toBe('claimed');
    const other = await claimed(store, id);
    expect(await store.renew?.(id, minute, one)).toBe(false);
    expect(await store.complete(id, minute, one)).toBe(false);
    await store.release(id, one);
    expect(await store.claim(id, minute, worker())).toBe('busy');
    expect(await store.complete(id, minute, other)).toBe(true);
    // The previous holder has also run the effect, and must learn that another holder completed the delivery.
    expect(await store.complete(id, minute, one)).toBe(false);
    expect(await store.renew?.(id, minute, one)).toBe(false);
    expect(await store.claim(id, minute, worker())).toBe('done');
  });

  test('a dedupe store accepts a second completion by the same holder', async () => {
    const one = worker();
    await store.claim(id, minute, one);
    expect(await store.complete(id, minute, one)).toBe(true);
    expect(await store.complete(id, minute, one)).toBe(true);
    await store.release(id, one);
    expect(await store.claim(id, minute, worker())).toBe('done');
  });

  test('a dedupe store never lowers a payment’s status rank before the rank expires', async () => {
    const advance = (rank: number, keepFor = minute) => store.advance?.(id, rank, keepFor);
    expect(await advance(0)).toBe(true);
    expect(await advance(3)).toBe(true);
    expect(await advance(1)).toBe(false);
    expect(await advance(3)).toBe(true);
    expect(await advance(4, later)).toBe(true);
    expect(await advance(3)).toBe(false);
    expect(await store.advance?.(randomUUID(), 1, minute)).toBe(true);
    await eventually(async () => expect(await advance(1)).toBe(true));
    expect(await advance(0)).toBe(false);
  });

  test('a dedupe store does not confuse a payment’s status rank with a delivery of the same id', async () => {
    expect(await store.advance?.(id, 3, minute)).toBe(true);
    const one = worker();
    expect(await store.claim(id, minute, one)).toBe('claimed');
    await store.complete(id, minute, one);
    expect(await store.advance?.(id, 2, minute)).toBe(false);
    expect(await store.claim(id, minute, worker())).toBe('done');
  });

  const fifty = Array.from({ length: 50 }, (_, index) => index);

  test('a dedupe store grants only one of fifty simultaneous claims, even after an expired claim', async () => {
    const all = () => Promise.all(fifty.map(() => store.claim(id, minute, worker())));
    const oneOfFifty = ['claimed', ...Array.from({ length: 49 }, () => 'busy')].sort();
    expect((await all()).sort()).toEqual(oneOfFifty);
    const expired = randomUUID();
    await store.claim(expired, 1, worker());
    await leaseToPass(store);
    id = expired;
    expect((await all()).sort()).toEqual(oneOfFifty);
  });

  test('a dedupe store keeps the highest of fifty status ranks that are written simultaneously', async () => {
    await Promise.all(
      fifty.toSorted(() => Math.random() - 0.5).map((rank) => store.advance?.(id, rank, minute)),
    );
    expect(await store.advance?.(id, 48, minute)).toBe(false);
    expect(await store.advance?.(id, 49, minute)).toBe(true);
  });

  test('a dedupe store does not confuse similar ids, or ids that look like its own keys', async () => {
    const names = [
      'a\0b',
      'a\0c',
      'a',
      `'; DROP TABLE payment_platform_deliveries; --`,
      `"quoted"`,
      '\\u0000',
      '\ud83d\ude00',
      '\ud83d',
      '\ud83e',
      'x'.repeat(200),
      `${'x'.repeat(200)}y`,
      'ç'.repeat(5_000),
      'order:a',
      '$1',
      '{tag}',
      'claimed:',
      '*',
    ];
    const handled: string[] = [];
    const receiver = createReceiver({
      secret,
      dedupe: store,
      order: 'forward-only',
      identity: ({ externalReference }) => `${id}${externalReference}`,
      on: {
        'transaction.paid': (event) => void handled.push(String(event.externalReference)),
        'transaction.waiting_payment': () => expect.unreachable(),
      },
      onError: (error) => expect.unreachable(String(error)),
    });
    const deliver = async (event: string, name: string, more = '') => {
      const body = JSON.stringify({ event, id: `${id}${name}`, externalReference: `${name}${more}` });
      return (await receiver.receive({ body, headers: sign({ body, secret }) })).outcome;
    };
    for (const name of names)
      expect([name, await deliver('transaction.paid', name)]).toEqual([name, 'handled']);
    expect(handled).toEqual(names);
    for (const name of names) expect(await deliver('transaction.paid', name)).toBe('duplicate');
    for (const name of names)
      expect(await deliver('transaction.waiting_payment', name, 'before')).toBe('outdated');
  });

  test('a receiver releases its claim if the store’s response to the claim was lost', async () => {
    let isLost = true;
    const onError = vi.fn();
    const release = vi.fn(store.release.bind(store));
    const receiver = createReceiver({
      secret,
      dedupe: {
        claim: async (...claim) => {
          const outcome = await store.claim(...claim);
          if (!isLost) return outcome;
          isLost = false;
          throw new Error('connection lost');
        },
        complete: store.complete.bind(store),
        release,
      },
      on: { 'transaction.paid': () => undefined },
      onError,
    });
    const body = JSON.stringify({ event: 'transaction.paid', id });
    const deliver = async () => (await receiver.receive({ body, headers: sign({ body, secret }) })).outcome;
    expect(await deliver()).toBe('unavailable');
    expect(onError).toHaveBeenCalledOnce();
    await eventually(() => expect(release).toHaveResolved());
    expect(await deliver()).toBe('handled');
  });
}
