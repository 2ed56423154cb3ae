import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import * as entry from '../../src/sandbox/index.js';
import { createSandbox, type SandboxOptions, testCards } from '../../src/sandbox/index.js';
import { boleto, call, openCard, pay, pix, sandboxForTest, startReceiver } from './support.js';

test('the entry point exports these names', () => {
  expect(Object.keys(entry).toSorted()).toEqual([
    'choices',
    'createSandbox',
    'testCardTokens',
    'testCards',
    'testWalletTokens',
  ]);
});

describe('options', () => {
  test('need not be given', async () => {
    const sandbox = createSandbox();
    expect(Math.abs(sandbox.clock.now().getTime() - Date.now())).toBeLessThan(1_000);
    expect((await pay(sandbox, pix())).status).toBe(201);
    await sandbox.close();
  });

  test.each<[SandboxOptions, string]>([
    [{ seed: 1.5 }, 'A seed is an integer, not 1.5.'],
    [{ seed: '1' as unknown as number }, "A seed is an integer, not '1'."],
    [{ oauth: { expiresIn: 0 } }, 'oauth.expiresIn is a number of whole seconds, not 0.'],
    [{ oauth: { lifetime: 1 } as never }, 'lifetime is no option of oauth'],
    [{ kyc: { approveAfter: 'soon' } }, '"soon" is not a duration'],
    [{ kyc: { rejectAfter: 1 } as never }, 'rejectAfter is no option of kyc'],
    [{ rateLimits: { vault: 0 } }, 'rateLimits: vault is a number of requests a minute, not 0.'],
    [{ rateLimits: { payments: 1 } as never }, 'rateLimits: payments is no group'],
    [{ features: { pix: true } as never }, "'pix' is no feature"],
    [{ fee: 0.5 }, 'fee is a whole number of cents, 0 or more, not 0.5.'],
    [{ fee: -1 }, 'fee is a whole number of cents, 0 or more, not -1.'],
    [{ fee: '1' as unknown as number }, "fee is a whole number of cents, 0 or more, not '1'."],
    [{ fee: Number.NaN }, 'fee is a whole number of cents, 0 or more, not NaN.'],
    [{ subscriptions: 'some' as never }, "subscriptions is 'listed' or 'all', not 'some'."],
    [{ maxBody: 0 }, 'maxBody is a number of bytes, not 0.'],
    [{ maxBody: '1mb' as unknown as number }, "maxBody is a number of bytes, not '1mb'."],
    [{ now: 'yesterday' }, "now must be a time that Date reads, not 'yesterday'."],
  ])('%j is refused', (options, message) => {
    expect(() => createSandbox(options)).toThrow(message);
  });

  test('the default credentials are obviously fake', () => {
    const { baseUrl, clientId, clientSecret } = sandboxForTest().clientOptions();
    expect(baseUrl).toBe('https://sandbox.payment-platform.test');
    expect(clientId).toMatch(/^sandbox-client-/);
    expect(clientSecret).toMatch(/^sandbox-secret-not-real-/);
  });

  test('without a seed, every secret is another one in every run, and nothing else', async () => {
    const [one, other] = [await secretsOf(), await secretsOf()];
    expect(other.clientIds).toEqual(one.clientIds);
    expect(new Set([...one.secrets, ...other.secrets]).size).toBe(8);
  });

  test('with a seed, every secret is the same in every run', async () => {
    expect(await secretsOf({ seed: 1 })).toEqual(await secretsOf({ seed: 1 }));
    expect((await secretsOf({ seed: 2 })).secrets).not.toEqual((await secretsOf({ seed: 1 })).secrets);
  });

  test('a given secret is kept, and what replaces it is not to be guessed', () => {
    const made = () => sandboxForTest({ clientId: 'me', clientSecret: 'mine' });
    expect(made().clientOptions()).toMatchObject({ clientId: 'me', clientSecret: 'mine' });
    const [one, other] = [made(), made()].map(({ control }) => control.credentials.rotate().clientSecret);
    expect(one).not.toBe(other);
  });

  /** Those of two merchants, a token, and one after a rotation. */
  async function secretsOf(options?: SandboxOptions) {
    const sandbox = sandboxForTest(options);
    const merchants = [sandbox.clientOptions(), sandbox.addMerchant().clientOptions()];
    const [{ clientId: client_id, clientSecret: client_secret }] = merchants as [(typeof merchants)[0]];
    const grant = { grant_type: 'client_credentials', client_id, client_secret };
    const { body } = await call(sandbox, '/oauth/token', { body: grant });
    const { clientSecret } = sandbox.control.credentials.rotate();
    return {
      clientIds: merchants.map(({ clientId }) => clientId),
      secrets: [...merchants.map((merchant) => merchant.clientSecret), body.access_token, clientSecret],
    };
  }
});

