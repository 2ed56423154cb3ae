import { expect, test } from 'vitest';
import { inSpan } from '../../../src/telemetry/in-span.js';
import { registeredTelemetry } from './registered-telemetry.js';

test('inSpan passes on a rejection and marks the span as failed, without the error’s message', async () => {
  const { api, spans, everything, close } = registeredTelemetry();
  const failure = new Error('the password is hunter2');
  const work = () => Promise.reject(failure);
  await expect(inSpan(api, 'payments.durable', {}, work, () => expect.unreachable())).rejects.toBe(failure);
  expect(spans().map(({ name, status }) => [name, status.code])).toEqual([['payments.durable', 2]]);
  expect(await everything()).not.toContain('hunter2');
  await close();
});
