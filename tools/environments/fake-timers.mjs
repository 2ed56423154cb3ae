// A Jest test with fake timers from the start. Work without timers must not hang, and work with timers must
// continue when the timers advance.
export const fakeTimers = `
const { PaymentPlatform } = require('payment-platform');
const { createSandbox } = require('payment-platform/sandbox');
const { createReceiver } = require('payment-platform/webhooks');
const testing = require('payment-platform/testing');
const { samples } = testing;
const secret = 'a-secret-of-the-merchant';
expect.extend(testing.paymentPlatformMatchers);

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

  const events = [];
  const now = () => sandbox.clock.now();
  const receiver = createReceiver({ secret, now, onUnhandled: ({ event }) => void events.push(event) });
  sandbox.webhooks.connect(receiver.fetch, { secret, events: ['transaction.waiting_payment'] });
  sandbox.webhooks.faults.add({ fault: 'drop' });
  await platform.payments.create(samples.payments.pix());
  await sandbox.webhooks.idle();
  await sandbox.clock.advance('30s');
  expect(events).toEqual(['transaction.waiting_payment']);
  expect(sandbox).toHaveDeliveredEverything();
  expect(sandbox).toHaveFiredEveryFault();

  let calls = 0;
  const silent = () => (++calls === 1 ? new Promise(() => undefined) : new Response());
  sandbox.webhooks.connect(silent, { events: ['transaction.waiting_payment'] });
  await platform.payments.create(samples.payments.pix());
  await sandbox.clock.advance('1m');
  expect(calls).toBe(2);

  sandbox.faults.add({ operation: 'webhooks.list', fault: 'hang' });
  const outcome = expect(platform.webhooks.list({ timeout: 5_000, maxRetries: 0 })).rejects.toThrow();
  await jest.advanceTimersByTimeAsync(5_000);
  await outcome;

  const http = { all: (predicate, resolver) => ({ predicate, resolver }) };
  const [{ predicate, resolver }] = testing.sandboxHandlers(sandbox, { http });
  const request = new Request(sandbox.clientOptions().baseUrl + '/nowhere');
  expect(predicate.test(request.url)).toBe(true);
  expect((await resolver({ request })).status).toBe(404);

  platform.close();
  await sandbox.close();
  jest.useFakeTimers({ advanceTimers: true });
});
`;
