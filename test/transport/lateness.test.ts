import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { OnboardingStatus, PaymentPlatformError } from 'payment-platform';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { clientOn, credentials, failureOf, onBothEngines } from '../support/engines.js';
import { formServer, json } from '../support/form-server.js';
import { pix } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';
import { warmUp } from '../support/warm-up.js';
import { id } from '../support/wire-forms.js';

const opens = closedAfterEach();
const run = promisify(execFile);

beforeAll(warmUp);

/** By how much calls settle too late in a process of their own; the best of a few, because others use the machine. */
async function lateness(engine: string, timeout: number, count: number, goal: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 4 && best > goal; turn++) {
    const script = new URL('../support/first-call.js', import.meta.url).pathname;
    const { stdout } = await run('npx', ['tsx', script, engine, String(timeout), String(count)]);
    const { late, outcomes } = JSON.parse(stdout);
    expect(outcomes).toEqual(['TimeoutError']);
    best = Math.min(best, late);
  }
  return best;
}

test('what reconcile resumes may have been executed, also where the time is over before anything is loaded', async () => {
  vi.resetModules();
  const { PaymentPlatform } = await import('payment-platform');
  const platform = new PaymentPlatform({ baseUrl: 'http://127.0.0.1:9', ...credentials });
  const controller = new AbortController();
  const call = platform.payments.reconcile(pix, { idempotencyKey: 'order-1042', signal: controller.signal });
  controller.abort();
  expect(await failureOf(call)).toMatchObject({
    name: 'AbortedError',
    outcome: 'unknown',
    idempotencyKey: 'order-1042',
  });
});

onBothEngines((engine) => {
  describe('deadlines (row 60)', () => {
    test('the first call of a process settles at most 50 ms late: loading happens within its deadline', {
      timeout: 60_000,
    }, async () => {
      for (const timeout of [1, 40, 120])
        expect(await lateness(engine, timeout, 1, 50)).toBeLessThanOrEqual(50);
    });

    // Again if it fails: a pause of the whole machine is not lateness of the client.
    test('2,000 calls with one deadline settle within a second of it', {
      timeout: 60_000,
      retry: 2,
    }, async () => {
      expect(await lateness(engine, 300, 2_000, 1_000)).toBeLessThanOrEqual(1_000);
    });

    test('a function `until` that never answers ends with the time of waitFor', async () => {
      const server = opens(
        await formServer((response) => json(response, 200, { can_resubmit: false, status: 'submitted' })),
      );
      const platform = opens(clientOn(engine, server.url));
      const asked: OnboardingStatus[] = [];
      const error = await failureOf<PaymentPlatformError>(
        platform.onboarding.waitFor(id, {
          until: (status) => {
            asked.push(status);
            return new Promise(() => undefined);
          },
          interval: 10,
          timeout: 150,
        }),
      );
      expect(error).toMatchObject({ name: 'TimeoutError' });
      expect(asked).toHaveLength(1);
    });

    test('an abort ends a waitFor whose `until` never answers', async () => {
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
      expect(await failureOf(call)).toMatchObject({ name: 'AbortedError' });
    });
  });
});
