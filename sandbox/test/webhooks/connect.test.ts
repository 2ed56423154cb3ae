import { describe, expect, test, vi } from 'vitest';
import { createReceiver } from '../../../src/webhooks/index.js';
import type { Sandbox } from '../../index.js';
import { call, openCard, pay, pix, sandboxForTest, signal, startReceiver } from '../support.js';

const secret = 'a-secret-of-the-merchant';
const waiting = 'transaction.waiting_payment';
const paid = 'transaction.paid';

const ok = () => new Response('ok');

const states = (sandbox: Sandbox) =>
  sandbox.webhooks.deliveries.map(({ state, status, error }) => [state, status ?? error]);

describe('a function as an endpoint', () => {
  test('receives deliveries that createReceiver verifies, handles once and acknowledges', async () => {
    const sandbox = sandboxForTest();
    const handled: unknown[] = [];
    const receiver = createReceiver({
      secret,
      now: () => sandbox.clock.now(),
      on: { [paid]: (event) => void handled.push([event.event, event.id]) },
    });
    sandbox.webhooks.connect(receiver.fetch, { secret });
    const { body } = await pay(sandbox, pix());
    sandbox.control.payments.pay(String(body.id));
    sandbox.webhooks.faults.add({ event: paid, fault: 'duplicate' });
    await sandbox.webhooks.idle();
    expect(handled).toEqual([[paid, body.id]]);
    expect(new Set(states(sandbox).map(String))).toEqual(new Set(['delivered,200']));
  });

  test('receives each delivery as a Request, and not during the call that caused it', async () => {
    const sandbox = sandboxForTest();
    const requests: Request[] = [];
    const endpoint = sandbox.webhooks.connect(
      (request) => {
        requests.push(request);
        return ok();
      },
      { events: [waiting], secret },
    );
    const pending = pay(sandbox, pix());
    expect(requests).toEqual([]);
    const { body } = await pending;
    await sandbox.webhooks.idle();
    const [request] = requests;
    expect(request).toBeInstanceOf(Request);
    expect(request?.url).toBe(endpoint.endpoint);
    expect(request?.method).toBe('POST');
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(request?.headers.get('user-agent')).toBe('Service-Webhook/1.0');
    expect(request?.headers.get('x-service-signature')).toMatch(/^[0-9a-f]{64}$/);
    expect(await request?.json()).toMatchObject({ event: waiting, id: body.id });
  });

  test('opens no connection', async () => {
    const network = vi.spyOn(globalThis, 'fetch');
    const sandbox = sandboxForTest();
    sandbox.webhooks.connect(ok);
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    expect(states(sandbox)).toEqual([
      ['delivered', 200],
      ['delivered', 200],
    ]);
    expect(network).not.toHaveBeenCalled();
  });

  test.each<[string, () => Response | Promise<Response>, string | number]>([
    ['throws', () => raise(new Error('no room')), 'no room'],
    ['rejects', () => Promise.reject(new Error('no room')), 'no room'],
    ['responds with a 500', () => new Response('no', { status: 500 }), 500],
    ['redirects', () => Response.redirect('https://elsewhere.example', 302), 302],
    [
      'returns nothing',
      () => undefined as unknown as Response,
      'the receiver must return a Response, not undefined',
    ],
  ])('fails the delivery if it %s, and is called again for the retry', async (_, behaviour, outcome) => {
    const sandbox = sandboxForTest();
    let calls = 0;
    const receive = () => (++calls === 1 ? behaviour() : ok());
    sandbox.webhooks.connect(receive, { events: [waiting] });
    await pay(sandbox, pix());
    await sandbox.clock.advance('30s');
    expect(states(sandbox)).toEqual([
      ['failed', outcome],
      ['delivered', 200],
    ]);
  });

  test('times out if it has not responded after the sandbox’s clock has moved by 30 seconds', async () => {
    const sandbox = sandboxForTest();
    const started = signal<AbortSignal>();
    sandbox.webhooks.connect(
      (request) => {
        started.fire(request.signal);
        return new Promise(() => undefined);
      },
      { events: [waiting] },
    );
    await pay(sandbox, pix());
    const { aborted } = await started.promise;
    expect(aborted).toBe(false);
    await sandbox.clock.advance('30s');
    expect(states(sandbox)[0]).toEqual(['failed', 'no response within 30 seconds']);
    expect((await started.promise).aborted).toBe(true);
  });

  test('makes webhooks.idle and clock.advance wait until it has responded', async () => {
    const sandbox = sandboxForTest();
    const gate = signal();
    sandbox.webhooks.connect(() => gate.promise.then(ok), { events: [waiting] });
    await pay(sandbox, pix());
    const advanced = sandbox.clock.advance('1h').then(() => states(sandbox));
    const idle = sandbox.webhooks.idle().then(() => states(sandbox));
    gate.fire();
    expect(await Promise.all([advanced, idle])).toEqual([[['delivered', 200]], [['delivered', 200]]]);
  });

  test('can call the platform while it handles a delivery', async () => {
    const sandbox = sandboxForTest();
    const seen: number[] = [];
    const receive = async () => {
      seen.push((await call(sandbox, '/v1/webhooks')).status);
      return ok();
    };
    sandbox.webhooks.connect(receive, { events: [waiting] });
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    expect(seen).toEqual([200]);
  });
});

