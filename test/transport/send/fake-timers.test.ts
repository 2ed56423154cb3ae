import { expect, test, vi } from 'vitest';
import { paid, pix } from '../../support/payments.js';
import { formatResponse, rawServer } from '../../support/raw-server.js';
import { closedAfterEach } from '../../support/resources.js';

const opens = closedAfterEach();

test.each([
  ['before the package was loaded', true],
  ['after the package was loaded', false],
])('calls on an idle connection do not wait for fake timers that were installed %s', async (_, isEarly) => {
  const server = opens(await rawServer(({ socket }) => socket.write(formatResponse(JSON.stringify(paid)))));
  if (isEarly) vi.resetModules();
  vi.useFakeTimers();
  try {
    const { PaymentPlatform } = await import('payment-platform');
    const platform = opens(
      new PaymentPlatform({ baseUrl: server.url, clientId: 'client-id', clientSecret: 'client-secret' }),
    );
    for (const idempotencyKey of ['order-1', 'order-2', 'order-3'])
      expect(await platform.payments.create(pix, { idempotencyKey })).toMatchObject({ id: paid.id });
  } finally {
    vi.useRealTimers();
  }
});
