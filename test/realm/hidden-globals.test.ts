import { afterAll, expect, test } from 'vitest';

/** Globals that Jest's jsdom environment hides. */
const names = [
  'TextDecoder',
  'TextEncoder',
  'ReadableStream',
  'TransformStream',
  'structuredClone',
  'setImmediate',
  'fetch',
  'Request',
  'Response',
];
const hidden = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name) ?? {}] as const);

afterAll(() => {
  for (const [name, descriptor] of hidden) Object.defineProperty(globalThis, name, descriptor);
});

test.each([
  ['payment-platform', () => import('payment-platform')],
  ['payment-platform/webhooks', () => import('payment-platform/webhooks')],
  ['payment-platform/durable', () => import('payment-platform/durable')],
  ['payment-platform/sandbox', () => import('payment-platform/sandbox')],
  ['payment-platform/testing', () => import('payment-platform/testing')],
])('%s loads without the globals that jsdom hides', async (_name, load) => {
  for (const name of names) Reflect.deleteProperty(globalThis, name);
  await expect(load()).resolves.toBeDefined();
});
