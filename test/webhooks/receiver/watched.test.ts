import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';
import {
  createReceiver,
  type DeliveryReport,
  memoryDedupe,
  openTelemetry,
  type SecretSource,
  sign,
  toLambdaHandler,
  toNodeHandler,
  verify,
  verifyAsync,
} from 'payment-platform/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { order } from '../../support/durable.js';
import { paid } from '../../support/payments.js';

const secret = 'a-secret-of-16-characters';
const other = 'another-secret-of-this-shop';

const signed = (id: string, key = secret, event = 'transaction.paid') => {
  const body = JSON.stringify({ ...paid, event, id, customer: { name: 'Ana Souza' } });
  return { body, headers: { ...sign({ body, secret: key }) } as Record<string, string> };
};
const post = (url: string, { body, headers }: ReturnType<typeof signed>) =>
  new Request(url, { method: 'POST', body, headers });

describe('the hook onReceived', () => {
  test('receives every delivery with its outcome, status, duration and id', async () => {
    const reports: DeliveryReport[] = [];
    const receiver = createReceiver({
      secret,
      on: {
        'transaction.paid': (event) => {
          if (event.id === 'b') throw new Error('no stock');
        },
      },
      onReceived: (report) => reports.push(report),
      onError: () => {},
    });
    for (const delivery of [signed('a'), signed('a'), signed('b'), signed('c', other)])
      await receiver.fetch(post('https://shop.example/webhooks/7?source=platform', delivery));
    expect(reports.map(({ outcome, status, reason }) => [outcome, status, reason])).toEqual([
      ['handled', 200, undefined],
      ['duplicate', 200, undefined],
      ['failed', 500, undefined],
      ['rejected', 400, 'signature-mismatch'],
    ]);
    const [first, second, , last] = reports;
    expect(first?.delivery.id).toBe(second?.delivery.id);
    expect(first?.event).toMatchObject({ event: 'transaction.paid', id: 'a' });
    expect(first?.delivery.url).toBe('/webhooks/7?source=platform');
    expect(last).toMatchObject({ event: undefined, delivery: { id: undefined } });
    expect(last?.delivery.url).toBe('/webhooks/7?source=platform');
    for (const { duration } of reports) expect(duration).toEqual(expect.any(Number));
  });

  test('does not change the response if it throws or rejects, and onError receives its error', async () => {
    const failures: unknown[] = [];
    for (const onReceived of [
      () => {
        throw new Error('log is full');
      },
      () => Promise.reject(new Error('log is full')),
    ]) {
      const receiver = createReceiver({ secret, onReceived, onError: (error) => failures.push(error) });
      const delivery = signed('a');
      expect((await receiver.receive(delivery)).status).toBe(200);
    }
    await vi.waitFor(() => expect(failures).toEqual([new Error('log is full'), new Error('log is full')]));
  });
});

describe('the url in the report for onReceived', () => {
  test.each([
    ['a path', '/webhooks/7?a=1', '/webhooks/7?a=1'],
    ['an absolute URL', 'https://shop.example:8443/webhooks/7?a=1', '/webhooks/7?a=1'],
    ['a malformed URL', '//[', '//['],
  ])('contains no origin if the request has %s', async (_form, url, expected) => {
    const reports: DeliveryReport[] = [];
    const receiver = createReceiver({ secret, onReceived: (report) => reports.push(report) });
    const { body, headers } = signed('a');
    const request = { method: 'POST', url, body: null, headers: new Headers(headers) };
    Object.assign(request, { body: new Response(body).body });
    expect((await receiver.fetch(request as unknown as Request)).status).toBe(200);
    expect(reports[0]?.delivery.url).toBe(expected);
  });
});

