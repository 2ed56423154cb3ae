import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { pix } from '../support/payments.js';

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
const hidden = [...names, 'crypto'].map(
  (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name) ?? {}] as const,
);
const { crypto } = globalThis;

/** The crypto of jsdom 20, which Jest 29 uses, has only random numbers. */
function hideGlobals(): void {
  for (const name of names) Reflect.deleteProperty(globalThis, name);
  const value = { getRandomValues: crypto.getRandomValues.bind(crypto) };
  Object.defineProperty(globalThis, 'crypto', { value, configurable: true });
}

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
  hideGlobals();
  await expect(load()).resolves.toBeDefined();
});

test('a payment in the sandbox works without these globals, in process and over HTTP', async () => {
  vi.resetModules();
  hideGlobals();
  const { PaymentPlatform } = await import('payment-platform');
  const { createSandbox } = await import('payment-platform/sandbox');
  const sandbox = createSandbox();
  const server = await sandbox.listen();
  for (const options of [sandbox.clientOptions(), server.clientOptions()]) {
    const platform = new PaymentPlatform(options);
    expect(await platform.payments.create(pix)).toMatchObject({ status: 'waiting_payment' });
  }
  await server.close();
});

test.each([
  ['only TextEncoder and TextDecoder', ['TextDecoder', 'TextEncoder']],
  ['all but members of URL', [...names, 'crypto']],
])('a payment works if a setup file defines %s', async (_, defined) => {
  vi.resetModules();
  const canParse = Object.getOwnPropertyDescriptor(URL, 'canParse') ?? {};
  onTestFinished(() => void Object.defineProperty(URL, 'canParse', canParse));
  hideGlobals();
  Reflect.deleteProperty(URL, 'canParse');
  for (const [name, descriptor] of hidden)
    if (defined.includes(name)) Object.defineProperty(globalThis, name, descriptor);
  const { PaymentPlatform } = await import('payment-platform');
  const { createSandbox } = await import('payment-platform/sandbox');
  const { createDurablePayments, memoryPayments } = await import('payment-platform/durable');
  const platform = new PaymentPlatform(createSandbox().clientOptions());
  const durable = createDurablePayments(platform, { store: memoryPayments() });
  expect((await durable.create(pix, { key: 'order-1' })).payment.status).toBe('waiting_payment');
});

test('a signal of another implementation, such as jsdom’s, aborts a request', async () => {
  vi.resetModules();
  hideGlobals();
  await import('payment-platform');
  const signal = Object.assign(new EventTarget(), { aborted: false, reason: undefined as unknown });
  const init = { signal: signal as unknown as AbortSignal };
  const request = new Request('https://shop.example', init);
  expect(request.signal.aborted).toBe(false);
  Object.assign(signal, { aborted: true, reason: 'the test ends' });
  signal.dispatchEvent(new Event('abort'));
  expect(request.signal).toMatchObject({ aborted: true, reason: 'the test ends' });
  expect(new Request('https://shop.example', init).signal.aborted).toBe(true);
  await expect(fetch('https://shop.example', init)).rejects.toBe('the test ends');
});
