import { openTelemetry } from 'payment-platform';
import { expect, onTestFinished, test } from 'vitest';
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
