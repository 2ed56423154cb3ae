import { PaymentPlatform, type PaymentPlatformError } from 'payment-platform';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { catchError, credentials } from '../support/engines.js';
import { id, pix } from '../support/payments.js';
import { warmUp } from '../support/warm-up.js';

beforeAll(warmUp);

const clock = { setTimeout };

interface Timing {
  readonly interval: number;
  readonly timeout: number;
}

/** A polling method, the status of its response, and the name of its final error. */
const polls: readonly [
  name: string,
  status: number,
  error: string,
  poll: (platform: PaymentPlatform, timing: Timing) => Promise<unknown>,
][] = [
  [
    'onboarding.waitFor',
    200,
    'TimeoutError',
    (platform, timing) => platform.onboarding.waitFor(id, { until: 'approved', ...timing }),
  ],
  [
    'payments.reconcile',
    503,
    'ServerError',
    (platform, timing) => platform.payments.reconcile(pix, { idempotencyKey: 'order-1', ...timing }),
  ],
];

describe.each(polls)('%s', (_, status, error, poll) => {
  /** Creates a client, and records the seconds at which it sends a request. */
  function ready(onRequest: () => void = () => {}) {
    const sentAt: number[] = [];
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    const platform = new PaymentPlatform({
      baseUrl: 'https://platform.example',
      ...credentials,
      fetch: async () => {
        sentAt.push(seconds());
        onRequest();
        return Response.json({ can_resubmit: false, status: 'submitted' }, { status });
      },
    });
    return { platform, sentAt, seconds };
  }

  test('sends its last request one interval before its timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { platform, sentAt, seconds } = ready();
      let endedAt: number | undefined;
      const ended = catchError(poll(platform, { interval: 2_000, timeout: 60_000 })).then(() => {
        endedAt = seconds();
      });
      while (endedAt === undefined) {
        await vi.advanceTimersByTimeAsync(100);
        await new Promise((resolve) => clock.setTimeout(resolve, 0));
      }
      await ended;
      const last = sentAt.slice(-2).map(Math.floor);
      expect(last[1]).toBe(58);
      expect(last[0]).toBeLessThan(57);
      expect(endedAt).toBeLessThanOrEqual(60);
    } finally {
      vi.useRealTimers();
    }
  });

  test('sends nothing after its timeout, even if the process was suspended while it waited', async () => {
    // The process is blocked beyond the timeout as soon as the first wait has begun.
    const block = () => {
      setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500), 5);
    };
    const { platform, sentAt } = ready(block);
    const failed = await catchError<PaymentPlatformError>(poll(platform, { interval: 300, timeout: 1_000 }));
    expect(failed.name).toBe(error);
    expect(sentAt).toHaveLength(1);
  });
});

test('payments.reconcile rejects with the last response’s error if its timeout interrupts a request', async () => {
  let requests = 0;
  const platform = new PaymentPlatform({
    baseUrl: 'https://platform.example',
    ...credentials,
    fetch: (_, init) => {
      if (requests++ === 0) return Promise.resolve(Response.json({}, { status: 409 }));
      return new Promise((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
    },
  });
  const error = await catchError<PaymentPlatformError>(
    platform.payments.reconcile(pix, { idempotencyKey: 'order-1', interval: 1, timeout: 300 }),
  );
  expect(error).toMatchObject({ name: 'PaymentOutcomeUnknownError', status: 409, outcome: 'unknown' });
  expect(requests).toBe(2);
});
