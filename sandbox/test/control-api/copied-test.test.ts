import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PaymentPlatform } from 'payment-platform';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import * as sandboxModule from '../../index.js';
import {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  testCards,
  testCardTokens,
  testWalletTokens,
} from '../../index.js';
import {
  boleto,
  call,
  form,
  keyNo,
  naturalPerson,
  onboard,
  openCard,
  pay,
  pix,
  sandboxForTest,
  subAccount,
  unknownId,
  withCard,
} from '../support.js';

const root = resolve(import.meta.dirname, '../../..');

/** Returns the test that the sandbox writes. */
async function copied(sandbox: Sandbox, query: Record<string, string> = {}): Promise<string> {
  const response = await sandbox.fetch(`https://sandbox.test/_sandbox/test?${new URLSearchParams(query)}`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return text;
}

/** Runs with a status and a payment to copy; undefined copies the whole run. */
interface Run {
  readonly name: string;
  readonly options?: SandboxOptions;
  readonly happen: (sandbox: Sandbox) => Promise<string | undefined>;
}

/** A file in Vitest's report. */
interface TestFile {
  readonly name: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly status: string; readonly failureMessages: string[] }[];
}

const customer = { name: 'Maria', email: 'maria@example.com', document: { number: '12345678909' } };
const amount = 1_990;
const items = [{ title: 'Coffee', quantity: 1, unitPrice: amount }];
const order = { amount, customer, items };

const clientOf = (sandbox: Pick<Sandbox, 'clientOptions'>) =>
  new PaymentPlatform({ ...sandbox.clientOptions(), maxRetries: 0 });

let keys = 0;
const idempotency = () => ({ idempotencyKey: `order-${keys++}` });

const readId = async (pending: ReturnType<typeof pay>) => String((await pending).body.id);
const lost = (pending: Promise<unknown>) => pending.catch(() => undefined);

/** A string that would end a literal, a template or a line. */
const strange = "d'Ávila \u2028 $" + '{x} `\\';

