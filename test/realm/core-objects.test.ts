import { createServer, type Server } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { PaymentPlatform, type PaymentPlatformError } from 'payment-platform';
import { createReceiver, sign, verify } from 'payment-platform/webhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { pf } from '../support/onboarding.js';
import { pix } from '../support/payments.js';

// This file runs in Vitest's `vmThreads`, where Node's core throws errors of another realm, as in Jest.

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Returns a loopback address at which nothing listens. */
async function unusedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** Starts a server that accepts every request with the onboarding's response. */
async function acceptingServer(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(202, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ registration_id: '0b7e2b0a-6f0c-4a8e-9f0e-1c2d3e4f5a6b', status: 'submitted' }),
      );
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const clientOf = (baseUrl: string, options = {}) =>
  new PaymentPlatform({
    baseUrl,
    clientId: 'merchant',
    clientSecret: 'secret-secret',
    maxRetries: 0,
    ...options,
  });

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('the call resolved')),
    (error: PaymentPlatformError & { readonly cause: Error & { readonly code?: string } }) => error,
  );

test('errors of Node’s core belong to another realm than the tests in this file', async () => {
  const { port } = new URL(await unusedAddress());
  const error = await new Promise((resolve) =>
    createConnection(Number(port), '127.0.0.1').on('error', resolve),
  );
  expect(error).not.toBeInstanceOf(Error);
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

describe.each([
  ['node:http', {}],
  ['fetch', { fetch: globalThis.fetch }],
])('in another realm, over %s', (_engine, options) => {
  test('a refused connection names its code, and the cause keeps message and code', async () => {
    const address = await unusedAddress();
    const error = await failure(clientOf(address, options).webhooks.list());
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-executed' });
    expect(error.message).toContain('the connection failed (ECONNREFUSED)');
    let { cause } = error;
    while (cause.code === undefined && cause.cause !== undefined) cause = cause.cause as typeof cause;
    expect(cause).toMatchObject({ code: 'ECONNREFUSED', message: expect.stringContaining('ECONNREFUSED') });
  });

  test('a connection that is reset after the request keeps its code, and the outcome is unknown', async () => {
    const server = createServer((request) => request.socket.resetAndDestroy());
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const payment = clientOf(`http://127.0.0.1:${port}`, options).payments.create(pix);
    const error = await failure(payment);
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
    expect(error.cause.message).not.toBe('a value that is not an Error was thrown');
  });

  test('a missing file is called missing', async () => {
    const client = clientOf(await unusedAddress(), options);
    const error = await failure(client.onboarding.submitPf({ ...pf, selfie: '/nonexistent.jpg' }));
    expect(error.message).toContain('ENOENT');
    expect(error.message).not.toContain('unknown error');
  });

  test('a stream of Node that fails names its code', async () => {
    const broken = new Readable({ read: () => undefined });
    broken.on('error', () => undefined);
    broken.destroy(runInNewContext("Object.assign(new Error('lost'), { code: 'ECONNRESET' })"));
    await new Promise((resolve) => broken.once('close', resolve));
    const error = await failure(
      clientOf(await unusedAddress(), options).onboarding.submitPf({ ...pf, selfie: broken }),
    );
    expect(error.message).toContain('cannot be read (ECONNRESET)');
  });

  test('a signal of another realm aborts the call', async () => {
    const controller = new AbortController();
    controller.abort(runInNewContext("new Error('the customer left')"));
    const call = clientOf(await unusedAddress(), options).webhooks.list({ signal: controller.signal });
    expect((await failure(call)).outcome).toBe('not-executed');
  });
});

test.each([
  ['bytes', 'Uint8Array.from([0xff, 0xd8, 0xff, 0xe0])'],
  ['a buffer', 'Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]).buffer'],
])('%s of another realm are a file', async (_name, source) => {
  const client = clientOf(await acceptingServer(), { fetch: globalThis.fetch });
  const form = { ...pf, selfie: runInNewContext(source) };
  expect(await client.onboarding.submitPf(form)).toMatchObject({ status: 'submitted' });
});

test('a file URL of Node’s core is a file', async () => {
  const client = clientOf(await acceptingServer(), { fetch: globalThis.fetch });
  const form = { ...pf, selfie: pathToFileURL('package.json') };
  expect(await client.onboarding.submitPf(form)).toMatchObject({ status: 'submitted' });
});

test.each([
  ['a Date', "new Date('2030-01-01T00:00:00Z')", '2030-01-01T00:00:00.000Z'],
  ['a plain object', '({ a: [1] })', { a: [1] }],
])('%s of another realm in a body is sent as JSON writes it', async (_name, source, expected) => {
  let sent: unknown;
  const fetch = (_url: unknown, init?: RequestInit) => {
    sent = JSON.parse(String(init?.body)).metadata;
    return Promise.resolve(new Response('{}', { status: 500 }));
  };
  const client = clientOf('https://api.platform.example', { fetch });
  await failure(client.payments.create({ ...pix, metadata: { value: runInNewContext(source) } }));
  expect(sent).toEqual({ value: expected });
});

test.each([
  ['a Map', 'new Map()', 'not an instance of Map'],
  ['a Promise', 'Promise.resolve(1)', 'is a Promise. Await it first'],
  ['bytes', 'new Uint8Array(2)', 'not bytes'],
])('%s of another realm in a body is rejected', async (_name, source, says) => {
  const client = clientOf('https://api.platform.example');
  const call = client.payments.create({ ...pix, metadata: { value: runInNewContext(source) } });
  expect((await failure(call)).message).toContain(says);
});

describe('a delivery in another realm', () => {
  const secret = 'whsec_0123456789abcdef';
  const body = JSON.stringify({ event: 'transaction.paid', id: 'p-1', status: 'paid' });
  const signed = () => sign({ body, secret });

  test.each([
    ['a string', body],
    ['a Buffer', Buffer.from(body)],
    ['bytes of another realm', runInNewContext('Uint8Array.from(bytes)', { bytes: [...Buffer.from(body)] })],
    [
      'a buffer of another realm',
      runInNewContext('Uint8Array.from(bytes).buffer', { bytes: [...Buffer.from(body)] }),
    ],
    ['a stream of Node', undefined],
  ])('is accepted as %s', async (_name, form) => {
    const receiver = createReceiver({ secret, dedupe: false, on: { 'transaction.paid': () => undefined } });
    const input = form ?? Readable.from([Buffer.from(body)]);
    const { status } = await receiver.receive({ body: input, headers: signed() });
    expect(status).toBe(200);
  });

  test('is verified at a Date of another realm', () => {
    const now = runInNewContext('new Date(now)', { now: Date.now() });
    expect(verify({ body, headers: signed() }, { secret, now })).toMatchObject({ id: 'p-1' });
  });

  test('whose stream fails names the stream’s code', async () => {
    const rejected: string[] = [];
    const receiver = createReceiver({
      secret,
      dedupe: false,
      on: {},
      onRejected: (error: Error) => void rejected.push(error.message),
    });
    const broken = new Readable({
      read() {
        this.destroy(runInNewContext("Object.assign(new Error('lost'), { code: 'ECONNRESET' })"));
      },
    });
    await receiver.receive({ body: broken, headers: signed() });
    expect(rejected.join()).toContain('ECONNRESET');
  });
});
