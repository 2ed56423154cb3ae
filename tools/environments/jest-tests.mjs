// Jest tests that accompany the journey, as source text. Jest's module system and, with jsdom, other globals
// affect how a test loads packages.

/** A test that does not close its server. Jest must still exit. */
export const forgotten = `const { createSandbox } = require('payment-platform/sandbox');
const { useSandbox } = require('payment-platform/testing');
const sandbox = useSandbox();
test.each([1, 2])('the sandbox is reset after each test: %d', async () => {
  expect(sandbox.journal.requests).toHaveLength(0);
  await fetch((await sandbox.listen()).url + '/v1/webhooks');
  expect(sandbox.journal.requests).toHaveLength(1);
});
test('forgets to close', async () => {
  await fetch((await createSandbox().listen()).url + '/v1/webhooks');
});
`;

/** Loads every entry and receives bytes, which belong to another realm than the test. */
export const entries = `const { PaymentPlatform } = require('payment-platform');
const { createReceiver } = require('payment-platform/webhooks');
const { createSandbox } = require('payment-platform/sandbox');
const { samples, signedNotification } = require('payment-platform/testing');
const { createDurablePayments, memoryPayments } = require('payment-platform/durable');
const secret = 'whsec_0123456789abcdef';
test('a receiver accepts a string, bytes and a stream', async () => {
  const { body, headers } = signedNotification(samples.notification('transaction.paid'), { secret });
  const { Readable } = require('node:stream');
  const forms = [body, Buffer.from(body), new Uint8Array(Buffer.from(body)), Readable.from([Buffer.from(body)])];
  for (const bytes of forms) {
    const receiver = createReceiver({ secret, dedupe: false, on: { 'transaction.paid': () => {} } });
    expect((await receiver.receive({ body: bytes, headers })).status).toBe(200);
  }
});
test('a durable payment is charged in the sandbox, in process and over HTTP', async () => {
  const sandbox = createSandbox();
  const server = await sandbox.listen();
  for (const [key, options] of [['order-1', sandbox.clientOptions()], ['order-2', server.clientOptions()]]) {
    const durable = createDurablePayments(new PaymentPlatform(options), { store: memoryPayments() });
    const { payment } = await durable.create(samples.payments.pix(), { key });
    expect(payment.status).toBe('waiting_payment');
  }
  await server.close();
});
`;

/** Uses the types of @types/jest together with this package's declarations. */
export const typedMatchers = `import { createSandbox } from 'payment-platform/sandbox';
import { paymentPlatformMatchers } from 'payment-platform/testing';
expect.extend(paymentPlatformMatchers);
test('the matchers have types', async () => {
  const sandbox = createSandbox();
  expect(sandbox).toHaveNoDuplicateCharges();
  expect('order-1').not.toHaveBeenChargedOnce(sandbox);
  await sandbox.close();
});
`;

/** Runs with fake timers from the start. A retry must wait for them, and then be sent. */
export const fakeTimers = `
const { PaymentPlatform } = require('payment-platform');
const { createSandbox } = require('payment-platform/sandbox');
const { paymentPlatformMatchers, samples } = require('payment-platform/testing');
expect.extend(paymentPlatformMatchers);
test('a sandbox under fake timers', async () => {
  jest.useFakeTimers({ advanceTimers: false });
  const sandbox = createSandbox({ seed: 1 });
  const platform = new PaymentPlatform({ ...sandbox.clientOptions(), auth: 'oauth' });
  sandbox.faults.add({ operation: 'payments.create', fault: { status: 503, headers: { 'retry-after': '7' } } });
  const call = platform.payments.create(samples.payments.pix());
  await jest.advanceTimersByTimeAsync(6_000);
  expect(sandbox.ledger.charges).toHaveLength(0);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await call).toHaveBeenChargedOnce(sandbox);
  platform.close();
  await sandbox.close();
  jest.useFakeTimers({ advanceTimers: true });
});
`;
