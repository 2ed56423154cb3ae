import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PaymentPlatform, TimeoutError } from '../../src/index.js';
import { createReceiver } from '../../src/webhooks/index.js';
import { samples } from '../testing/index.js';
import { sandboxForTest, startReceiver } from './support.js';

const secret = 'a-secret-of-the-merchant';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/**
 * The tests run with the sandbox's clock frozen, and with the sandbox's clock following the faked system
 * clock.
 */
describe.each([{ now: '2026-01-01T00:00:00Z' }, { now: undefined }])(
  'under fake timers, with now: $now',
  (options) => {
    test.each(['headers', 'oauth'] as const)(
      'a call with auth %s gets its response at once',
      async (auth) => {
        const sandbox = sandboxForTest(options);
        const platform = new PaymentPlatform({ ...sandbox.clientOptions(), auth });
        const payment = await platform.payments.create(samples.payments.pix());
        expect(payment.status).toBe('waiting_payment');
        await platform.onboarding.submitPf(samples.onboarding.pf());
        expect(sandbox.control.oauth.tokens).toHaveLength(auth === 'oauth' ? 1 : 0);
        platform.close();
      },
    );

    test('a call over HTTP gets its response at once', async () => {
      const sandbox = sandboxForTest(options);
      const server = await sandbox.listen();
      const platform = new PaymentPlatform(server.clientOptions());
      expect((await platform.payments.create(samples.payments.boleto())).status).toBe('waiting_payment');
      platform.close();
      await server.close();
    });

    test('a retry is sent when the faked time has passed, and the call then succeeds', async () => {
      const sandbox = sandboxForTest(options);
      sandbox.faults.add({ fault: { status: 503, headers: { 'retry-after': '7' } } });
      const platform = new PaymentPlatform({ ...sandbox.clientOptions() });
      const call = platform.payments.create(samples.payments.pix());
      await vi.advanceTimersByTimeAsync(6_000);
      expect(sandbox.journal.requests).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(2_000);
      expect((await call).status).toBe('waiting_payment');
      platform.close();
    });

    test('a client’s timeout fires when the faked time has passed', async () => {
      const sandbox = sandboxForTest(options);
      sandbox.faults.add({ fault: 'hang' });
      const platform = new PaymentPlatform({ ...sandbox.clientOptions(), timeout: 5_000, maxRetries: 0 });
      const outcome = expect(platform.payments.create(samples.payments.pix())).rejects.toBeInstanceOf(
        TimeoutError,
      );
      await vi.advanceTimersByTimeAsync(5_000);
      await outcome;
      platform.close();
    });

    test('a delivery to a connected function is lost through a fault, and its retry arrives after clock.advance', async () => {
      const sandbox = sandboxForTest(options);
      const handled: unknown[] = [];
      const receiver = createReceiver({
        secret,
        now: () => sandbox.clock.now(),
        on: { 'transaction.waiting_payment': ({ event }) => void handled.push(event) },
      });
      sandbox.webhooks.connect(receiver.fetch, { secret, events: ['transaction.waiting_payment'] });
      sandbox.webhooks.faults.add({ fault: 'drop' });
      const platform = new PaymentPlatform(sandbox.clientOptions());
      await platform.payments.create(samples.payments.pix());
      await sandbox.webhooks.idle();
      expect(handled).toEqual([]);
      await sandbox.clock.advance('30s');
      expect(handled).toEqual(['transaction.waiting_payment']);
      platform.close();
    });

    test('a delivery over HTTP arrives', async () => {
      const sandbox = sandboxForTest(options);
      const receiver = await startReceiver();
      sandbox.webhooks.register({ url: receiver.url });
      const platform = new PaymentPlatform(sandbox.clientOptions());
      await platform.payments.create(samples.payments.pix());
      await sandbox.webhooks.idle();
      expect(receiver.received).toHaveLength(2);
      platform.close();
    });

    test('clock.advance runs due tasks without waiting for a silent receiver', async () => {
      const sandbox = sandboxForTest(options);
      let calls = 0;
      const receive = (): Promise<Response> | Response =>
        ++calls === 1 ? new Promise(() => undefined) : new Response();
      sandbox.webhooks.connect(receive, { events: ['transaction.waiting_payment'] });
      const platform = new PaymentPlatform(sandbox.clientOptions());
      const { id } = await platform.payments.create(samples.payments.pix());
      await sandbox.clock.advance('31m');
      expect(sandbox.ledger.charges).toMatchObject([{ paymentId: id, status: 'expired' }]);
      expect(sandbox.webhooks.deliveries[0]).toMatchObject({
        state: 'failed',
        error: 'no response within 30 seconds',
      });
      platform.close();
    });

    test('a fault resets the connection in the middle of a response', async () => {
      const sandbox = sandboxForTest(options);
      const server = await sandbox.listen();
      sandbox.faults.add({ fault: 'reset', phase: 'mid-response' });
      const platform = new PaymentPlatform({ ...server.clientOptions(), maxRetries: 0 });
      await expect(platform.payments.create(samples.payments.pix())).rejects.toMatchObject({
        outcome: 'unknown',
      });
      platform.close();
    });

    test('waitFor polls again when the faked time has passed', async () => {
      const sandbox = sandboxForTest({ ...options, rateLimits: false });
      const platform = new PaymentPlatform(sandbox.clientOptions());
      const { registration_id } = await platform.onboarding.submitPf(samples.onboarding.pf());
      const waiting = platform.onboarding.waitFor(registration_id, { until: ['approved'] });
      await vi.advanceTimersByTimeAsync(1_000);
      sandbox.control.onboarding.approve(registration_id);
      await vi.advanceTimersByTimeAsync(120_000);
      expect((await waiting).status).toBe('approved');
      platform.close();
    });

    test('a fault’s delay and a slow response end when the faked time has passed', async () => {
      const sandbox = sandboxForTest(options);
      sandbox.faults.add({ fault: { slow: '3s' }, delay: '2s' });
      const platform = new PaymentPlatform(sandbox.clientOptions());
      const call = platform.payments.create(samples.payments.pix());
      await vi.advanceTimersByTimeAsync(5_000);
      expect((await call).status).toBe('waiting_payment');
      platform.close();
    });

    test('close clears all timers', async () => {
      const sandbox = sandboxForTest(options);
      await sandbox.listen();
      sandbox.webhooks.connect(() => new Promise(() => undefined));
      const platform = new PaymentPlatform(sandbox.clientOptions());
      await platform.payments.create(samples.payments.pix());
      expect(vi.getTimerCount()).toBeGreaterThan(0);
      await sandbox.close();
      platform.close();
      expect(vi.getTimerCount()).toBe(0);
    });
  },
);
