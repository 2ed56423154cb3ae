import { Agent } from 'node:http';
import { PaymentPlatform, type PaymentPlatformError } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import { expect, test } from 'vitest';
import { catchError } from '../../../test/support/engines.js';
import { pix } from '../../../test/support/payments.js';
import { closedAfterEach } from '../../../test/support/resources.js';

const opens = closedAfterEach();

/**
 * Imitates docker-compose with a sandbox as a service. A client in another container resolves the service's
 * name.
 */
async function services(allowedHosts: readonly string[]) {
  const sandbox = opens(createSandbox());
  const server = await sandbox.listen({ host: '0.0.0.0', allowedHosts });
  const agent = new Agent({ lookup: (_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) });
  const baseUrl = `http://sandbox:${server.port}`;
  const options = { ...server.clientOptions(), baseUrl, agent, insecureHosts: ['sandbox'] };
  return { sandbox, platform: opens(new PaymentPlatform(options)) };
}

test('a client reaches the sandbox by the name of its docker-compose service', async () => {
  const { sandbox, platform } = await services(['sandbox']);
  await platform.payments.create(pix);
  expect(sandbox.ledger.charges).toHaveLength(1);
});

test('a client cannot reach the sandbox by a docker-compose service name that is missing from allowedHosts', async () => {
  const { sandbox, platform } = await services([]);
  const error = await catchError<PaymentPlatformError>(platform.payments.create(pix));
  expect(error).toMatchObject({ status: 421, outcome: 'not-executed' });
  expect(error.message).toContain("listen({ allowedHosts: ['name'] })");
  expect(sandbox.ledger.charges).toHaveLength(0);
});