describe('fetch', () => {
  test('has the signature of the standard fetch, and needs no `this`', async () => {
    const sandbox = sandboxForTest();
    const standard: typeof fetch = sandbox.fetch;
    expect((await standard('https://a.example/')).status).toBe(404);
    expect((await standard(new URL('https://a.example/'))).status).toBe(404);
    expect((await standard(new Request('https://a.example/'))).status).toBe(404);
    await expect(standard('/relative')).rejects.toThrow(TypeError);
  });

  test('takes the init over the request', async () => {
    const sandbox = sandboxForTest();
    const { baseUrl, clientId, clientSecret } = sandbox.clientOptions();
    const request = new Request(`${baseUrl}/v1/webhooks`, { headers: { 'client-id': 'wrong' } });
    const response = await sandbox.fetch(request, {
      headers: { 'client-id': clientId, 'client-secret': clientSecret },
    });
    expect(response.status).toBe(200);
  });

  test.each(['init', 'request'])(
    'rejects with the reason of a signal of the %s that was aborted before',
    async (place) => {
      const sandbox = sandboxForTest();
      const reason = new Error('changed my mind');
      const init = { signal: AbortSignal.abort(reason) };
      const url = 'https://a.example/';
      await expect(
        place === 'init' ? sandbox.fetch(url, init) : sandbox.fetch(new Request(url, init)),
      ).rejects.toBe(reason);
      expect(sandbox.journal.requests).toEqual([]);
    },
  );

  test('rejects with the reason of a signal that is aborted on the way', async () => {
    const sandbox = sandboxForTest();
    const controller = new AbortController();
    const pending = pay(sandbox, pix(), 'key', { signal: controller.signal });
    controller.abort('reason');
    await expect(pending).rejects.toBe('reason');
    expect(sandbox.ledger.charges).toEqual([]);
    expect(sandbox.journal.requests).toEqual([]);
  });

  test('lets any number of requests hang without a warning', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ fault: 'hang', times: 30 });
    const warn = vi.spyOn(process, 'emitWarning');
    const hanging = Array.from({ length: 30 }, () =>
      expect(call(sandbox, '/v1/webhooks')).rejects.toThrow('fetch failed'),
    );
    await call(sandbox, '/v1/webhooks');
    await sandbox.close();
    await Promise.all(hanging);
    expect(warn).not.toHaveBeenCalled();
  });

  test('leaves no listener on the signal', async () => {
    const sandbox = sandboxForTest();
    const { signal } = new AbortController();
    const request = new Request('https://a.example/', { signal });
    const add = vi.spyOn(request.signal, 'addEventListener');
    const remove = vi.spyOn(request.signal, 'removeEventListener');
    await sandbox.fetch(request);
    await Promise.resolve();
    expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
  });
});

test('secrets are not printed', () => {
  const sandbox = sandboxForTest();
  const { clientSecret } = sandbox.clientOptions();
  for (const text of [
    inspect(sandbox, { depth: 20, showHidden: true, customInspect: false }),
    JSON.stringify(sandbox),
    String(sandbox),
  ]) {
    expect(text).not.toContain(clientSecret);
  }
});

