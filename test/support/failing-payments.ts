import { memoryPayments } from 'payment-platform/durable';
import { expect, onTestFinished, vi } from 'vitest';
import { durable } from './durable.js';
import { eventually } from './eventually.js';

/** Creates payments whose platform is out of order, over a store that counts how often it was counted. */
export function failingPayments(options: Parameters<typeof durable>[0] = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const store = memoryPayments({ now: () => clock.now });
  const counts = vi.spyOn(store, 'counts');
  const { payments, reported, sandbox } = durable({ retryDelay: 1_000_000, ...options, store });
  sandbox.faults.add({ operation: 'payments.create', fault: { status: 503 }, times: 100 });
  /** Waits until the counts have been read twice more. */
  const nextCheck = async () => {
    const { length } = counts.mock.calls;
    await eventually(() => expect(counts.mock.calls.length).toBeGreaterThan(length + 1));
  };
  const controller = new AbortController();
  const start = (more: Parameters<typeof payments.run>[0]) => {
    const running = payments.run({ signal: controller.signal, pollInterval: 1, ...more });
    onTestFinished(async () => {
      controller.abort();
      await running;
    });
    return { running, stop: () => controller.abort() };
  };
  return { payments, reported, clock, counts, store, start, nextCheck };
}
