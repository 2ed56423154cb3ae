import { expect, onTestFinished, test, vi } from 'vitest';
import { PaymentPlatform } from '../../../src/index.js';
import { findFreePort } from '../../../test/support/free-port.js';
import { diagnose } from '../../testing/index.js';
import { sandboxForTest } from '../support.js';
import { examine, findResult, namesWith } from './support.js';

/** Starts a sandbox on this machine's clock, and returns its client's options. */
async function served() {
  const sandbox = sandboxForTest({ now: undefined });
  const { clientOptions } = await sandbox.listen();
  return { sandbox, client: clientOptions() };
}

test('diagnose passes every check of a sandbox, with payments and a webhook', async () => {
  const { sandbox, client } = await served();
  const webhookUrl = `http://127.0.0.1:${await findFreePort()}/webhooks`;
  const diagnosis = await examine(client, { charge: true, webhookUrl });
  expect({ failed: namesWith(diagnosis, 'failed'), warnings: namesWith(diagnosis, 'warning') }).toEqual({
    failed: [],
    warnings: [],
  });
  expect(namesWith(diagnosis, 'skipped')).toEqual(['tls']);
  expect(diagnosis).toMatchObject({ ok: true, drift: [], suggestion: {} });
  expect(sandbox.webhooks.endpoints).toEqual([]);
});

test.each(['connect', 'auth.headers', 'http', 'charge.same-key'] as const)(
  'diagnose marks its remaining checks as skipped, and not as failed, if it is aborted after %s',
  async (last) => {
    const { sandbox, client } = await served();
    const webhookUrl = `http://127.0.0.1:${await findFreePort()}/webhooks`;
    const ending = new AbortController();
    const diagnosis = await examine(client, {
      charge: true,
      webhookUrl,
      signal: ending.signal,
      onCheck: ({ name }) => name === last && ending.abort(),
    });
    expect(namesWith(diagnosis, 'failed')).toEqual([]);
    expect(findResult(diagnosis, 'webhook.delivery')).toEqual({
      status: 'skipped',
      message: 'The diagnosis was ended.',
    });
    expect(diagnosis.ok).toBe(false);
    expect(sandbox.ledger.charges.length).toBe(last === 'charge.same-key' ? 1 : 0);
  },
);

test('diagnose without options sends only read requests and the request for an access token', async () => {
  const { sandbox, client } = await served();
  const diagnosis = await examine(client);
  expect(diagnosis.ok).toBe(true);
  const writes = sandbox.journal.requests.filter(({ method }) => method !== 'GET');
  expect(new Set(writes.map(({ path }) => path))).toEqual(new Set(['/oauth/token']));
  for (const name of ['charge.same-key', 'webhook.endpoint'] as const)
    expect(findResult(diagnosis, name)).toEqual({
      status: 'skipped',
      message: expect.stringContaining('(--'),
    });
});

test('diagnose creates one payment for each idempotency key that it uses', async () => {
  const { sandbox, client } = await served();
  await examine(client, { charge: true });
  const keys = sandbox.ledger.charges.map(({ idempotencyKey }) => idempotencyKey);
  expect(keys).toHaveLength(8);
  expect(new Set(keys).size).toBe(8);
  expect(sandbox.ledger.charges.every(({ amount }) => amount === 100)).toBe(true);
});

test('diagnose shows no secret, no token and no idempotency key', async () => {
  const { sandbox, client } = await served();
  const webhookUrl = `http://127.0.0.1:${await findFreePort()}/webhooks`;
  const printed = JSON.stringify(await examine(client, { charge: true, webhookUrl }));
  const keys = sandbox.ledger.charges.map(({ idempotencyKey }) => idempotencyKey ?? '');
  expect(keys.length).toBeGreaterThan(3);
  for (const secret of [client.clientSecret, 'sandbox-token', ...keys]) expect(printed).not.toContain(secret);
});

test('diagnose skips the checks that are impossible with a custom fetch, and says why', async () => {
  const sandbox = sandboxForTest();
  const diagnosis = await examine(sandbox.clientOptions(), { charge: true, isStaging: true });
  expect(namesWith(diagnosis, 'failed')).toEqual([]);
  expect(namesWith(diagnosis, 'skipped')).toEqual([
    'dns',
    'connect',
    'tls',
    'proxy',
    'http',
    'clock',
    'keep-alive',
    'webhook.endpoint',
    'webhook.delivery',
    'webhook.cleanup',
  ]);
  expect(findResult(diagnosis, 'dns').message).toContain('its own fetch');
});

test('diagnose skips the checks that need sockets if the runtime has none, and says why', async () => {
  const { client } = await served();
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  const diagnosis = await examine(client, { charge: true });
  expect(namesWith(diagnosis, 'failed')).toEqual([]);
  for (const name of ['dns', 'token', 'latency', 'charge.lost-response'] as const)
    expect(findResult(diagnosis, name)).toEqual({
      status: 'skipped',
      message: expect.stringContaining('This runtime has no sockets'),
    });
  expect(findResult(diagnosis, 'charge.same-key').status).toBe('ok');
});

test('diagnose reads the credentials from the environment, and names missing ones', async () => {
  const { client } = await served();
  const platform = new PaymentPlatform(client);
  onTestFinished(() => platform.close());
  vi.stubEnv('PAYMENT_PLATFORM_CLIENT_ID', '');
  vi.stubEnv('PAYMENT_PLATFORM_CLIENT_SECRET', '');
  expect(findResult(await diagnose(platform), 'latency')).toEqual({
    status: 'skipped',
    message: expect.stringContaining('set PAYMENT_PLATFORM_CLIENT_ID'),
  });
  vi.stubEnv('PAYMENT_PLATFORM_CLIENT_ID', client.clientId);
  vi.stubEnv('PAYMENT_PLATFORM_CLIENT_SECRET', client.clientSecret);
  expect(findResult(await diagnose(platform), 'latency').status).toBe('ok');
});

test('diagnose reports each check as soon as it ends', async () => {
  const { client } = await served();
  const seen: string[] = [];
  const { checks } = await examine(client, { onCheck: ({ name }) => seen.push(name) });
  expect(seen).toEqual(checks.map(({ name }) => name));
});

test('diagnose rejects invalid options, and rejects the option charge if the address could be production', async () => {
  const client = { baseUrl: 'https://api.platform.example', clientId: 'shop', clientSecret: 'shop-secret' };
  await expect(examine(client, { charge: true })).rejects.toThrow(
    'diagnose: charge is not allowed on api.platform.example: payments can be real there. If it is staging, pass isStaging: true',
  );
  await expect(examine(client, { webhookUrl: 'http://shop.example' })).rejects.toThrow(
    'webhookUrl must be an https URL, or http on loopback',
  );
  await expect(examine(client, { charges: true } as object)).rejects.toThrow('Did you mean charge?');
  await expect(diagnose({} as PaymentPlatform)).rejects.toThrow('must be a PaymentPlatform client');
});
