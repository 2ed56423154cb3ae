import type { OverduePayments } from 'payment-platform/durable';
import { expect, test, vi } from 'vitest';
import { order } from '../support/durable.js';
import { eventually } from '../support/eventually.js';
import { failingPayments } from '../support/failing-payments.js';

test('run reports payments that stay open, and again only when their age has doubled', async () => {
  const { payments, clock, start, nextCheck } = failingPayments();
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
  const { payments, reported, clock, start } = failingPayments();
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

test('run reports overdue payments at the next check if the store failed while they were listed', async () => {
  const { payments, clock, start, store } = failingPayments();
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
  const { payments } = failingPayments();
  await expect(payments.run({ onOverdue: () => undefined })).rejects.toThrow('overdueAfter');
});
