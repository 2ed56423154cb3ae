import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReceiver, memoryDedupe, toNodeHandler } from '../../../src/webhooks/index.js';
import { findFreePort } from '../../../tools/free-port.js';
import type { SandboxOptions } from '../../index.js';
import { sandboxForTest, startReceiver } from '../support.js';
import { examine, findResult, namesWith, startGateway } from './support.js';

const secret = 'webhook-secret-0123456789';

/**
 * Starts a sandbox on this machine's clock, and returns its client's options and a URL without a listener.
 */
async function served(options: SandboxOptions = {}) {
  const sandbox = sandboxForTest({ now: undefined, ...options });
  const { clientOptions } = await sandbox.listen();
  return { sandbox, client: clientOptions(), url: `http://127.0.0.1:${await findFreePort()}/webhooks` };
}

describe('the doctor’s webhook check', () => {
  test.each([
    ['base64', 'milliseconds', 'base64', 'milliseconds'],
    ['hex', 'iso', 'hex', 'ISO 8601 or another form'],
  ] as const)(
    'reports a delivery’s signature in %s and its timestamp in %s',
    async (encoding, timestamp, signature, unit) => {
      const { client, url } = await served({ signature: { encoding, timestamp } });
      const diagnosis = await examine(client, { charge: true, webhookUrl: url });
      expect(findResult(diagnosis, 'webhook.delivery')).toMatchObject({
        status: 'ok',
        message: `transaction.waiting_payment arrived. The signature is valid: ${signature}; the timestamp is in ${unit}.`,
      });
    },
  );

  test('fails with a signature mismatch if a gateway rewrites the delivery’s body', async () => {
    const { sandbox, client, url } = await served();
    const gateway = await startGateway(url, {
      request: (message) => {
        message.body = Buffer.from(JSON.stringify(JSON.parse(message.body.toString()), undefined, 1));
      },
    });
    const webhookPort = Number(new URL(url).port);
    const diagnosis = await examine(client, { charge: true, webhookUrl: `${gateway}/webhooks`, webhookPort });
    expect(namesWith(diagnosis, 'failed')).toEqual(['webhook.delivery']);
    expect(findResult(diagnosis, 'webhook.delivery').message).toContain('The signature does not match.');
    expect(sandbox.webhooks.endpoints).toEqual([]);
  });

  test('fails if no delivery arrives, and removes its endpoint', async () => {
    const { sandbox, client, url } = await served();
    sandbox.webhooks.faults.add({ fault: 'drop', times: 100 });
    const diagnosis = await examine(client, { charge: true, webhookUrl: url, timeout: 1 });
    expect(findResult(diagnosis, 'webhook.delivery')).toMatchObject({
      status: 'failed',
      message: 'No delivery arrived within 0.001 s (0 others did).',
    });
    expect(sandbox.webhooks.endpoints).toEqual([]);
  });

  test('leaves no endpoint behind if it is interrupted', async () => {
    const { sandbox, client, url } = await served();
    sandbox.webhooks.faults.add({ fault: 'drop', times: 100 });
    const interruption = new AbortController();
    const diagnosis = await examine(client, {
      charge: true,
      webhookUrl: url,
      signal: interruption.signal,
      onCheck: ({ name }) => name === 'webhook.endpoint' && interruption.abort(),
    });
    expect(findResult(diagnosis, 'webhook.endpoint').message).toContain('was registered');
    expect(findResult(diagnosis, 'webhook.delivery').status).toBe('skipped');
    expect(findResult(diagnosis, 'webhook.cleanup').message).toContain('was removed');
    expect(sandbox.webhooks.endpoints).toEqual([]);
  });

  test('requires the option charge', async () => {
    const { sandbox, client, url } = await served();
    const diagnosis = await examine(client, { webhookUrl: url });
    expect(findResult(diagnosis, 'webhook.endpoint').message).toContain('needs charge (--charge)');
    expect(
      sandbox.journal.requests.filter(({ method }) => method === 'POST').map(({ path }) => path),
    ).not.toContain('/v1/webhooks');
  });

  test('leaves an existing endpoint unchanged', async () => {
    const { sandbox, client, url } = await served();
    sandbox.webhooks.register({ url, secret });
    const before = sandbox.webhooks.endpoints;
    const unknown = await examine(client, { charge: true, webhookUrl: url });
    expect(findResult(unknown, 'webhook.delivery')).toEqual({
      status: 'skipped',
      message: expect.stringContaining("The endpoint's secret is unknown"),
    });
    const known = await examine(client, { charge: true, webhookUrl: url, webhookSecret: secret });
    expect(findResult(known, 'webhook.delivery').status).toBe('ok');
    expect(findResult(known, 'webhook.cleanup').message).toBe('Nothing was changed.');
    expect(sandbox.webhooks.endpoints).toEqual(before);
  });

  test('fails if the limit of three endpoints is reached', async () => {
    const { sandbox, client, url } = await served();
    for (const number of [1, 2, 3]) sandbox.webhooks.register({ url: `https://shop.example/${number}` });
    const diagnosis = await examine(client, { charge: true, webhookUrl: url });
    expect(findResult(diagnosis, 'webhook.endpoint')).toMatchObject({
      status: 'failed',
      message: '3 endpoints are registered, which is the limit.',
    });
  });

  test('warns if the platform does not delete the endpoint that the check registered', async () => {
    const { sandbox, client, url } = await served();
    const gateway = await startGateway(client.baseUrl, {
      request: ({ headers }, path) => {
        if (path.startsWith('/_sandbox')) headers.origin = 'https://other.example';
      },
    });
    const diagnosis = await examine({ ...client, baseUrl: gateway }, { charge: true, webhookUrl: url });
    expect(findResult(diagnosis, 'webhook.cleanup')).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/^Endpoint \S+ stays registered/),
    });
    expect(sandbox.webhooks.endpoints).toHaveLength(1);
  });
});

