import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConnectionError, PaymentPlatform } from '../../../src/index.js';
import { samples, sandboxHandlers } from '../../testing/index.js';
import { sandboxForTest } from '../support.js';

/** Creates a client that knows only the sandbox's address and credentials, with msw in between. */
function intercepted(baseUrl?: string, engine?: 'fetch') {
  const sandbox = sandboxForTest();
  const { fetch: _, baseUrl: own, ...credentials } = sandbox.clientOptions();
  const server = setupServer(
    ...sandboxHandlers(sandbox, { http, baseUrl }),
    http.get('https://elsewhere.example/', () => HttpResponse.text('elsewhere')),
  );
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  const platform = new PaymentPlatform({
    ...credentials,
    baseUrl: baseUrl ?? own,
    maxRetries: 0,
    ...(engine === 'fetch' && { fetch: (input, init) => fetch(input, init) }),
  });
  return { sandbox, platform };
}

describe.each([undefined, 'fetch'] as const)('sandboxHandlers with the engine %s', (engine) => {
  test.each([undefined, 'https://api.merchant.example', 'https://api.merchant.example/gateway(1)/'])(
    'respond to every request if the baseUrl is %s',
    async (baseUrl) => {
      const { sandbox, platform } = intercepted(baseUrl, engine);
      const payment = await platform.payments.create(samples.payments.boleto());
      const file = await platform.payments.boleto(payment.id);
      expect(Buffer.from(file.bytes).toString('latin1')).toMatch(/^%PDF/);
      const { registration_id } = await platform.onboarding.submitPf(samples.onboarding.pf());
      expect(sandbox.control.onboarding.documents(registration_id)).toHaveProperty('selfie');
      expect(sandbox.journal.requests.map(({ path, status }) => [path.split('?')[0], status])).toEqual([
        ['/v1/payments', 201],
        [`/v1/payments/${payment.id}/boleto`, 200],
        ['/v2/submerchants/onboarding/pf', 202],
      ]);
    },
  );

  test.each(['reset', 'truncate', { status: 503 }] as const)(
    'pass the fault %j on to the client',
    async (fault) => {
      const { sandbox, platform } = intercepted(undefined, engine);
      sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault });
      await expect(platform.payments.create(samples.payments.pix())).rejects.toMatchObject({
        outcome: 'unknown',
      });
      expect(sandbox.ledger.charges).toHaveLength(1);
      expect(sandbox.faults.fired).toHaveLength(1);
    },
  );

  test('turn a lost connection in the sandbox into a network error', async () => {
    const { sandbox, platform } = intercepted(undefined, engine);
    sandbox.faults.add({ fault: 'reset' });
    await expect(platform.webhooks.list()).rejects.toBeInstanceOf(ConnectionError);
  });
});

test('sandboxHandlers does not handle requests to other hosts and paths', async () => {
  const { sandbox } = intercepted('https://elsewhere.example/gateway');
  expect(await (await fetch('https://elsewhere.example/')).text()).toBe('elsewhere');
  expect(sandbox.journal.requests).toEqual([]);
});

test.each<[string, unknown]>([
  ["http is required: import { http } from 'msw', and pass it", {}],
  ["http must be http of msw: import { http } from 'msw'", { http: {} }],
  ['must be an object with http', undefined],
  ['baseUrl must be a URL', { http, baseUrl: 'api' }],
  ['baseURL is an unknown option. Did you mean baseUrl?', { http, baseURL: 'https://a.example' }],
])('sandboxHandlers rejects its options: %s', (message, options) => {
  const make = () => sandboxHandlers(sandboxForTest(), options as { http: typeof http });
  expect(make).toThrow(TypeError);
  expect(make).toThrow(`sandboxHandlers: ${message}`);
});
