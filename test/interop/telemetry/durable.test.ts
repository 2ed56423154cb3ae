import { openTelemetry } from 'payment-platform';
import { createDurablePayments, memoryPayments } from 'payment-platform/durable';
import { expect, onTestFinished, test, vi } from 'vitest';
import { durable, order, rejection } from '../../support/durable.js';
import { eventually } from '../../support/eventually.js';
import { failingPayments } from '../../support/failing-payments.js';
import { registeredTelemetry } from './registered-telemetry.js';

test('each attempt of a durable payment has a span, and settled payments are counted and timed', async () => {
  const { api, spans, points, everything, close } = registeredTelemetry();
  onTestFinished(close);
  const { payments, sandbox, clock } = durable({
    telemetry: openTelemetry(api),
    client: { telemetry: openTelemetry(api) },
  });
  sandbox.faults.add({ operation: 'payments.create', fault: { status: 503 } });
  await rejection(payments.create(order, { key: 'order-1' }));
  clock.now += 60_000;
  await payments.settleDue();
  const attempts = spans().filter(({ name }) => name === 'payments.durable');
  expect(attempts.map(({ attributes }) => attributes)).toEqual([
    { 'payment_platform.attempt': 1, 'payment_platform.state': 'unknown' },
    { 'payment_platform.attempt': 2, 'payment_platform.state': 'settled' },
  ]);
  const calls = spans().filter(({ name }) => name === 'payments.create');
  expect(calls.map((span) => span.parentSpanContext?.spanId)).toEqual(
    attempts.map((span) => span.spanContext().spanId),
  );
  const attributes = { 'payment_platform.state': 'settled' };
  expect(await points('payment_platform.durable.payments')).toMatchObject([{ value: 1, attributes }]);
  expect(await points('payment_platform.durable.pursuit.duration')).toMatchObject([
    { value: { sum: 60 }, attributes },
  ]);
  expect(await everything()).not.toContain('Ana Souza');
});

test('a durable payment is settled even if every call to the telemetry throws', async () => {
  const fails = () => {
    throw new Error('of the exporter');
  };
  const telemetry = {
    trace: { getTracer: fails, setSpan: fails },
    context: { active: fails, with: fails },
    metrics: { getMeter: fails, getMeterProvider: fails },
  };
  const { payments, sandbox } = durable({ telemetry: openTelemetry(telemetry) });
  expect((await payments.create(order, { key: 'order-1' })).record.state).toBe('settled');
  expect(sandbox.ledger.charges).toHaveLength(1);
});

test('spans show idempotency keys only with the option idempotencyKeys, and measurements show none', async () => {
  const { api, spans, metrics, close } = registeredTelemetry();
  onTestFinished(close);
  for (const [key, idempotencyKeys] of [
    ['order-1', false],
    ['order-2', true],
  ] as const) {
    const telemetry = openTelemetry(api, { idempotencyKeys });
    const { payments } = durable({ telemetry, client: { telemetry } });
    await payments.create(order, { key });
  }
  const shown = spans()
    .filter(({ name }) => name.startsWith('payments.'))
    .map(({ name, attributes }) => [name, attributes['payment_platform.idempotency_key']]);
  expect(shown).toEqual([
    ['payments.create', undefined],
    ['payments.durable', undefined],
    ['payments.create', 'order-2'],
    ['payments.durable', 'order-2'],
  ]);
  expect(JSON.stringify(await metrics())).not.toContain('order-');
  expect(() => openTelemetry(api, { idempotencyKey: true } as never)).toThrow('idempotencyKeys');
});

test('run with telemetry observes the open payments and the oldest of each state, until it ends', async () => {
  const { api, points, close } = registeredTelemetry();
  onTestFinished(close);
  const { payments, clock, counts, start } = failingPayments({ telemetry: openTelemetry(api) });
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

test('run observes the payments of all merchants of a process as one sum, and each payment once', async () => {
  const { api, points, close } = registeredTelemetry();
  onTestFinished(close);
  const clock = { now: Date.UTC(2026, 0, 1) };
  const table = memoryPayments({ now: () => clock.now });
  const claim = vi.spyOn(table, 'claim');
  const { platform } = durable();
  const other = platform.with({ clientId: 'shop-2', clientSecret: 'secret-of-shop-2' });
  const start = (client: typeof platform, store: typeof table) => {
    const telemetry = openTelemetry(api);
    const payments = createDurablePayments(client, { store, telemetry, onError() {} });
    const controller = new AbortController();
    // Claims only once, before the payments are recorded.
    const running = payments.run({ signal: controller.signal, pollInterval: 86_400_000 });
    const stop = async () => {
      controller.abort();
      await running;
    };
    onTestFinished(stop);
    return { payments, stop };
  };
  const first = start(platform, table);
  const second = start(other, table);
  start(other, table);
  const elsewhere = start(platform, memoryPayments({ now: () => clock.now }));
  await eventually(() => expect(claim).toHaveBeenCalledTimes(3));
  for (const key of ['order-1', 'order-2', 'order-3']) await first.payments.enqueue(order, { key });
  clock.now += 90_000;
  await second.payments.enqueue(order, { key: 'order-1' });
  await elsewhere.payments.enqueue(order, { key: 'order-1' });
  const foreign = { merchant: 'f'.repeat(32), key: 'order-1', version: 1, state: 'recorded' } as const;
  const times = { dueIn: 0, deadlineIn: 60_000, refreshIn: 60_000 };
  table.insert({ ...foreign, reference: '', digest: '', payload: '{}', attempts: 0, ...times });
  const observedBy = async (name: string) =>
    Object.fromEntries(
      (await points(name)).map(({ attributes, value }) => [attributes['payment_platform.state'], value]),
    );
  // Each merchant counts the other's due payments as foreign. The second counts four, the first only two.
  expect(await observedBy('payment_platform.durable.open')).toEqual({ recorded: 5, foreign: 2 });
  expect(await observedBy('payment_platform.durable.oldest')).toEqual({ recorded: 90, foreign: 0 });
  await first.stop();
  expect(await observedBy('payment_platform.durable.open')).toEqual({ recorded: 2, foreign: 4 });
  expect(await observedBy('payment_platform.durable.oldest')).toEqual({ recorded: 0, foreign: 90 });
  for (const { payments } of [second, elsewhere]) await payments.cancel('order-1');
  expect(await observedBy('payment_platform.durable.open')).toMatchObject({ recorded: 0 });
});