describe('a merchant’s receiver, checked by the doctor', () => {
  /** Starts a receiver of this package, registered with the sandbox. */
  async function startOwn() {
    const { sandbox, client } = await served();
    const handled: string[] = [];
    const receiver = createReceiver({
      secret,
      dedupe: memoryDedupe(),
      on: { 'transaction.paid': ({ id }) => void handled.push(String(id)) },
    });
    const server = createServer(toNodeHandler(receiver)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
    sandbox.webhooks.register({ url, secret });
    return { client, url, handled };
  }

  test('accepts the doctor’s signed delivery, rejects its forged one, and calls no handler', async () => {
    const { client, url, handled } = await startOwn();
    const diagnosis = await examine(client, { webhookUrl: url, webhookSecret: secret });
    expect(findResult(diagnosis, 'webhook.endpoint').message).toContain('is active and signs its deliveries');
    expect(findResult(diagnosis, 'webhook.delivery')).toEqual({
      status: 'ok',
      message: 'A signed delivery got 200, a forged one 400.',
    });
    expect(handled).toEqual([]);
  });

  test('fails the check if its webhook secret differs from the doctor’s', async () => {
    const { client, url } = await startOwn();
    const diagnosis = await examine(client, { webhookUrl: url, webhookSecret: 'another-secret-0123456789' });
    expect(findResult(diagnosis, 'webhook.delivery')).toMatchObject({
      status: 'failed',
      message: 'A signed delivery got 400, a forged one 400.',
    });
  });

  test('fails the check if it accepts a forged delivery', async () => {
    const { client } = await served();
    const { url } = await startReceiver();
    const diagnosis = await examine(client, { webhookUrl: url, webhookSecret: secret });
    expect(findResult(diagnosis, 'webhook.endpoint').message).toContain('The URL is not registered.');
    expect(findResult(diagnosis, 'webhook.delivery')).toMatchObject({
      status: 'failed',
      remedy: 'The receiver does not check signatures: use createReceiver or verify.',
    });
  });
});