describe('a function that selects the webhook secret by the request', () => {
  const tenants: Readonly<Record<string, string>> = { '/webhooks/shop-7': secret, '/webhooks/shop-8': other };
  const findSecret = ({ url }: { url: string | undefined }) => tenants[url ?? ''];
  const withSecret = (source: SecretSource) =>
    createReceiver({ secret: source, on: { 'transaction.paid': () => {} }, onError: () => {} });
  const receiver = withSecret(async (request) => findSecret(request));

  test.each<[string, SecretSource]>([
    ['a parameter', findSecret],
    ['a default parameter', (request = { url: '', headers: {} }) => findSecret(request)],
    ['a rest parameter', (...requests) => findSecret(requests[0])],
    [
      'a rest parameter that it reads later',
      async (...requests) => Promise.resolve().then(() => findSecret(requests[0])),
    ],
  ])('with %s makes the receiver accept a delivery only at its tenant’s path', async (_, source) => {
    const receiver = withSecret(source);
    const statuses: number[] = [];
    for (const [path, key] of [
      ['shop-7', secret],
      ['shop-8', other],
      ['shop-7', other],
      ['shop-9', secret],
    ] as const) {
      const response = await receiver.fetch(
        post(`https://shop.example/webhooks/${path}`, signed(path + key, key)),
      );
      statuses.push(response.status);
    }
    expect(statuses).toEqual([200, 200, 400, 400]);
  });

  test('gets the original URL over node:http, even if a framework mounts the handler under a path', async () => {
    for (const mounted of [false, true]) {
      const handler = toNodeHandler(receiver);
      const server = createServer((request, response) => {
        if (mounted) Object.assign(request, { originalUrl: request.url, url: '/' });
        void handler(request, response);
      }).listen(0, '127.0.0.1');
      await new Promise((listening) => server.once('listening', listening));
      const { port } = server.address() as AddressInfo;
      const send = (path: string) =>
        fetch(`http://127.0.0.1:${port}/webhooks/${path}`, {
          method: 'POST',
          ...signed(`${mounted}${path}`),
        });
      expect((await send('shop-7')).status).toBe(200);
      expect((await send('shop-8')).status).toBe(400);
      server.close();
    }
  });

  test.each([
    ['API Gateway v2', { rawPath: '/webhooks/shop-7', rawQueryString: '' }],
    ['a load balancer', { httpMethod: 'POST', path: '/webhooks/shop-7', queryStringParameters: {} }],
  ])('gets the URL from an event of %s', async (_gateway, event) => {
    const handler = toLambdaHandler(receiver);
    expect((await handler({ ...event, ...signed(JSON.stringify(event)) })).statusCode).toBe(200);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('vault is down'))],
    ['returns a short string', () => 'short'],
  ])('causes a 503 if it %s, so that the platform sends the delivery again', async (_what, source) => {
    const errors: unknown[] = [];
    const failing = createReceiver({
      secret: (_request) => source(),
      onError: (error) => errors.push(error),
    });
    expect((await failing.receive(signed('a'))).status).toBe(503);
    expect(errors).toHaveLength(1);
  });
});