describe('the endpoint of a connected function', () => {
  test('is listed, counts towards the limit, and has a unique URL', async () => {
    const sandbox = sandboxForTest();
    const endpoints = [1, 2, 3].map(() => sandbox.webhooks.connect(ok, { events: [paid] }));
    expect(new Set(endpoints.map(({ endpoint }) => endpoint)).size).toBe(3);
    expect(endpoints[0]).toMatchObject({ status: 'active', events: [paid], hmac_configured: false });
    expect((await call(sandbox, '/v1/webhooks')).body.data).toEqual(endpoints);
    expect(() => sandbox.webhooks.connect(ok)).toThrow(
      'webhooks.connect: the organization already has 3 webhook endpoints',
    );
  });

  test('belongs to the merchant in the options', async () => {
    const sandbox = sandboxForTest();
    const other = sandbox.addMerchant();
    const { id } = sandbox.webhooks.connect(ok, { merchant: other });
    expect((await call(other, '/v1/webhooks')).body.data).toMatchObject([{ id }]);
    expect((await call(sandbox, '/v1/webhooks')).body.data).toEqual([]);
    await pay(other, pix());
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    expect(sandbox.webhooks.deliveries).toHaveLength(2);
  });

  test('receives nothing while it is inactive', async () => {
    const sandbox = sandboxForTest();
    const { id } = sandbox.webhooks.connect(ok);
    sandbox.control.webhooks.setStatus(id, 'inactive');
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    expect(sandbox.webhooks.deliveries).toEqual([]);
    sandbox.control.webhooks.setStatus(id, 'active');
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    expect(sandbox.webhooks.deliveries).toHaveLength(2);
  });

  test('receives deliveries over the network after its URL was changed, and in process with its first URL', async () => {
    const sandbox = sandboxForTest();
    const server = await startReceiver();
    let calls = 0;
    const receive = () => {
      calls += 1;
      return ok();
    };
    const { id, endpoint } = sandbox.webhooks.connect(receive, { events: [waiting] });
    for (const url of [server.url, endpoint]) {
      await call(sandbox, `/v1/webhooks/${id}`, { method: 'PUT', body: { webhook_url: url } });
      await pay(sandbox, pix());
      await sandbox.webhooks.idle();
    }
    expect([server.received.length, calls]).toEqual([1, 1]);
  });
});

test.each<[string, unknown, unknown]>([
  ['the receiver must be a function, such as receiver.fetch', { fetch: ok }, {}],
  ['secrets is an unknown option. Did you mean secret?', ok, { secrets: [secret] }],
  ['secret must be a string', ok, { secret: [secret] }],
  ['events must be a list of event names', ok, { events: paid }],
  ['secret must have at least 16 characters', ok, { secret: 'short' }],
])('webhooks.connect rejects wrong arguments: %s', (message, receive, options) => {
  const { webhooks } = sandboxForTest();
  expect(() => webhooks.connect(receive as typeof ok, options as object)).toThrow(
    `webhooks.connect: ${message}`,
  );
  expect(webhooks.endpoints).toEqual([]);
});

test.each([{}, { clientId: 'nobody' }, 'nobody'])('webhooks.connect rejects the merchant %j', (merchant) => {
  const { webhooks } = sandboxForTest();
  expect(() => webhooks.connect(ok, { merchant: merchant as { clientId: string } })).toThrow(TypeError);
});

function raise(error: Error): never {
  throw error;
}

test.each([
  ['an object without a prototype', () => Object.create(null)],
  [
    'an object whose toString throws',
    () => ({
      toString: () => {
        throw new Error('no');
      },
    }),
  ],
  [
    'an Error whose message throws',
    () =>
      Object.defineProperty(new Error('x'), 'message', {
        get: () => {
          throw new Error('no');
        },
      }),
  ],
])('a delivery fails instead of hanging if its connected function throws %s', async (_, thrown) => {
  const sandbox = sandboxForTest();
  sandbox.webhooks.connect(async () => {
    throw thrown();
  });
  await pay(sandbox, openCard());
  await sandbox.webhooks.idle();
  expect(
    sandbox.webhooks.deliveries.every(({ state, error }) => state === 'failed' && error !== undefined),
  ).toBe(true);
  await sandbox.close();
});
