import { openTelemetry } from 'payment-platform';
import { memoryPayments, type OverduePayments } from 'payment-platform/durable';
import { expect, onTestFinished, test, vi } from 'vitest';
import { durable, order } from '../support/durable.js';
import { eventually } from '../support/eventually.js';
import { registeredTelemetry } from '../support/telemetry.js';

/** Creates payments whose platform is out of order, over a store that counts how often it was counted. */
function failing(options: Parameters<typeof durable>[0] = {}) {
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

test('run reports payments that stay open, and again only when their age has doubled', async () => {
  const { payments, clock, start, nextCheck } = failing();
  await payments.enqueue(order, { key: 'order-1' });
  await payments.enqueue(order, { key: 'order-2' });
  const reports: OverduePayments[] = [];
  start({ overdueAfter: 5, onOverdue: (overdue) => reports.push(overdue) });
  await eventually(async () => expect(await payments.list({ state: 'unknown' })).toHaveLength(2));
  await nextCheck();
  expect(reports).toEqual([]);
  clock.now += 10;
  await eventually(() => expect(reports).toHaveLength(1));
  expect(reports[0]).toMatchObject({ state: 'unknown', count: 2, oldest: 10 });
  expect(reports[0]?.records.map(({ key }) => key)).toEqual(['order-1', 'order-2']);
  clock.now += 5;
  await nextCheck();
  expect(reports).toHaveLength(1);
  clock.now += 10;
  await eventually(() => expect(reports).toHaveLength(2));
  expect(reports[1]).toMatchObject({ oldest: 25 });
});

test('run reports overdue payments to onError with their keys by default', async () => {
  const { payments, reported, clock, start } = failing();
  await payments.enqueue(order, { key: 'order-1' });
  start({ overdueAfter: 5 });
  await eventually(async () => expect((await payments.find('order-1'))?.state).toBe('unknown'));
  clock.now += 120_000;
  await eventually(() => expect(reported.errors).toHaveLength(1));
  const [error, failure] = reported.errors[0] ?? [];
  expect(failure).toEqual({ during: 'overdue' });
  expect(String(error)).toBe(
    'Error: 1 payment is unknown, the oldest for 120 seconds: order-1. Run payment-platform durable show with a key.',
  );
});

test('run with telemetry observes the open payments and the oldest of each state, until it ends', async () => {
  const { api, points, close } = registeredTelemetry();
  onTestFinished(close);
  const { payments, clock, counts, start } = failing({ telemetry: openTelemetry(api) });
  await payments.enqueue(order, { key: 'order-1' });
  const { running, stop } = start({});
  await eventually(async () => expect((await payments.find('order-1'))?.state).toBe('unknown'));
  clock.now += 90_000;
  const attributes = { 'payment_platform.state': 'unknown' };
  const before = counts.mock.calls.length;
  expect(await points('payment_platform.durable.open')).toMatchObject([{ value: 1, attributes }]);
  expect(counts.mock.calls.length - before, 'counts of one collection').toBe(1);
  expect(await points('payment_platform.durable.oldest')).toMatchObject([{ value: 90, attributes }]);
  stop();
  await running;
  const { length } = counts.mock.calls;
  await points('payment_platform.durable.open');
  expect(counts).toHaveBeenCalledTimes(length);
});

test('run reports overdue payments at the next check if the store failed while they were listed', async () => {
  const { payments, clock, start, store } = failing();
  await payments.enqueue(order, { key: 'order-1' });
  await eventually(async () => {
    await payments.settleDue();
    expect((await payments.find('order-1'))?.state).toBe('unknown');
  });
  clock.now += 10;
  vi.spyOn(store, 'list').mockRejectedValueOnce(new Error('the store is down'));
  const reports: OverduePayments[] = [];
  start({ overdueAfter: 5, onOverdue: (overdue) => reports.push(overdue) });
  await eventually(() => expect(reports).toHaveLength(1));
});

test('run rejects onOverdue without overdueAfter, because it would never be called', async () => {
  const { payments } = failing();
  await expect(payments.run({ onOverdue: () => undefined })).rejects.toThrow('overdueAfter');
});
