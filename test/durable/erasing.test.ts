import { createDurablePayments, memoryPayments } from 'payment-platform/durable';
import { expect, onTestFinished, test, vi } from 'vitest';
import { durable, order } from '../support/durable.js';
import { eventually } from '../support/eventually.js';

const minute = 60_000;

/** Keeps the timers of the pauses between two erasures, and returns a function that ends the next pause. */
function controlPauses() {
  const start = globalThis.setTimeout;
  const pauses: { readonly end: () => void; readonly milliseconds: number }[] = [];
  vi.stubGlobal('setTimeout', (end: () => void, milliseconds = 0) => {
    if (milliseconds < minute) return start(end, milliseconds);
    pauses.push({ end, milliseconds });
    return undefined;
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return async () => {
    await eventually(() => expect(pauses).toHaveLength(1));
    const [pause] = pauses.splice(0);
    pause?.end();
    return pause?.milliseconds;
  };
}

test('run settles due payments while it erases payloads in a slow store', async () => {
  const endPause = controlPauses();
  const store = memoryPayments();
  const { payments } = durable({ store, erasePayloadsAfter: 1 });
  await payments.create(order, { key: 'old' });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const listErasable = store.listErasable.bind(store);
  const listing = vi.spyOn(store, 'listErasable').mockImplementation(async (...values) => {
    await held;
    return listErasable(...values);
  });
  const controller = new AbortController();
  const running = payments.run({ signal: controller.signal, pollInterval: 1 });
  await endPause();
  await eventually(() => expect(listing).toHaveBeenCalledTimes(1));
  await payments.enqueue(order, { key: 'due' });
  await eventually(async () => expect((await payments.find('due'))?.state).toBe('settled'));
  release();
  await eventually(async () => expect(await payments.findPayload('old')).toBeUndefined());
  controller.abort();
  await running;
});

test('run erases payloads behind many that it cannot decrypt, which it reports again only if they double', async () => {
  const endPause = controlPauses();
  const clock = { now: Date.UTC(2026, 0, 1) };
  const store = memoryPayments({ now: () => clock.now });
  const { platform } = durable();
  const reports: unknown[] = [];
  const open = (key: number, erasePayloadsAfter?: number) =>
    createDurablePayments(platform, {
      store,
      encryptionKeys: new Uint8Array(32).fill(key),
      onError: (error, failure) => reports.push([(error as Error).message, failure]),
      ...(erasePayloadsAfter && { erasePayloadsAfter }),
    });
  const former = open(1);
  const numbers = Array.from({ length: 250 }, (_, index) => 1_000 + index);
  for (const number of numbers) await former.create(order, { key: `former-${number}` });
  const payments = open(2, minute);
  await payments.create(order, { key: 'present' });
  clock.now += 2 * minute;
  const controller = new AbortController();
  const running = payments.run({ signal: controller.signal, pollInterval: 1 });
  const listing = vi.spyOn(store, 'listErasable');
  expect(await endPause()).toBe(minute);
  await eventually(async () => expect(await payments.findPayload('present')).toBeUndefined());
  await payments.create(order, { key: 'next' });
  clock.now += 2 * minute;
  // Rows that stay are read again only after an hour.
  expect(await endPause()).toBe(60 * minute);
  await eventually(async () => expect(await payments.findPayload('next')).toBeUndefined());
  expect(reports).toEqual([
    [
      expect.stringMatching(
        /^250 payments were not erased. The first: .* former-1000 is encrypted with a key/,
      ),
      { during: 'erase', key: 'former-1000' },
    ],
  ]);
  for (const number of numbers) await former.create(order, { key: `later-${number}` });
  clock.now += 2 * minute;
  await endPause();
  await eventually(() => expect(reports).toHaveLength(2));
  expect(await former.findPayload('former-1000')).toBeDefined();
  expect(listing.mock.calls.length).toBeLessThan(20);
  controller.abort();
  await running;
});

test('run ends although a store lists the same rows for each page, because it ignores `after`', async () => {
  const endPause = controlPauses();
  const store = memoryPayments();
  const { platform } = durable();
  const open = (key: number, more: object) =>
    createDurablePayments(platform, {
      store,
      encryptionKeys: new Uint8Array(32).fill(key),
      onError: () => undefined,
      ...more,
    });
  for (let number = 0; number < 100; number++) await open(1, {}).create(order, { key: `order-${number}` });
  const listErasable = store.listErasable.bind(store);
  const listing = vi
    .spyOn(store, 'listErasable')
    .mockImplementation((of, _, limit) => listErasable(of, -1_000, limit));
  const controller = new AbortController();
  const running = open(2, { erasePayloadsAfter: 1 }).run({ signal: controller.signal, pollInterval: 1 });
  await endPause();
  await endPause();
  expect(listing).toHaveBeenCalledTimes(2);
  controller.abort();
  await running;
});
