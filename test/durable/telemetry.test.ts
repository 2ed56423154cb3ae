import { openTelemetry } from 'payment-platform';
import { expect, onTestFinished, test } from 'vitest';
import { durable, order, rejection } from '../support/durable.js';
import { registeredTelemetry } from '../support/telemetry.js';

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