const runs: readonly Run[] = [
  {
    name: 'a lost response, a retry, the clock, the customer, and a webhook that needs two attempts',
    async happen(sandbox) {
      let count = 0;
      sandbox.webhooks.connect(() => {
        count += 1;
        return new Response(null, { status: count === 2 ? 503 : 200 });
      });
      await pay(sandbox, boleto(), keyNo(1));
      sandbox.faults.add({ fault: 'reset', phase: 'after-commit' });
      await lost(pay(sandbox, pix({ externalId: strange }), keyNo(2)));
      sandbox.addMerchant();
      await sandbox.control.certificates.create();
      sandbox.faults.add({ fault: { status: 503, headers: { 'retry-after': '1' } } });
      await pay(sandbox, pix({ externalId: strange }), keyNo(2));
      const id = await readId(pay(sandbox, pix({ externalId: strange }), keyNo(2)));
      await sandbox.clock.advance('5m');
      sandbox.control.payments.pay(id);
      await sandbox.clock.advance('2h');
      sandbox.control.payments.refund(id);
      await sandbox.webhooks.idle();
      return id;
    },
  },
  {
    name: 'a payment of a sub-account with split rules',
    options: { features: { split: true } },
    async happen(sandbox) {
      for (const [index, documentNumber] of ['11144477735', '52998224725'].entries())
        await call(sandbox, '/v1/submerchants', { body: form({ documentNumber }), key: keyNo(index) });
      await pay(sandbox, pix());
      const selfie = new File(['selfie'], 'a-photo-of-the-seller-with-a-long-name.jpeg', {
        type: 'image/jpeg',
      });
      const registered = await onboard(sandbox, { ...naturalPerson, selfie }, keyNo(9));
      sandbox.control.onboarding.approve(String(registered.body.registration_id));
      return readId(
        pay(
          sandbox,
          openCard(testCards.approved, {
            amount: 10_000,
            subMerchant: { document: { number: '11144477735' } },
            split: [{ document: { number: '52998224725' }, percentage: 33.33 }],
          }),
        ),
      );
    },
  },
  {
    name: 'an upsell',
    async happen(sandbox) {
      await pay(sandbox, openCard());
      const { upsell } = (await pay(sandbox, openCard())).body as { upsell: { token: string } };
      return readId(pay(sandbox, withCard({ upsellToken: upsell.token }, { amount: 500 })));
    },
  },
  {
    name: 'cards that are refused, analysed and unknown, and tokens',
    async happen(sandbox) {
      await pay(sandbox, openCard(testCards.insufficientFunds), keyNo(1));
      const analysed = await readId(pay(sandbox, openCard(testCards.inAnalysis), keyNo(2)));
      sandbox.control.payments.refuse(analysed);
      await pay(sandbox, openCard(testCards.unknown), keyNo(3));
      await pay(sandbox, openCard(testCards.unknown), keyNo(3));
      sandbox.control.payments.resolve(keyNo(3), 'created');
      await pay(sandbox, openCard(testCards.unknown), keyNo(3));
      await pay(sandbox, withCard({ cardTokenId: testCardTokens.approved }));
      await pay(sandbox, openCard('4111111111111112'));
      await pay(sandbox, openCard('5105105105105100'));
      await pay(sandbox, pix({ amount: 2_000 }), keyNo(2));
      sandbox.control.oauth.revokeTokens();
      sandbox.control.credentials.rotate();
      return undefined;
    },
  },
  {
    name: 'faults of every kind on the way',
    async happen(sandbox) {
      const faults = ['reset', 'truncate', 'garbage', 'empty', 'invalid-json'] as const;
      for (const [index, fault] of faults.entries()) {
        sandbox.faults.add({ fault });
        await lost(pay(sandbox, pix(), keyNo(index)));
        sandbox.faults.add({ fault, phase: 'before-read' });
        await lost(pay(sandbox, pix(), keyNo(index)));
        if (fault === 'empty') continue;
        sandbox.faults.add({ fault, phase: 'mid-response' });
        await lost(pay(sandbox, pix(), keyNo(index)));
      }
      sandbox.faults.add({ fault: 'hang', phase: 'after-commit' });
      const patience = new AbortController();
      setTimeout(() => patience.abort(), 50);
      await lost(pay(sandbox, pix(), keyNo(10), { signal: patience.signal }));
      sandbox.faults.add({ fault: { slow: 20 } });
      await pay(sandbox, pix(), keyNo(10));
      sandbox.faults.add({ fault: 'acquirer-unknown' });
      await pay(sandbox, openCard(), keyNo(11));
      sandbox.control.payments.resolve(keyNo(11), 'not-created');
      return undefined;
    },
  },
  {
    name: 'requests that are refused, unknown or without credentials, a Pix that expires, and endpoints',
    async happen(sandbox) {
      await pay(sandbox, pix({ amount: -1 }), keyNo(1));
      await pay(sandbox, '{', keyNo(2));
      await pay(sandbox, pix(), keyNo(3), { headers: { 'client-secret': 'another' } });
      await call(sandbox, '/nowhere?token=abc');
      await call(sandbox, `/v1/payments/${unknownId}/boleto`);
      const id = await readId(pay(sandbox, boleto(), keyNo(4)));
      await call(sandbox, `/v1/payments/${id}/boleto`, {});
      const { clientId, clientSecret } = sandbox.clientOptions();
      const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      await call(sandbox, '/oauth/token', { body });
      await call(sandbox, '/v1/webhooks', { body: { webhook_url: 'https://shop.example/hook', events: [] } });
      const [endpoint] = sandbox.webhooks.endpoints;
      sandbox.control.webhooks.setStatus(endpoint?.id ?? '', 'inactive');
      const own = sandbox.webhooks.connect(() => {
        throw new Error('broken');
      });
      sandbox.webhooks.faults.add({ fault: 'drop', event: 'transaction.waiting_payment' });
      await pay(sandbox, pix({ pix: { expiration: 60 } }), keyNo(5));
      await sandbox.clock.advance('45s');
      await sandbox.webhooks.idle();
      sandbox.control.webhooks.setStatus(own.id, 'suspended');
      await sandbox.clock.advance('1d');
      sandbox.control.features.disable('paas');
      await call(sandbox, '/v1/submerchants', { body: form({ documentNumber: '11144477735' }) });
      return undefined;
    },
  },
  {
    name: 'vault tokens, wallets, and the outcomes that they select',
    async happen(sandbox) {
      const { payments, vault } = clientOf(sandbox);
      const byToken = async (number: string) => {
        const { cardTokenId } = await vault.tokenize({ number });
        const card = { cardTokenId: String(cardTokenId) };
        return payments.create({ amount, items, paymentMethod: 'credit_card', card }, idempotency());
      };
      for (const name of ['approved', 'insufficientFunds', 'inAnalysisThenApproved'] as const)
        await byToken(testCards[name]);
      for (const name of ['approved', 'expiredCard', 'inAnalysis', 'inAnalysisThenRefused'] as const) {
        const wallet = { token: testWalletTokens[name] };
        await payments.create({ ...order, paymentMethod: 'credit_card', wallet }, idempotency());
      }
      await sandbox.clock.advance('1m');
      const [analysed] = sandbox.control.payments.list({ status: 'in_analysis' });
      sandbox.control.payments.pay(String(analysed?.id));
      return undefined;
    },
  },
  {
    name: 'certificates and domains of the wallet',
    async happen(sandbox) {
      const { certificates, domains } = clientOf(sandbox);
      await domains.register({ domainName: 'shop.example' });
      await domains.register({ domainName: 'shop.example' });
      const { clientId } = sandbox.clientOptions();
      const { id } = await sandbox.control.certificates.create({ clientId });
      await certificates.revoke(id);
      await certificates.list();
      return undefined;
    },
  },
  {
    name: 'withdrawals of a seller',
    options: { features: { split: true } },
    async happen(sandbox) {
      const { submerchants } = clientOf(sandbox);
      const internalId = await subAccount(sandbox, '11144477735');
      const body = { internalId, amount: 1_000 };
      const { withdraw_id } = await submerchants.withdrawals.create(body);
      await lost(submerchants.withdrawals.create({ ...body, internalId: unknownId }));
      await submerchants.withdrawals.create(body);
      sandbox.control.withdrawals.complete(Number(withdraw_id));
      await submerchants.withdrawals.retrieve(Number(withdraw_id));
      sandbox.control.submerchants.setStatus(internalId, 'inactive');
      await lost(submerchants.withdrawals.create(body));
      return undefined;
    },
  },
  {
    name: 'access tokens for credentials in the header and in the body',
    async happen(sandbox) {
      const { clientId, clientSecret } = sandbox.clientOptions();
      const basic = (secret: string) => ({ authorization: `Basic ${btoa(`${clientId}:${secret}`)}` });
      const body = { grant_type: 'client_credentials' };
      const { access_token } = (await call(sandbox, '/oauth/token', { body, headers: basic(clientSecret) }))
        .body;
      await call(sandbox, '/oauth/token', { body, headers: basic('wrong') });
      await sandbox.fetch('https://sandbox.test/v1/payments', {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(pix()),
      });
      await new PaymentPlatform({ ...sandbox.clientOptions(), oauth: {} }).payments.create(
        { ...order, paymentMethod: 'pix' },
        idempotency(),
      );
      return undefined;
    },
  },
  {
    name: 'options of the sandbox, and a route of an option',
    options: {
      statuses: { paymentCreated: 200 },
      fieldNames: { 'payment.metadata': 'extra' },
      submerchantUpdates: { fees: 'PATCH /v1/submerchants/{internalId}/fees' },
    },
    async happen(sandbox) {
      const internalId = await subAccount(sandbox, '11144477735');
      await call(sandbox, `/v1/submerchants/${internalId}/fees`, { method: 'PATCH', body: { pix: 1 } });
      const { id } = await clientOf(sandbox).payments.create(
        { ...order, paymentMethod: 'pix', metadata: { shelf: 7 } },
        idempotency(),
      );
      return id;
    },
  },
  {
    name: 'a response in a fault, and a delivery that is sent again',
    async happen(sandbox) {
      sandbox.webhooks.connect(() => new Response());
      await pay(sandbox, boleto());
      const body = { error: { code: 'busy' }, access_token: 'a-token' };
      sandbox.faults.add({ fault: { status: 503, headers: { 'retry-after': '1' }, body } });
      await pay(sandbox, pix(), keyNo(1));
      const id = await readId(pay(sandbox, pix(), keyNo(1)));
      await sandbox.webhooks.idle();
      sandbox.webhooks.redeliver(String(sandbox.webhooks.list({ payment: id })[0]?.id));
      await sandbox.webhooks.idle();
      return id;
    },
  },
  {
    name: 'a run of a clock that is not frozen',
    options: { now: undefined },
    async happen(sandbox) {
      const id = await readId(pay(sandbox, pix(), keyNo(1)));
      await sandbox.clock.advance('20m');
      sandbox.control.payments.pay(id);
      return undefined;
    },
  },
];