test('console.log shows a sandbox in one line', async () => {
  const sandbox = sandboxForTest();
  sandbox.addMerchant();
  await pay(sandbox, pix());
  await call(sandbox, '/nowhere');
  const counts = 'merchants: 2, requests: 2, charges: 1, deliveries: 0';
  expect(inspect(sandbox)).toBe(`Sandbox { clock: 2026-01-01T00:00:00.000Z, ${counts}, servers: [] }`);
  const { url } = await sandbox.listen();
  expect(inspect({ sandbox })).toContain(`servers: ['${url}'] }`);
  await sandbox.close();
  expect(inspect(sandbox)).toMatch(/servers: \[\], closed }$/);
});

test('close ends everything, and may be called again', async () => {
  const sandbox = createSandbox();
  await pay(sandbox, pix());
  await sandbox.close();
  await sandbox.close();
  await expect(call(sandbox, '/v1/webhooks')).rejects.toThrow('The sandbox is closed.');
  await expect(sandbox.listen()).rejects.toThrow('The sandbox is closed.');
});

describe('a run with one seed', () => {
  async function transcript(seed: number) {
    const sandbox = sandboxForTest({ seed, now: '2026-01-01T00:00:00Z' });
    const receivers = [
      await startReceiver((nth) => (nth % 3 === 0 ? 500 : 200)),
      await startReceiver((nth) => (nth % 2 === 0 ? 200 : 503)),
    ];
    const urls = receivers.map(({ url }, index) => {
      sandbox.webhooks.register({ url, secret: `secret-of-the-receiver-${index}` });
      return url;
    });
    const replies = [];
    for (const [index, body] of [pix(), openCard(), boleto(), openCard(testCards.inAnalysis)].entries()) {
      const { status, body: payment, headers } = await pay(sandbox, body, `key-${index}`);
      replies.push({ status, payment, requestId: headers.get('x-request-id') });
      await sandbox.clock.advance('10s');
    }
    await sandbox.clock.advance('2h');
    const { deliveries, endpoints } = sandbox.webhooks;
    const text = JSON.stringify({
      credentials: sandbox.clientOptions(),
      replies,
      deliveries,
      endpoints,
      charges: sandbox.ledger.charges,
    });
    // Ports are the only thing that a seed does not decide.
    return urls.reduce((all, url, index) => all.replaceAll(url, `receiver ${index}`), text);
  }

  test('has the same transcript every time', async () => {
    const [one, same] = [await transcript(7), await transcript(7)];
    expect(same).toBe(one);
    expect(JSON.parse(one).deliveries.length).toBeGreaterThan(20);
  });

  test('and another seed another one', async () => {
    expect(await transcript(8)).not.toBe(await transcript(7));
  });

  test('gives everything an id of its own', async () => {
    const sandbox = sandboxForTest();
    const endpoint = sandbox.webhooks.register({ url: (await startReceiver()).url });
    const { body, headers } = await pay(sandbox, openCard());
    const token = (body.upsell as { token: string }).token;
    const [delivery] = sandbox.webhooks.deliveries;
    const ids = [endpoint.id, body.id, headers.get('x-request-id'), token, delivery?.id];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('gives payments their ids whatever was refused before', async () => {
    const [one, other] = [sandboxForTest(), sandboxForTest()];
    await pay(other, pix({ amount: 1 }));
    await call(other, '/nowhere');
    expect((await pay(other, pix())).body.id).toBe((await pay(one, pix())).body.id);
  });
});

test('a misspelt option or fault is told, not passed over', () => {
  expect(() => createSandbox({ sed: 1 } as never)).toThrow(/sed is no option/);
  expect(() =>
    createSandbox().faults.add({ opperation: 'payments.create', fault: 'reset' } as never),
  ).toThrow(/opperation is no field/);
});
