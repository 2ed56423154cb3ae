import { PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { catchError, clientOn, onBothEngines } from './support/engines.js';
import { findFreePort } from './support/free-port.js';
import { pix } from './support/payments.js';
import { closedAfterEach } from './support/resources.js';

const opens = closedAfterEach();
afterEach(() => void vi.useRealTimers());

onBothEngines((engine) => {
  describe('platform.warmUp', () => {
    test('sends no request for a client with credentials in headers', async () => {
      const sandbox = opens(createSandbox());
      const server = await sandbox.listen();
      const platform = opens(clientOn(engine, server.url, server.clientOptions()));
      await platform.warmUp();
      expect(sandbox.journal.requests).toEqual([]);
      await platform.payments.create(pix);
      expect(sandbox.journal.requests.map(({ operation }) => operation)).toEqual(['payments.create']);
    });

    test('requests the access token once, and the first call then uses that token', async () => {
      const sandbox = opens(createSandbox());
      const server = await sandbox.listen();
      const platform = opens(clientOn(engine, server.url, { ...server.clientOptions(), auth: 'oauth' }));
      await Promise.all([platform.warmUp(), platform.warmUp()]);
      await platform.webhooks.list();
      expect(sandbox.journal.requests.map(({ operation }) => operation)).toEqual([
        'oauth.token',
        'webhooks.list',
      ]);
    });

    test('rejects with the error of the token request, and the client can still be used', async () => {
      const sandbox = opens(createSandbox());
      const server = await sandbox.listen();
      const platform = opens(
        clientOn(engine, server.url, { ...server.clientOptions(), auth: 'oauth', maxRetries: 0 }),
      );
      sandbox.faults.add({ operation: 'oauth.token', fault: { status: 503 } });
      expect(await catchError(platform.warmUp())).toMatchObject({
        name: 'ServerError',
        outcome: 'not-executed',
      });
      await expect(platform.webhooks.list()).resolves.toEqual({ data: [] });
    });

    test('ends at the client’s timeout', async () => {
      const sandbox = opens(createSandbox());
      const server = await sandbox.listen();
      const platform = opens(
        clientOn(engine, server.url, { ...server.clientOptions(), auth: 'oauth', timeout: 50 }),
      );
      sandbox.faults.add({ operation: 'oauth.token', fault: 'hang' });
      expect(await catchError(platform.warmUp())).toMatchObject({ name: 'TimeoutError' });
    });
  });
});

/** Disposes as `await using` does, by the native symbol or by the symbol that compilers emit. */
const dispose = async (resource: object) => {
  const key = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
  await (resource as Record<symbol, () => Promise<void>>)[key]?.();
};

test('`await using` closes a client and a sandbox at the end of the block', async () => {
  const sandbox = createSandbox();
  const { url: baseUrl } = await sandbox.listen({ port: await findFreePort() });
  const platform = new PaymentPlatform(sandbox.clientOptions());
  const closing = vi.spyOn(platform, 'close');
  await dispose(platform);
  expect(closing).toHaveBeenCalledOnce();
  await dispose(sandbox);
  await expect(fetch(baseUrl)).rejects.toThrow();
});