/** Runs that a test cannot repeat as a whole, each with the reason. The returned payment can be copied. */
const refused: readonly (Run & { readonly why: string })[] = [
  {
    name: 'several merchants',
    why: 'it concerns several merchants',
    async happen(sandbox) {
      await subAccount(sandbox, '11144477735');
      const other = sandbox.addMerchant({ features: { split: true } });
      await subAccount(other, '52998224725');
      await pay(sandbox, pix());
      await clientOf(sandbox).vault.tokenize({ number: testCards.approved });
      const split = [{ document: { number: '52998224725' }, percentage: 10 }];
      return readId(pay(other, pix({ split })));
    },
  },
  {
    name: 'a saved state',
    why: 'the sandbox does not remember how it began',
    options: { state: savedState() },
    happen: (sandbox) => readId(pay(sandbox, pix())),
  },
  {
    name: 'a journal that has dropped requests',
    why: 'the journal has dropped request 1',
    options: { maxJournal: 5_000 },
    async happen(sandbox) {
      for (let index = 0; index < 5; index++) await pay(sandbox, pix());
      return readId(pay(sandbox, pix()));
    },
  },
  {
    name: 'a certificate of another key',
    why: 'it calls certificates.activate, whose result depends on more than the journal keeps',
    async happen(sandbox) {
      const { id, signingRequestPem } = await sandbox.control.certificates.create();
      const { certificate } = await sandbox.control.certificates.issue(String(signingRequestPem));
      await call(sandbox, `/v1/certificates/${id}/activate`, { body: { certificate } });
      return undefined;
    },
  },
  {
    name: 'a verified domain',
    why: 'it calls control.domains.verify',
    async happen(sandbox) {
      const { id } = await clientOf(sandbox).domains.register({ domainName: 'shop.example' });
      await sandbox.control.domains.verify(id, { from: 'http://127.0.0.1:9' });
      return undefined;
    },
  },
  {
    name: 'credentials in a header and in a body',
    why: 'the journal keeps no credentials in a header, which request 1 can have',
    async happen(sandbox) {
      const { clientId, clientSecret } = sandbox.clientOptions();
      const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      const headers = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
      expect((await call(sandbox, '/oauth/token', { body, headers })).status).toBe(400);
      return undefined;
    },
  },
  {
    name: 'data of a secret field',
    why: 'the journal keeps no threeDSData, which request 1 has',
    async happen(sandbox) {
      await pay(sandbox, openCard(testCards.approved, { threeDSData: { eci: '05' } }));
      return undefined;
    },
  },
  {
    name: 'nothing',
    why: 'nothing has happened',
    happen: () => Promise.resolve(undefined),
  },
  {
    name: 'JSON as another content type',
    why: 'the journal keeps no content types, and request 1 has a wrong one',
    async happen(sandbox) {
      await call(sandbox, '/v1/payments', { body: pix(), headers: { 'content-type': 'text/plain' } });
      return undefined;
    },
  },
  {
    name: 'an endpoint that was changed',
    why: 'an endpoint was changed with webhooks.update',
    async happen(sandbox) {
      const { id } = sandbox.webhooks.connect(() => new Response(), { events: ['transaction.paid'] });
      await pay(sandbox, openCard());
      await sandbox.webhooks.idle();
      const body = { events: ['transaction.refunded'] };
      expect((await call(sandbox, `/v1/webhooks/${id}`, { method: 'PUT', body })).status).toBe(200);
      return undefined;
    },
  },
  {
    name: 'an option that is a function',
    why: "the sandbox's option errorBody is a function",
    options: { errorBody: ({ code }) => ({ code }) },
    async happen(sandbox) {
      await pay(sandbox, pix());
      return undefined;
    },
  },
];

