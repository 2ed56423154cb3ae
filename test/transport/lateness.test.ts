import type { OnboardingStatus, PaymentPlatformError } from 'payment-platform';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, credentials, onBothEngines } from '../support/engines.js';
import { formServer, json } from '../support/form-server.js';
import { lateness } from '../support/lateness.js';
import { id, pix } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';
import { warmUp } from '../support/warm-up.js';

const opens = closedAfterEach();

beforeAll(warmUp);

test('reconcile reports an unknown outcome even if it is aborted before its code is loaded', async () => {
  vi.resetModules();
  const { PaymentPlatform } = await import('payment-platform');
  const platform = new PaymentPlatform({ baseUrl: 'http://127.0.0.1:9', ...credentials });
  const controller = new AbortController();
  const call = platform.payments.reconcile(pix, { idempotencyKey: 'order-1042', signal: controller.signal });
  controller.abort();
  expect(await catchError(call)).toMatchObject({
    name: 'AbortedError',
    outcome: 'unknown',
    idempotencyKey: 'order-1042',
  });
});

onBothEngines((engine) => {
  describe('a call’s deadline (row 60)', () => {
    test.each([
      [1, 1],
      [300, 200],
    ])(
      'of %i ms also ends the first calls of a new process (simultaneous calls: %i)',
      {
        timeout: 60_000,
      },
      async (timeout, calls) => {
        expect(await lateness(engine, { timeout, calls })).toBeLessThan(15_000);
      },
    );

    test('ends a waitFor even if its function `until` never settles', async () => {
      const server = opens(
        await formServer((response) => json(response, 200, { can_resubmit: false, status: 'submitted' })),
      );
      const platform = opens(clientOn(engine, server.url));
      const statuses: OnboardingStatus[] = [];
      const error = await catchError<PaymentPlatformError>(
        platform.onboarding.waitFor(id, {
          until: (status) => {
            statuses.push(status);
            return new Promise(() => undefined);
          },
          interval: 10,
          // This is enough time for the first response on a busy machine.
          timeout: 5_000,
        }),
      );
      expect(error).toMatchObject({ name: 'TimeoutError' });
      expect(statuses).toHaveLength(1);
    });
  });

  test('an abort ends a waitFor at once, even if its function `until` never settles', async () => {
    const server = opens(
      await formServer((response) => json(response, 200, { can_resubmit: false, status: 'submitted' })),
    );
    const platform = opens(clientOn(engine, server.url));
    const controller = new AbortController();
    const call = platform.onboarding.waitFor(id, {
      until: () => {
        controller.abort();
        return new Promise(() => undefined);
      },
      signal: controller.signal,
    });
    expect(await catchError(call)).toMatchObject({ name: 'AbortedError' });
  });
});
