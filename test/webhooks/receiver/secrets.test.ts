import { AsyncLocalStorage } from 'node:async_hooks';
import { type ReceiverOptions, type SecretSource, sign } from 'payment-platform/webhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deferred, delivered, paid, receiverWith, secret } from './deliveries.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const next = 'whsec_the_next_secret';

/** Returns the matching secret's position, or the response's status. */
const findMatch = async (options: Partial<ReceiverOptions>, key: string) => {
  let index: number | undefined;
  const { receiver } = receiverWith({
    ...options,
    on: {
      'transaction.paid': (_, delivery) => {
        index = delivery.secretIndex;
      },
    },
  });
  const { status } = await receiver.receive(delivered(paid, key));
  return index ?? status;
};

test.each([
  ['the first of two secrets is accepted with secretIndex 0', secret, 0],
  ['the second of two secrets is accepted with secretIndex 1', next, 1],
  ['an unknown secret is rejected with a 400', 'whsec_of_somebody_else', 400],
])('a delivery signed with %s (row 42)', async (_, key, expected) => {
  expect(await findMatch({ secret: [secret, next] }, key)).toBe(expected);
  expect(await findMatch({ secret: async () => [secret, next] }, key)).toBe(expected);
});

describe('a function that returns webhook secrets', () => {
  /** Creates a receiver with a source whose secrets can be changed. */
  const sourced = (initial: string | readonly string[]) => {
    let now: string | readonly string[] = initial;
    const source = vi.fn<SecretSource>(async () => now);
    const { receiver, onError } = receiverWith({ secret: source });
    return {
      receiver,
      source,
      onError,
      change: (other: string | readonly string[]) => {
        now = other;
      },
      async receiveWith(key: string) {
        const { status } = await receiver.receive(delivered(paid, key));
        return status;
      },
    };
  };

  test('is called for each delivery, so that a dropped secret stops working at once', async () => {
    const { source, change, receiveWith } = sourced([next, secret]);
    expect(await receiveWith(secret)).toBe(200);
    change(next);
    expect([await receiveWith(secret), await receiveWith(next)]).toEqual([400, 200]);
    expect(source).toHaveBeenCalledTimes(3);
  });

  test('is not called for a delivery whose headers are malformed or old', async () => {
    const { receiver, source } = sourced(secret);
    const { body, headers } = delivered();
    const old = sign({ body, secret, timestamp: Date.now() - 301_000 });
    for (const wrong of [{}, old, { ...headers, 'x-service-signature': 'no' }])
      expect(await receiver.receive({ body, headers: wrong })).toMatchObject({ status: 400 });
    expect(source).not.toHaveBeenCalled();
  });

  test('runs in the async context of its delivery', async () => {
    const context = new AsyncLocalStorage<string>();
    const secrets = new Map([
      ['a', secret],
      ['b', next],
    ]);
    const { receiver } = receiverWith({ secret: () => secrets.get(context.getStore() ?? '') });
    const statuses: number[] = [];
    for (const [tenant, key] of [
      ['a', secret],
      ['a', next],
      ['b', secret],
      ['b', next],
    ] as const)
      statuses.push((await context.run(tenant, () => receiver.receive(delivered(paid, key)))).status);
    expect(statuses).toEqual([200, 400, 400, 200]);
  });

  test('causes a 400 if it returns undefined, because the endpoint is unknown', async () => {
    const { receiver } = receiverWith({ secret: () => undefined as never });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 400, outcome: 'rejected' });
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('away'))],
    [
      'throws',
      () => {
        throw new Error('away');
      },
    ],
    ['returns null', () => null as never],
    ['returns an object without a secret', () => ({ context: { shop: 7 } }) as never],
    ['returns an object with a misspelt property', () => ({ secret, contxt: { shop: 7 } }) as never],
    ['returns a short secret', async () => 'short'],
    ['returns an empty list', async () => []],
  ])(
    'causes a 503 before anything is handled if it %s, and is called again for the next delivery',
    async (_, source) => {
      const secretSource = vi.fn<SecretSource>(source);
      const { receiver, onError } = receiverWith({ secret: secretSource });
      expect(await receiver.receive(delivered())).toMatchObject({ status: 503, outcome: 'unavailable' });
      expect(onError.mock.lastCall?.[1]).toEqual({ during: 'secret' });
      secretSource.mockImplementation(async () => secret);
      vi.advanceTimersByTime(1000);
      expect(await receiver.receive(delivered())).toMatchObject({ status: 200 });
    },
  );

  test('causes a 503 at the time limit if it never settles', async () => {
    const { receiver } = receiverWith({ secret: () => new Promise(() => {}), handlerTimeout: 1000 });
    const received = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(1000);
    expect(await received).toMatchObject({ status: 503, outcome: 'unavailable' });
  });

  test('is called again after a call that never settled (row 69)', async () => {
    const source = vi
      .fn<SecretSource>(async () => secret)
      .mockImplementationOnce(() => new Promise(() => {}));
    const { receiver, onError } = receiverWith({ secret: source, handlerTimeout: 300 });
    const received = receiver.receive(delivered());
    await vi.advanceTimersByTimeAsync(5001);
    expect(await received).toMatchObject({ outcome: 'unavailable' });
    expect(await receiver.receive(delivered())).toMatchObject({ status: 200 });
    expect(onError).toHaveBeenCalledOnce();
  });

  test('runs after the body was copied, so that the caller can change the body', async () => {
    const responded = deferred<string>();
    const { receiver } = receiverWith({ secret: () => responded.promise });
    const text = JSON.stringify(paid);
    const body = new TextEncoder().encode(text);
    const received = receiver.receive({ body, headers: sign({ body: text, secret }) });
    body.fill(0x20);
    responded.resolve(secret);
    expect(await received).toMatchObject({ status: 200, event: paid });
  });

  test('can return an invalid secret, which the error message does not show', async () => {
    const { receiver, onError } = receiverWith({ secret: () => ['short-secret', 7 as never] });
    await receiver.receive(delivered());
    expect(onError).toHaveBeenCalledTimes(1);
    expect(onError.mock.calls[0]?.[0].message).toBe(
      'createReceiver: the return value of `secret` must be a string of 16 to 256 characters, or a list of such strings.',
    );
  });
});