describe('the option decodeSignature', () => {
  const { body, headers } = signed('a');
  const hex = headers['x-service-signature'] ?? '';
  const written = (signature: string) => ({
    body,
    headers: { ...headers, 'x-service-signature': signature },
  });

  test.each([
    ['a prefix', `hmac-sha256=${hex}`, (header: string) => header.replace('hmac-sha256=', '')],
    ['several parts', `t=1,v1=${hex}`, (header: string) => /v1=(\w+)/.exec(header)?.[1]],
    [
      'a prefix, as bytes',
      `x:${hex}`,
      (header: string) => Uint8Array.from(Buffer.from(header.slice(2), 'hex')),
    ],
  ])('reads a signature from a header with %s', async (_form, header, decodeSignature) => {
    const delivery = written(header);
    expect(() => verify(delivery, secret)).toThrow(/set the option `decodeSignature`/);
    expect(verify(delivery, { secret, decodeSignature }).event).toBe('transaction.paid');
    expect((await verifyAsync(delivery, { secret, decodeSignature })).event).toBe('transaction.paid');
    const receiver = createReceiver({ secret, decodeSignature, dedupe: false });
    expect((await receiver.receive(delivery)).status).toBe(200);
  });

  test.each([
    ['undefined', () => undefined],
    ['too few bytes', () => new Uint8Array(31)],
    ['a thrown error', () => JSON.parse('{')],
    ['a number', () => 7 as never],
    ['a Promise, whose rejection does not end the process', () => Promise.reject(new Error('x')) as never],
  ])('rejects the delivery if its result is %s', (_what, decodeSignature) => {
    expect(() => verify(written(hex), { secret, decodeSignature })).toThrow(
      expect.objectContaining({ reason: 'malformed-signature' }),
    );
  });

  test('rejects the delivery with the thrown error as the cause if it throws', () => {
    const cause = new Error('odd header');
    const decodeSignature = () => {
      throw cause;
    };
    expect(() => verify(written(hex), { secret, decodeSignature })).toThrow(
      expect.objectContaining({ reason: 'malformed-signature', cause }),
    );
  });

  test.each([
    ['hmac-sha256={signature}', 'hex', (header: string) => header.replace('hmac-sha256=', '')],
    ['t={timestamp},v1={signature}', 'hex', (header: string) => header.split('v1=')[1]],
    ['v1,{signature}', 'base64', (header: string) => Buffer.from(header.slice(3), 'base64')],
  ] as const)(
    'reads the sandbox’s signatures in the format %s and the encoding %s',
    async (format, encoding, decodeSignature) => {
      const sandbox = createSandbox({ signature: { format, encoding } });
      const outcomes: string[] = [];
      const receiver = createReceiver({
        secret,
        decodeSignature,
        dedupe: memoryDedupe(),
        onReceived: ({ outcome }) => outcomes.push(outcome),
      });
      sandbox.webhooks.connect(receiver.fetch, { secret });
      await new PaymentPlatform(sandbox.clientOptions()).payments.create(order, {
        idempotencyKey: 'order-1042',
      });
      await sandbox.webhooks.idle();
      expect(new Set(outcomes)).toEqual(new Set(['unhandled', 'ignored']));
    },
  );

  test('does not accept bytes that differ from the expected signature', () => {
    const decodeSignature = () => new Uint8Array(32);
    expect(() => verify(written(hex), { secret, decodeSignature })).toThrow(
      expect.objectContaining({ reason: 'signature-mismatch' }),
    );
  });
});

describe('a receiver’s telemetry', () => {
  test('does not change a response if it throws everywhere', async () => {
    const fails = () => {
      throw new Error('of the exporter');
    };
    const telemetry = {
      trace: { getTracer: fails, setSpan: fails },
      context: { active: fails, with: fails },
      metrics: { getMeter: fails, getMeterProvider: fails },
    };
    let handled = 0;
    const on = { 'transaction.paid': () => void handled++ };
    const receiver = createReceiver({ secret, telemetry: openTelemetry(telemetry), on });
    expect(await receiver.receive(signed('a'))).toMatchObject({ status: 200, outcome: 'handled' });
    expect(handled).toBe(1);
  });

  test('is rejected when the receiver is created if it is not OpenTelemetry', () => {
    expect(() => createReceiver({ secret, telemetry: {} as never })).toThrow(
      /telemetry must be openTelemetry\(api\)/,
    );
  });
});

describe('a receiver with missing options', () => {
  test('warns once, at its first delivery, that duplicates are remembered in memory only, and returns a 200', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const receiver = createReceiver({ secret, onUnhandled: () => undefined });
    expect(warn).not.toHaveBeenCalled();
    for (const id of ['a', 'b']) expect((await receiver.receive(signed(id))).status).toBe(200);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/Pass dedupe/));
  });

  test.each([
    ['if it has no handlers', {}],
    ['if its object of handlers is empty', { on: {} }],
  ])('warns once %s, and still returns a 200', async (_, options) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const receiver = createReceiver({ secret, dedupe: false, ...options });
    for (const id of ['a', 'b']) expect((await receiver.receive(signed(id))).status).toBe(200);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/no handlers.*Pass on, onUnhandled or enqueue/)],
    ]);
  });

  test('returns a 200 even if the console throws', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {
      throw new Error('of a logger');
    });
    expect((await createReceiver({ secret }).receive(signed('a'))).status).toBe(200);
  });

  test('does not warn if dedupe and onUnhandled are set', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    for (const dedupe of [memoryDedupe(), false as const]) {
      const receiver = createReceiver({ secret, dedupe, onUnhandled() {} });
      expect((await receiver.receive(signed('a'))).status).toBe(200);
    }
    expect(warn).not.toHaveBeenCalled();
  });
});
