import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import * as entry from '../index.js';
import { createSandbox, type SandboxOptions, testCards } from '../index.js';
import { boleto, call, openCard, pay, pix, sandboxForTest, startOfYear, startReceiver } from './support.js';

test('the entry point exports exactly these names', () => {
  expect(Object.keys(entry).toSorted()).toEqual([
    'IllegalTransitionError',
    'UnknownIdError',
    'createSandbox',
    'defaults',
    'scenarios',
    'testCardTokens',
    'testCards',
    'testDocuments',
    'testDomains',
    'testNames',
    'testWalletTokens',
  ]);
});

describe('the options of createSandbox', () => {
  test('are all optional and have defaults', async () => {
    const sandbox = createSandbox();
    expect(Math.abs(sandbox.clock.now().getTime() - Date.now())).toBeLessThan(1_000);
    expect((await pay(sandbox, pix())).status).toBe(201);
    await sandbox.close();
  });

  const lifetimeRule = 'must be a number of whole seconds from 1 to 2147483647';
  const rateRule = 'must be a number of requests a minute: an integer of at least 1, or Infinity';
  const credentialRule = 'must be a non-empty string';

  test.each<[unknown, string]>([
    [{ seed: 1.5 }, 'seed must be an integer'],
    [{ seed: '1' }, 'seed must be an integer'],
    [{ sed: 1 }, 'sed is an unknown option. Did you mean seed?'],
    [{ Seed: 1 }, 'Seed is an unknown option. Did you mean seed?'],
    [{ now: 'yesterday' }, 'now must be a time'],
    [{ now: null }, 'now must be a time'],
    [{ now: true }, 'now must be a time'],
    [{ now: [2026] }, 'now must be a time'],
    [{ now: new Date(Number.NaN) }, 'now must be a time'],
    [{ oauth: 3600 }, 'oauth must be an object'],
    [{ oauth: { lifetime: 1 } }, 'oauth.lifetime is an unknown option. Known: expiresIn, grantType'],
    [{ oauth: { grantType: 'none' } }, "oauth.grantType must be 'optional' or 'required'"],
    [{ upsell: { notified: true } }, 'upsell.notified must be'],
    [{ payments: { tokenInstallments: false } }, 'payments.tokenInstallments must be'],
    [{ webhooks: { unknownFields: 'kept' } }, 'webhooks.unknownFields must be'],
    [{ deliveries: { concurrency: 0 } }, 'deliveries.concurrency must be'],
    [{ deliveries: { concurrency: 1.5 } }, 'deliveries.concurrency must be'],
    [{ deliveries: { concurrency: '20' } }, 'deliveries.concurrency must be'],
    [{ deliveries: { parallel: 2 } }, 'deliveries.parallel is an unknown option. Known: concurrency'],
    [{ oauth: { expiresIn: 0 } }, `oauth.expiresIn ${lifetimeRule}`],
    [{ oauth: { expiresIn: -1 } }, `oauth.expiresIn ${lifetimeRule}`],
    [{ oauth: { expiresIn: 1.5 } }, `oauth.expiresIn ${lifetimeRule}`],
    [{ oauth: { expiresIn: '60' } }, `oauth.expiresIn ${lifetimeRule}`],
    [{ oauth: { expiresIn: Number.NaN } }, `oauth.expiresIn ${lifetimeRule}`],
    [{ oauth: { expiresIn: 2 ** 31 } }, `oauth.expiresIn ${lifetimeRule}`],
    [
      { kyc: { rejectAfter: 1 } },
      'kyc.rejectAfter is an unknown option. Known: reviewAfter, requiredPj, documentFormats, approveAfter',
    ],
    [{ kyc: { approveAfter: 'soon' } }, 'kyc.approveAfter must be false, or a duration: '],
    [{ kyc: { approveAfter: true } }, 'kyc.approveAfter must be false, or a duration: '],
    [{ kyc: { approveAfter: -1 } }, 'kyc.approveAfter must be false, or a duration: '],
    [{ rateLimits: true }, 'rateLimits must be false, or an object of requests a minute by group'],
    [
      { rateLimits: { payments: 1 } },
      'rateLimits.payments is an unknown group. Known: submerchants, onboarding, vault',
    ],
    [{ rateLimits: { vault: 0 } }, `rateLimits.vault ${rateRule}`],
    [{ rateLimits: { vault: '30' } }, `rateLimits.vault ${rateRule}`],
    [{ rateLimits: { submerchants: Number.NaN } }, `rateLimits.submerchants ${rateRule}`],
    [{ features: { pix: true } }, 'features.pix is an unknown feature. Known: paas, split'],
    [{ features: { split: 'no' } }, 'features.split must be true or false'],
    [{ features: ['split'] }, 'features must be an object'],
    [{ clientId: '' }, `clientId ${credentialRule}`],
    [{ clientId: 1 }, `clientId ${credentialRule}`],
    [{ clientSecret: null }, `clientSecret ${credentialRule}`],
    [{ clientSecret: ' padded' }, `clientSecret ${credentialRule}`],
    [{ clientSecret: 'two\nlines' }, `clientSecret ${credentialRule}`],
    [{ fee: 0.5 }, 'fee must be a number of cents: an integer of at least 0'],
    [{ fee: -1 }, 'fee must be a number of cents: an integer of at least 0'],
    [{ fee: '1' }, 'fee must be a number of cents: an integer of at least 0'],
    [{ fee: Number.NaN }, 'fee must be a number of cents: an integer of at least 0'],
    [{ subscriptions: 'some' }, "subscriptions must be 'listed' or 'all'"],
    [{ maxBody: 0 }, 'maxBody must be a number of bytes: an integer of at least 1'],
    [{ maxBody: '1mb' }, 'maxBody must be a number of bytes: an integer of at least 1'],
    [{ signature: { encoding: 'utf8' } }, "signature.encoding must be 'hex' or 'base64'"],
    [{ signature: { timestamp: 'days' } }, "signature.timestamp must be 'seconds', 'milliseconds' or 'iso'"],
    [{ signature: { timestamp: 'constructor' } }, 'signature.timestamp must be'],
    [
      { signature: { secret: 'x' } },
      'signature.secret is an unknown option. Known: encoding, format, timestamp, headerNames',
    ],
    [{ fieldNames: 'wallet' }, 'fieldNames must be an object'],
    [{ fieldNames: { nothing: 'x' } }, 'fieldNames.nothing is an unknown key. Known: '],
    [null, 'must be an object'],
    ['seed', 'must be an object'],
  ])('are rejected if they are %j', (options, message) => {
    const make = () => createSandbox(options as SandboxOptions);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(`createSandbox: ${message}`);
  });

  test('are rejected with one message that names every mistake, but no value', () => {
    const options = { seed: 0.5, sed: 1, clientSecret: ' canary', oauth: { expiresIn: Number.NaN } };
    expect(() => createSandbox(options)).toThrow(
      new TypeError(
        [
          'createSandbox has 4 problems.',
          'sed is an unknown option. Did you mean seed?',
          'clientSecret must be a non-empty string without control characters or white space at its ends.',
          'seed must be an integer.',
          `oauth.expiresIn ${lifetimeRule}.`,
        ].join('\n- '),
      ),
    );
  });

  test('have their defaults if they are undefined', () => {
    const sandbox = createSandbox({
      seed: undefined,
      now: undefined,
      clientId: undefined,
      oauth: { expiresIn: undefined },
      kyc: undefined,
      rateLimits: { vault: undefined },
    });
    expect(sandbox.clientOptions().clientId).toMatch(/^sandbox-client-[0-9a-f]{8}$/);
  });

  test.each([new Date(startOfYear), startOfYear, Date.parse(startOfYear)])('accept %j as now', (now) => {
    expect(sandboxForTest({ now }).clock.now().toISOString()).toBe(startOfYear);
  });

  test('include default credentials that are obviously fake', () => {
    const { baseUrl, clientId, clientSecret } = sandboxForTest().clientOptions();
    expect(baseUrl).toBe('https://sandbox.payment-platform.test');
    expect(clientId).toMatch(/^sandbox-client-/);
    expect(clientSecret).toMatch(/^sandbox-secret-not-real-/);
  });

  test('lead to new client ids and secrets in each run if no seed is set', async () => {
    const [one, other] = [
      await collectSecrets({ seed: undefined }),
      await collectSecrets({ seed: undefined }),
    ];
    expect(new Set([...one.clientIds, ...other.clientIds]).size).toBe(4);
    expect(new Set([...one.secrets, ...other.secrets]).size).toBe(8);
  });

  test('lead to the same secrets in every run if they have a seed', async () => {
    expect(await collectSecrets({ seed: 1 })).toEqual(await collectSecrets({ seed: 1 }));
    expect((await collectSecrets({ seed: 2 })).secrets).not.toEqual(
      (await collectSecrets({ seed: 1 })).secrets,
    );
  });

  test('can set the client secret, which a rotation replaces with a random one', () => {
    const made = () => sandboxForTest({ seed: undefined, clientId: 'me', clientSecret: 'mine' });
    expect(made().clientOptions()).toMatchObject({ clientId: 'me', clientSecret: 'mine' });
    const [one, other] = [made(), made()].map(({ control }) => control.credentials.rotate().clientSecret);
    expect(one).not.toBe(other);
  });

  /** Returns the secrets of two merchants, a token, and the secret after a rotation. */
  async function collectSecrets(options?: SandboxOptions) {
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

describe('sandbox.fetch', () => {
  test('has the signature of the standard fetch, and works without `this`', async () => {
    const sandbox = sandboxForTest();
    const standard: typeof fetch = sandbox.fetch;
    expect((await standard('https://a.example/')).status).toBe(404);
    expect((await standard(new URL('https://a.example/'))).status).toBe(404);
    expect((await standard(new Request('https://a.example/'))).status).toBe(404);
    await expect(standard('/relative')).rejects.toThrow(TypeError);
  });

  test('prefers the values in its second argument to the Request’s own values', async () => {
    const sandbox = sandboxForTest();
    const { baseUrl, clientId, clientSecret } = sandbox.clientOptions();
    const request = new Request(`${baseUrl}/v1/webhooks`, { headers: { 'client-id': 'wrong' } });
    const response = await sandbox.fetch(request, {
      headers: { 'client-id': clientId, 'client-secret': clientSecret },
    });
    expect(response.status).toBe(200);
  });

  test.each(['init', 'request'])('rejects with the reason of an aborted signal in the %s', async (place) => {
    const sandbox = sandboxForTest();
    const reason = new Error('changed my mind');
    const init = { signal: AbortSignal.abort(reason) };
    const url = 'https://a.example/';
    await expect(
      place === 'init' ? sandbox.fetch(url, init) : sandbox.fetch(new Request(url, init)),
    ).rejects.toBe(reason);
    expect(sandbox.journal.requests).toEqual([]);
  });

  test('rejects with the reason of a signal that is aborted while the request runs', async () => {
    const sandbox = sandboxForTest();
    const controller = new AbortController();
    const pending = pay(sandbox, pix(), 'key', { signal: controller.signal });
    controller.abort('reason');
    await expect(pending).rejects.toBe('reason');
    expect(sandbox.ledger.charges).toEqual([]);
    expect(sandbox.journal.requests).toEqual([]);
  });

  test('causes no warning, however many requests hang', async () => {
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

test('the sandbox prints no secrets', () => {
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

test('console.log prints a sandbox in one line', async () => {
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

test('after sandbox.close, every call is rejected, and closing again has no effect', async () => {
  const sandbox = createSandbox();
  await pay(sandbox, pix());
  await sandbox.close();
  await sandbox.close();
  await expect(call(sandbox, '/v1/webhooks')).rejects.toThrow('The sandbox is closed.');
  await expect(sandbox.listen()).rejects.toThrow('The sandbox is closed.');
});

describe('a run with a seed', () => {
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
    // Only ports do not depend on the seed.
    return urls.reduce((all, url, index) => all.replaceAll(url, `receiver ${index}`), text);
  }

  test('has the same requests and responses as another run with that seed', async () => {
    const [one, same] = [await transcript(7), await transcript(7)];
    expect(same).toBe(one);
    expect(JSON.parse(one).deliveries.length).toBeGreaterThan(20);
  });

  test('differs from a run with another seed', async () => {
    expect(await transcript(8)).not.toBe(await transcript(7));
  });

  test('gives every resource a different id', async () => {
    const sandbox = sandboxForTest();
    const endpoint = sandbox.webhooks.register({ url: (await startReceiver()).url });
    const { body, headers } = await pay(sandbox, openCard());
    const token = (body.upsell as { token: string }).token;
    const [delivery] = sandbox.webhooks.deliveries;
    const ids = [endpoint.id, body.id, headers.get('x-request-id'), token, delivery?.id];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('gives a payment the same id even if other requests were rejected before it', async () => {
    const [one, other] = [sandboxForTest(), sandboxForTest()];
    await pay(other, pix({ amount: 1 }));
    await call(other, '/nowhere');
    expect((await pay(other, pix())).body.id).toBe((await pay(one, pix())).body.id);
  });
});
