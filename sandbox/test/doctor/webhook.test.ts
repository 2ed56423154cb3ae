import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReceiver, memoryDedupe, sign, toNodeHandler } from '../../../src/webhooks/index.js';
import { findFreePort } from '../../../test/support/free-port.js';
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
    const diagnosis = await examine(client, { charge: true, webhookUrl: url, timeout: 2_000 });
    expect(findResult(diagnosis, 'webhook.delivery')).toMatchObject({
      status: 'failed',
      message: 'No delivery arrived within 2 s (0 others did).',
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

  test('does not show the idempotency key of its payment if the outcome is unknown', async () => {
    const { sandbox, client, url } = await served();
    const diagnosis = await examine(client, {
      charge: true,
      webhookUrl: url,
      onCheck: ({ name }) =>
        name === 'webhook.endpoint' &&
        sandbox.faults.add({ operation: 'payments.create', fault: { status: 502 }, times: 9 }),
    });
    const { message } = findResult(diagnosis, 'webhook.delivery');
    expect(message).toContain('Call payments.reconcile with the same key ([redacted])');
    const keys = sandbox.journal.requests.flatMap(({ idempotencyKey = [] }) => idempotencyKey);
    expect(keys).not.toEqual([]);
    for (const key of keys) expect(JSON.stringify(diagnosis)).not.toContain(key);
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
      message: 'A signed delivery got 200. Unsigned, forged and old ones were rejected.',
    });
    expect(handled).toEqual([]);
  });

  test('fails the check if its webhook secret differs from the doctor’s', async () => {
    const { client, url } = await startOwn();
    const diagnosis = await examine(client, { webhookUrl: url, webhookSecret: 'another-secret-0123456789' });
    expect(findResult(diagnosis, 'webhook.delivery')).toMatchObject({
      status: 'failed',
      message: 'A signed delivery got 400.',
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

  type Judge = (headers: IncomingHttpHeaders, body: string) => number;

  /** Starts a receiver that returns the status of a function for each delivery. */
  async function startJudging(judge: Judge) {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      response.writeHead(judge(request.headers, Buffer.concat(chunks).toString())).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  }

  const hasSignatureOf = (headers: IncomingHttpHeaders, body: string, timestamp: string) =>
    headers['x-service-signature'] === sign({ body, secret, timestamp })['x-service-signature'];

  test.each<[string, Judge, string, string]>([
    [
      'a receiver that accepts deliveries without headers',
      (headers: IncomingHttpHeaders, body: string) => {
        const timestamp = headers['x-service-timestamp'];
        return timestamp === undefined || hasSignatureOf(headers, body, String(timestamp)) ? 200 : 400;
      },
      'The receiver accepted an unsigned delivery, one without a timestamp, a ten-minute-old delivery, one from ten minutes ahead.',
      'The receiver does not check signatures',
    ],
    [
      'a receiver that only checks that the headers exist',
      (headers: IncomingHttpHeaders) => (headers['x-service-signature'] ? 200 : 400),
      'The receiver accepted one with another secret, a forged one, one without a timestamp, a ten-minute-old delivery, one from ten minutes ahead.',
      'The receiver does not check signatures',
    ],
    [
      'a receiver that ignores the timestamp',
      (headers: IncomingHttpHeaders, body: string) =>
        hasSignatureOf(headers, body, String(headers['x-service-timestamp'])) ? 204 : 401,
      'The receiver accepted one without a timestamp, a ten-minute-old delivery, one from ten minutes ahead.',
      'It does not check timestamps',
    ],
    ...['', 'undefined', 'None'].map(
      (missing) =>
        [
          `a receiver that reads a missing timestamp as "${missing}"`,
          (headers: IncomingHttpHeaders, body: string) => {
            const timestamp = String(headers['x-service-timestamp'] ?? missing);
            const isOld = Math.abs(Date.now() / 1_000 - Number(timestamp)) > 300;
            const isRight = hasSignatureOf(headers, body, timestamp);
            return (timestamp === missing || !isOld) && isRight ? 200 : 401;
          },
          'The receiver accepted one without a timestamp.',
          'It does not check timestamps',
        ] as [string, Judge, string, string],
    ),
    [
      'a receiver that accepts deliveries of the last hour',
      (headers: IncomingHttpHeaders, body: string) => {
        const timestamp = String(headers['x-service-timestamp']);
        const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) < 3_600;
        return isRecent && hasSignatureOf(headers, body, timestamp) ? 200 : 401;
      },
      'The receiver accepted a ten-minute-old delivery, one from ten minutes ahead.',
      'It does not check timestamps',
    ],
    [
      'a receiver that accepts deliveries of the last day',
      (headers: IncomingHttpHeaders, body: string) => {
        const timestamp = String(headers['x-service-timestamp']);
        const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) < 86_400;
        return isRecent && hasSignatureOf(headers, body, timestamp) ? 200 : 401;
      },
      'The receiver accepted a ten-minute-old delivery, one from ten minutes ahead.',
      'It does not check timestamps',
    ],
  ])('fails the check for %s', async (_, judge, message, remedy) => {
    const { client } = await served();
    const url = await startJudging(judge);
    const diagnosis = await examine(client, { webhookUrl: url, webhookSecret: secret });
    expect(diagnosis.ok).toBe(false);
    expect(findResult(diagnosis, 'webhook.delivery')).toEqual({
      status: 'failed',
      message,
      remedy: expect.stringContaining(remedy),
    });
  });

  test('fails the check for a receiver that accepts unsigned deliveries even if the secret is unknown', async () => {
    const { client } = await served();
    const careless = await startJudging(() => 200);
    expect(findResult(await examine(client, { webhookUrl: careless }), 'webhook.delivery')).toMatchObject({
      status: 'failed',
      message:
        'The receiver accepted an unsigned delivery, one with another secret, one with an empty signature.',
    });
    const { url } = await startOwn();
    expect(findResult(await examine(client, { webhookUrl: url }), 'webhook.delivery')).toMatchObject({
      status: 'skipped',
      message: expect.stringContaining("The endpoint's secret is unknown"),
    });
  });

  test('examines a receiver that listens only on the IPv6 loopback address', async (context) => {
    const server = createServer((_, response) => response.writeHead(200).end());
    server.listen(0, '::1');
    const isThere = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]);
    if (!isThere) return context.skip('This machine has no IPv6.');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { client } = await served();
    const webhookUrl = `http://[::1]:${(server.address() as AddressInfo).port}/webhooks`;
    expect(findResult(await examine(client, { webhookUrl }), 'webhook.delivery').status).toBe('failed');
  });
});
