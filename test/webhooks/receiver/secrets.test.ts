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

  test('is called once for many deliveries, even if they are simultaneous', async () => {
    const { source, receiveWith } = sourced(secret);
    expect(await Promise.all(Array.from({ length: 20 }, () => receiveWith(secret)))).not.toContain(400);
    await receiveWith(secret);
    expect(source).toHaveBeenCalledOnce();
  });

  test('is called again if none of its secrets matches', async () => {
    const { source, change, receiveWith } = sourced(secret);
    await receiveWith(secret);
    change([next, secret]);
    vi.advanceTimersByTime(1000);
    expect(await receiveWith(next)).toBe(200);
    expect(source).toHaveBeenCalledTimes(2);
  });

  test('is called at most once a second for forged deliveries', async () => {
    const { source, receiveWith } = sourced(secret);
    await receiveWith(secret);
    for (let second = 0; second < 3; second++) {
      vi.advanceTimersByTime(1000);
      const statuses = await Promise.all(
        Array.from({ length: 50 }, () => receiveWith('whsec_of_somebody_else')),
      );
      expect(new Set(statuses)).toEqual(new Set([400]));
      for (let time = 0; time < 5; time++) expect(await receiveWith('whsec_of_somebody_else')).toBe(400);
    }
    expect(source).toHaveBeenCalledTimes(4);
  });

  test('can drop a secret, which the receiver then accepts for at most five more minutes', async () => {
    const { change, receiveWith } = sourced([next, secret]);
    expect(await receiveWith(secret)).toBe(200);
    change(next);
    vi.advanceTimersByTime(299_999);
    expect(await receiveWith(secret)).toBe(200);
    vi.advanceTimersByTime(1);
    expect(await receiveWith(secret)).toBe(400);
  });

  test('can fail, and the receiver then keeps its last secrets and calls onError', async () => {
    const { source, onError, receiveWith } = sourced(secret);
    expect(await receiveWith(secret)).toBe(200);
    source.mockRejectedValue(new Error('away'));
    vi.advanceTimersByTime(300_000);
    expect(await receiveWith(secret)).toBe(200);
    expect(onError).toHaveBeenCalledWith(new Error('away'), { during: 'secret' });
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('away'))],
    [
      'throws',
      () => {
        throw new Error('away');
      },
    ],
    ['returns nothing', () => undefined as never],
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

  test('can fail for an hour before the receiver stops accepting its last secrets (row 69)', async () => {
    const { source, receiveWith } = sourced(secret);
    expect(await receiveWith(secret)).toBe(200);
    source.mockRejectedValue(new Error('away'));
    const statuses: number[] = [];
    for (let minute = 1; minute <= 120; minute++) {
      vi.advanceTimersByTime(60_000);
      // A forged delivery could cause the failing request before the genuine delivery does.
      await receiveWith('whsec_of_somebody_else');
      statuses.push(await receiveWith(secret));
    }
    expect(statuses.indexOf(503)).toBe(59);
    expect(new Set(statuses.slice(59))).toEqual(new Set([503]));
  });

  test('is called at most once a second while it returns no secrets, even for many deliveries', async () => {
    const source = vi.fn<SecretSource>(() => Promise.reject(new Error('away')));
    const { receiver, onError } = receiverWith({ secret: source });
    for (let index = 0; index < 100; index++)
      expect(await receiver.receive(delivered())).toMatchObject({ status: 503 });
    expect(source).toHaveBeenCalledOnce();
    expect(onError).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(1000);
    await receiver.receive(delivered());
    expect(source).toHaveBeenCalledTimes(2);
  });

  test('causes a 503 instead of a 400 for a wrong signature while the function fails', async () => {
    const { source, receiveWith } = sourced(secret);
    await receiveWith(secret);
    source.mockRejectedValue(new Error('away'));
    vi.advanceTimersByTime(300_000);
    expect(await receiveWith(next)).toBe(503);
    expect(await receiveWith(next)).toBe(503);
    expect(await receiveWith(secret)).toBe(200);
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
      'createReceiver: the return value of `secret` must be a string of 16 to 256 characters, or a list of such strings',
    );
  });
});
