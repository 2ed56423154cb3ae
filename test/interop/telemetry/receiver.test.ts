import { createReceiver, openTelemetry, sign } from 'payment-platform/webhooks';
import { expect, test } from 'vitest';
import { paid } from '../../support/payments.js';
import { registeredTelemetry } from './registered-telemetry.js';

const secret = 'a-secret-of-16-characters';
const other = 'another-secret-of-this-shop';

const signed = (id: string, key = secret, event = 'transaction.paid') => {
  const body = JSON.stringify({ ...paid, event, id, customer: { name: 'Ana Souza' } });
  return { body, headers: { ...sign({ body, secret: key }) } as Record<string, string> };
};

test('a receiver’s telemetry creates a span for each delivery inside the request’s span, and counts deliveries by outcome', async () => {
  const { api, spans, points, everything, close } = registeredTelemetry();
  const receiver = createReceiver({
    secret,
    telemetry: openTelemetry(api),
    on: {
      'transaction.paid': (event) => {
        api.trace.getTracer('shop').startSpan('ship').end();
        if (event.id === 'b') throw new Error('no stock');
      },
    },
    onError: () => {},
  });
  const request = api.trace.getTracer('http').startSpan('POST /webhooks');
  await api.context.with(api.trace.setSpan(api.context.active(), request), async () => {
    for (const delivery of [signed('a'), signed('a'), signed('b'), signed('c', other)])
      await receiver.receive(delivery);
  });
  request.end();
  const received = spans().filter(({ name }) => name === 'webhooks.receive');
  expect(
    received.map(({ attributes, status }) => [attributes['payment_platform.outcome'], status.code]),
  ).toEqual([
    ['handled', 0],
    ['duplicate', 0],
    ['failed', 2],
    ['rejected', 0],
  ]);
  for (const span of received) expect(span.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
  expect(received[0]?.attributes).toEqual({
    'payment_platform.event': 'transaction.paid',
    'payment_platform.outcome': 'handled',
    'http.response.status_code': 200,
  });
  expect(received[3]?.attributes).toMatchObject({ 'error.type': 'signature-mismatch' });
  await receiver.receive(signed('d', secret, 'transaction.of.a.later.version'));
  expect(spans().at(-1)?.attributes['payment_platform.event']).toBe('other');
  const [shipped] = spans().filter(({ name }) => name === 'ship');
  expect(shipped?.parentSpanContext?.spanId).toBe(received[0]?.spanContext().spanId);
  const counted = await points('payment_platform.webhooks.deliveries');
  expect(
    counted.map(({ attributes, value }) => [attributes['payment_platform.outcome'], value]).sort(),
  ).toEqual([
    ['duplicate', 1],
    ['failed', 1],
    ['handled', 1],
    ['rejected', 1],
    ['unhandled', 1],
  ]);
  expect(await points('payment_platform.webhooks.duration')).toHaveLength(5);
  const exported = await everything();
  for (const kept of [secret, 'Ana Souza', 'no stock']) expect(exported).not.toContain(kept);
  await close();
});
