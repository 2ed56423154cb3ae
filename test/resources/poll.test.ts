import { PaymentPlatform } from 'payment-platform';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { credentials, failureOf } from '../support/engines.js';
import { pix } from '../support/payments.js';
import { warmUp } from '../support/warm-up.js';
import { id } from '../support/wire-forms.js';

beforeAll(warmUp);

const clock = { setTimeout };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return () => vi.useRealTimers();
});

test.each([
  [
    'onboarding.waitFor',
    200,
    (platform: PaymentPlatform) =>
      platform.onboarding.waitFor(id, { until: 'approved', interval: 2_000, timeout: 60_000 }),
  ],
  [
    'payments.reconcile',
    503,
    (platform: PaymentPlatform) =>
      platform.payments.reconcile(pix, { idempotencyKey: 'order-1', interval: 2_000, timeout: 60_000 }),
  ],
] as const)('%s sends its last request at most one interval before its timeout', async (_, status, call) => {
  const sentAt: number[] = [];
  const started = performance.now();
  const platform = new PaymentPlatform({
    baseUrl: 'https://platform.example',
    ...credentials,
    fetch: async () => {
      sentAt.push(Math.round((performance.now() - started) / 1000));
      return Response.json({ can_resubmit: false, status: 'submitted' }, { status });
    },
  });
  let endedAt: number | undefined;
  const ended = failureOf(call(platform)).then(() => {
    endedAt = Math.round((performance.now() - started) / 1000);
  });
  while (endedAt === undefined) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => clock.setTimeout(resolve, 0));
  }
  await ended;
  expect(sentAt.at(-1)).toBeGreaterThanOrEqual(58);
  expect(endedAt).toBeLessThanOrEqual(60);
});
