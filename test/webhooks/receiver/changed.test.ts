import type { WebhookEvent } from 'payment-platform/webhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deferred, delivered, paid, receiverWith, storeWith } from './deliveries.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a second notification with the same id and a different body (row 75)', () => {
  const refunded = (amount: number) => delivered({ ...paid, amount });
  const getId = ({ id }: WebhookEvent) => String(id);

  test("is handled once with changed: 'deliver', as a notification with its own identity", async () => {
    const handler = vi.fn();
    const hooks = { onChanged: vi.fn(), onDuplicate: vi.fn() };
    const on = { 'transaction.paid': handler };
    const { receiver, onError } = receiverWith({ on, changed: 'deliver', ...hooks });
    for (const amount of [500, 700, 500, 700, 500])
      expect(await receiver.receive(refunded(amount))).toMatchObject({ status: 200 });
    expect(handler.mock.calls.map(([{ amount }, { changed }]) => [amount, changed])).toEqual([
      [500, false],
      [700, true],
    ]);
    const [first, second] = handler.mock.calls.map(([, delivery]) => delivery.id);
    expect(second).toMatch(/^[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
    expect(hooks.onChanged.mock.calls).toEqual([[{ ...paid, amount: 700 }, expect.anything()]]);
    expect(hooks.onDuplicate).toHaveBeenCalledTimes(3);
    expect(onError).not.toHaveBeenCalled();
  });

  test("is handled again with changed: 'deliver' if its handler failed", async () => {
    const handler = vi
      .fn()
      .mockReturnValueOnce(undefined)
      .mockImplementationOnce(() => Promise.reject(new Error('no stock')));
    const { receiver } = receiverWith({ on: { 'transaction.paid': handler }, changed: 'deliver' });
    await receiver.receive(refunded(500));
    expect(await receiver.receive(refunded(700))).toMatchObject({ status: 500 });
    expect(await receiver.receive(refunded(700))).toMatchObject({ outcome: 'handled' });
    expect(await receiver.receive(refunded(700))).toMatchObject({ outcome: 'duplicate' });
    expect(handler).toHaveBeenCalledTimes(3);
  });

  test('gets a 503 while the first notification is being handled', async () => {
    const work = deferred();
    const on = { 'transaction.paid': () => work.promise };
    const { receiver } = receiverWith({ on, changed: 'deliver' });
    const first = receiver.receive(refunded(500));
    expect(await receiver.receive(refunded(700))).toMatchObject({ status: 503, outcome: 'busy' });
    work.resolve();
    await first;
    expect(await receiver.receive(refunded(700))).toMatchObject({ outcome: 'handled' });
  });

  test.each([
    ['no option for it', {}],
    ["changed: 'ignore'", { changed: 'ignore' }],
    ['the merchant’s own identity function', { identity: getId }],
  ] as const)('causes a call to onChanged but to no handler if the receiver has %s', async (_, options) => {
    const handler = vi.fn();
    const onChanged = vi.fn();
    const on = { 'transaction.paid': handler };
    const { receiver, onError } = receiverWith({ on, onChanged, ...options });
    await receiver.receive(refunded(500));
    expect(await receiver.receive(refunded(700))).toMatchObject({ status: 200, outcome: 'duplicate' });
    expect(handler).toHaveBeenCalledOnce();
    expect(onChanged.mock.calls).toEqual([
      [{ ...paid, amount: 700 }, expect.objectContaining({ changed: true })],
    ]);
    expect(onError).not.toHaveBeenCalled();
  });

  test('causes one call to onError if it is ignored and the hook onChanged is not set', async () => {
    const { receiver, onError } = receiverWith({ on: { 'transaction.paid': () => {} } });
    await receiver.receive(refunded(500));
    await receiver.receive(refunded(500));
    expect(onError).not.toHaveBeenCalled();
    await receiver.receive(refunded(700));
    await receiver.receive(refunded(900));
    expect(onError).toHaveBeenCalledOnce();
    expect(onError.mock.calls[0]?.[0].message).toContain('another body');
    expect(onError.mock.calls[0]?.[1]).toEqual({ during: 'identity', event: { ...paid, amount: 700 } });
  });

  test("is handled with changed: 'deliver' and the merchant’s own identity function", async () => {
    const handler = vi.fn();
    const on = { 'transaction.paid': handler };
    const { receiver } = receiverWith({ on, identity: getId, changed: 'deliver' });
    for (const amount of [500, 700]) await receiver.receive(refunded(amount));
    expect(handler).toHaveBeenCalledTimes(2);
  });

  test('counts as a duplicate if the store also returns "changed" for the new identity', async () => {
    const { receiver } = receiverWith({
      dedupe: storeWith({ claim: () => 'changed' }),
      on: { 'transaction.paid': () => expect.unreachable() },
    });
    expect(await receiver.receive(refunded(500))).toMatchObject({ outcome: 'duplicate' });
  });
});
