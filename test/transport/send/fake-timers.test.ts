import { PaymentPlatform } from 'payment-platform';
import { expect, onTestFinished, test, vi } from 'vitest';
import { paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

test.each([
  ['before the package is loaded', true],
  ['after the package is loaded', false],
])('calls on an idle connection do not wait for fake timers that are installed %s', async (_, isBefore) => {
  const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(paid)))));
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  if (isBefore) vi.resetModules();
  const loaded = isBefore ? await import('payment-platform') : { PaymentPlatform };
  const options = { baseUrl: server.url, clientId: 'client-id', clientSecret: 'client-secret' };
  const platform = opens(new loaded.PaymentPlatform(options));
  for (const idempotencyKey of ['order-1', 'order-2', 'order-3'])
    expect(await platform.payments.create(pix, { idempotencyKey })).toMatchObject({ id: paid.id });
});

test('calls on an idle connection work without setImmediate, which jsdom in Jest removes', async () => {
  const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(paid)))));
  vi.resetModules();
  vi.stubGlobal('setImmediate', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  const loaded = await import('payment-platform');
  const options = { baseUrl: server.url, clientId: 'client-id', clientSecret: 'client-secret' };
  const platform = opens(new loaded.PaymentPlatform(options));
  for (const idempotencyKey of ['order-1', 'order-2'])
    expect(await platform.payments.create(pix, { idempotencyKey })).toMatchObject({ id: paid.id });
});