function savedState() {
  const sandbox = createSandbox({ seed: 1 });
  const state = sandbox.save();
  void sandbox.close();
  return state;
}

describe('a test copied from the sandbox', () => {
  const folder = mkdtempSync(join(root, 'copied-tests-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('passes in Vitest unchanged, for one payment and for a whole sandbox run', async () => {
    writeFileSync(
      join(folder, 'vitest.config.mjs'),
      `import config from '../vitest.config.ts';
export default { root: import.meta.dirname, resolve: config.resolve, test: { include: ['*.test.js'] } };`,
    );
    for (const [index, { options, happen }] of [...runs, ...refused].entries()) {
      const sandbox = sandboxForTest(options);
      const payment = await happen(sandbox);
      if (index < runs.length) writeFileSync(join(folder, `run-${index}.test.js`), await copied(sandbox));
      if (payment !== undefined)
        writeFileSync(join(folder, `payment-${index}.test.js`), await copied(sandbox, { payment }));
    }
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--root', folder, '--config', join(folder, 'vitest.config.mjs')];
    const { stdout } = await promisify(execFile)(process.execPath, [...args, '--reporter=json'], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: '' },
    }).catch((error: { stdout: string }) => error);
    const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{')));
    const failures = testResults.flatMap(({ name, message, assertionResults }: TestFile) =>
      assertionResults
        .filter(({ status }) => status !== 'passed')
        .map(({ failureMessages }) => `${name}: ${failureMessages.join()}`)
        .concat(message === '' ? [] : [`${name}: ${message}`]),
    );
    expect(failures).toEqual([]);
    expect(testResults).toHaveLength(runs.length + 8);
  });

  test.each(runs)('passes with only Jest’s globals and require: $name', async (run) => {
    const sandbox = sandboxForTest(run.options);
    const payment = await run.happen(sandbox);
    const text = await copied(sandbox, { runner: 'jest', ...(payment !== undefined && { payment }) });
    const tests: (() => Promise<void>)[] = [];
    const globals = {
      require: (name: string) => (name === 'payment-platform/sandbox' ? sandboxModule : undefined),
      expect,
      test: (_: string, body: () => Promise<void>) => tests.push(body),
      afterAll: (close: () => Promise<void>) => onTestFinished(close),
    };
    new Function(...Object.keys(globals), text)(...Object.values(globals));
    expect(tests).toHaveLength(1);
    await tests[0]?.();
  });

  test.each(refused)('is refused with the reason for $name', async ({ options, happen, why }) => {
    const sandbox = sandboxForTest(options);
    await happen(sandbox);
    await expect(copied(sandbox)).rejects.toThrow(`A test cannot repeat this, because ${why}`);
  });

  test('adds the faults that changed deliveries, and sends a field __proto__', async () => {
    const sandbox = sandboxForTest();
    sandbox.webhooks.connect(() => new Response());
    sandbox.webhooks.faults.add({ fault: 'corrupt' });
    await pay(sandbox, JSON.parse(`{"__proto__":{"a":1},${JSON.stringify(openCard()).slice(1)}`));
    await sandbox.webhooks.idle();
    const text = await copied(sandbox);
    expect(text).toContain("sandbox.webhooks.faults.add({ fault: 'corrupt'");
    expect(text).toContain("['__proto__']: { a: 1 }");
  });

  test('is written for a rejection whose response was lost', async () => {
    const sandbox = sandboxForTest();
    sandbox.faults.add({ operation: 'payments.create', fault: { slow: '1ms' } });
    expect((await pay(sandbox, { amount: 1 })).status).toBe(400);
    expect(sandbox.journal.requests).toMatchObject([{ status: 400, response: undefined }]);
    expect(await copied(sandbox)).toContain('/v1/payments');
  });

  test('is refused for a payment whose sellers are from a saved state', async () => {
    const before = sandboxForTest({ features: { split: true } });
    await subAccount(before, '11144477735');
    const after = sandboxForTest({ state: before.save(), features: { split: true } });
    const split = [{ document: { number: '11144477735' }, percentage: 10 }];
    const payment = await readId(pay(after, openCard(testCards.approved, { split })));
    await expect(copied(after, { payment })).rejects.toThrow('how the sellers were registered');
  });

  test('fails if the platform behaves differently', async () => {
    const sandbox = sandboxForTest();
    const payment = await readId(pay(sandbox, pix(), keyNo(1)));
    const text = await copied(sandbox, { payment, runner: 'jest' });
    const tests: (() => Promise<void>)[] = [];
    new Function('require', 'expect', 'test', 'afterAll', text.replace('1990', '1991'))(
      () => sandboxModule,
      expect,
      (_: string, body: () => Promise<void>) => tests.push(body),
      (close: () => Promise<void>) => onTestFinished(close),
    );
    await expect(tests[0]?.()).rejects.toThrow();
  });

  test('contains none of the sandbox’s secrets', async () => {
    const sandbox = sandboxForTest();
    await runs[0]?.happen(sandbox);
    const text = await copied(sandbox);
    expect(text).not.toContain(sandbox.clientOptions().clientSecret);
    expect(text).not.toContain('4111111111111111');
  });

  test('expects no deliveries if a receiver did not respond', async () => {
    const sandbox = sandboxForTest();
    const silences = [false, true];
    const events = ['transaction.waiting_payment'] as const;
    const respond = async () => {
      if (silences.shift()) await new Promise(() => {});
      return new Response();
    };
    sandbox.webhooks.connect(respond, { events });
    await pay(sandbox, pix(), keyNo(1));
    await sandbox.webhooks.idle();
    expect(await copied(sandbox)).not.toContain('their outcomes differ');
    await pay(sandbox, pix(), keyNo(2));
    await sandbox.clock.advance('10m');
    expect(await copied(sandbox)).toContain('their outcomes differ');
  });

  test('is not available for a payment whose requests the sandbox no longer stores', async () => {
    const before = sandboxForTest();
    const payment = await readId(pay(before, pix()));
    const after = sandboxForTest({ state: before.save() });
    await expect(copied(after, { payment })).rejects.toThrow('does not remember how payment');
    await expect(copied(after, { payment: unknownId })).rejects.toThrow('not_found');
  });
});

test('a sandbox run of more than 10,000 steps is not copied as a test, and the message says what to do instead', async () => {
  const sandbox = sandboxForTest();
  for (let step = 0; step <= 10_000; step++) sandbox.control.features.enable('paas');
  await expect(copied(sandbox)).rejects.toThrow('Copy one payment, or reset the sandbox first.');
  const { body } = await pay(sandbox, pix());
  expect(await copied(sandbox, { payment: String(body.id) })).toContain('/v1/payments');
});
