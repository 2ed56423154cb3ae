import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verify } from '../../../src/webhooks/index.js';
import { createSandbox, type Sandbox, type SandboxState, testCards } from '../../index.js';
import {
  boleto,
  call,
  fetchOnboardingStatus,
  form,
  keyNo,
  onboard,
  openCard,
  pay,
  pix,
  type Reply,
  sandboxForTest,
  startOfYear,
  startReceiver,
  subAccount,
  withCard,
} from '../support.js';

/** Copies a state through JSON, as if it had been saved to a file or sent to a colleague. */
const sent = (state: SandboxState): SandboxState => JSON.parse(JSON.stringify(state));

const goneOn = (state: SandboxState) => sandboxForTest({ now: undefined, state: sent(state) });

/** Sets the system's clock until the test ends. */
function setSystemTime(time: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) });
  onTestFinished(() => void vi.useRealTimers());
}

describe('a restored sandbox', () => {
  test('has the same credentials, payments and time', async () => {
    const sandbox = sandboxForTest();
    const { body } = await pay(sandbox, pix({ externalId: 'order-1' }), 'key-1');
    await sandbox.clock.advance('10m');
    const next = goneOn(sandbox.save());
    expect(next.clientOptions()).toMatchObject({
      clientId: sandbox.clientOptions().clientId,
      clientSecret: sandbox.clientOptions().clientSecret,
    });
    expect(next.clock.now()).toEqual(sandbox.clock.now());
    expect(next.control.payments.details(String(body.id))).toEqual(
      sandbox.control.payments.details(String(body.id)),
    );
    expect(next.ledger.charges).toEqual(sandbox.ledger.charges);
  });

  test('returns the first response for an idempotency key, and rejects the key with a different payload', async () => {
    const sandbox = sandboxForTest();
    const first = await pay(sandbox, openCard(), 'key-1');
    await pay(sandbox, openCard(testCards.unknown), 'key-2');
    const next = goneOn(sandbox.save());
    const again = await pay(next, openCard(), 'key-1');
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await pay(next, openCard(testCards.approved, { amount: 2_000 }), 'key-1')).status).toBe(400);
    expect((await pay(next, openCard(), 'key-2')).status).toBe(409);
    next.control.payments.resolve('key-2', 'created');
    expect(next.ledger.chargesFor('key-2')).toHaveLength(1);
    expect(next.ledger.charges).toHaveLength(2);
  });

  test('expires a Pix and a boleto at their original times', async () => {
    const sandbox = sandboxForTest();
    const ids = [await pay(sandbox, pix()), await pay(sandbox, boleto())].map(({ body }) => String(body.id));
    const paid = String((await pay(sandbox, pix())).body.id);
    sandbox.control.payments.pay(paid);
    const next = goneOn(sandbox.save());
    const statuses = () => ids.map((id) => next.control.payments.retrieve(id).status);
    await next.clock.advance('29m');
    expect(statuses()).toEqual(['waiting_payment', 'waiting_payment']);
    await next.clock.advance('1m');
    expect(statuses()).toEqual(['expired', 'waiting_payment']);
    await next.clock.advance('32d');
    expect(statuses()).toEqual(['expired', 'expired']);
    expect(next.control.payments.retrieve(paid).status).toBe('paid');
  });

  test('accepts an upsell token once, and only while it is valid', async () => {
    const sandbox = sandboxForTest();
    const payForToken = async () => ((await pay(sandbox, openCard())).body.upsell as { token: string }).token;
    const [used, unused, late] = [await payForToken(), await payForToken(), await payForToken()];
    await pay(sandbox, withCard({ upsellToken: used }));
    const next = goneOn(sandbox.save());
    const statusWith = async (upsellToken: string) => (await pay(next, withCard({ upsellToken }))).status;
    expect([await statusWith(used), await statusWith(unused)]).toEqual([400, 201]);
    await next.clock.advance('16m');
    expect(await statusWith(late)).toBe(400);
  });

  test('has the vault’s cards, the access tokens, the features and the rotated secret', async () => {
    const sandbox = sandboxForTest();
    const tokenize = { number: testCards.refused };
    const vaulted = await call(sandbox, '/v1/vault/tokenize', { body: tokenize });
    const { clientId, clientSecret } = sandbox.clientOptions();
    const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const token = String((await call(sandbox, '/oauth/token', { body: grant })).body.access_token);
    sandbox.control.features.enable('split');
    const other = sandbox.addMerchant();
    const rotated = sandbox.control.credentials.rotate(other);
    const next = goneOn(sandbox.save());
    const card = withCard({ cardTokenId: vaulted.body.cardTokenId });
    expect((await pay(next, card)).body.status).toBe('refused');
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    expect((await pay(next, pix(), undefined, bearer)).status).toBe(201);
    expect((await pay({ clientOptions: () => ({ ...rotated, fetch: next.fetch }) }, pix())).status).toBe(201);
    expect((await pay(next, pix({ split: [] }))).status).not.toBe(403);
  });

  test('continues an onboarding with its documents, and replays its response', async () => {
    const sandbox = sandboxForTest();
    const first = await onboard(sandbox);
    const id = String(first.body.registration_id);
    const next = goneOn(sandbox.save());
    expect(next.control.onboarding.documents(id)).toEqual(sandbox.control.onboarding.documents(id));
    expect((await onboard(next)).body).toEqual(first.body);
    const status = async () => (await fetchOnboardingStatus(next, id)).body.status;
    await next.clock.advance('1m');
    expect(await status()).toBe('in_review');
    await next.clock.advance('9m');
    expect(await status()).toBe('approved');
    const reviewed = goneOn(next.save());
    await reviewed.clock.advance('1h');
    expect(reviewed.control.submerchants.list()).toHaveLength(1);
  });

  test('has sub-accounts, withdrawals, domains and certificates', async () => {
    const sandbox = sandboxForTest();
    const internalId = await subAccount(sandbox, '12345678909');
    const withdrawal = await call(sandbox, '/v1/submerchants/withdrawals', {
      body: { internalId, amount: 100 },
    });
    const domain = await call(sandbox, '/v1/payment-method-domains', {
      body: { domainName: 'shop.example.com' },
    });
    const record = await sandbox.control.certificates.create();
    const earlier = await sandbox.control.certificates.issue(record.signingRequestPem ?? '');
    const next = goneOn(sandbox.save());
    next.control.withdrawals.complete(Number(withdrawal.body.withdraw_id));
    const more = await call(next, '/v1/submerchants/withdrawals', { body: { internalId, amount: 1 } });
    expect(more.body.withdraw_id).toBe(Number(withdrawal.body.withdraw_id) + 1);
    const same = await call(next, '/v1/payment-method-domains', { body: { domainName: 'SHOP.example.com' } });
    expect([same.status, same.body]).toEqual([200, domain.body]);
    const activate = (certificate: string) =>
      call(next, `/v1/certificates/${record.id}/activate`, { body: { certificate } });
    expect((await activate(earlier.certificate)).body.status).toBe('active');
    const another = await next.control.certificates.issue(record.signingRequestPem ?? '');
    expect(another.authority).toBe(earlier.authority);
  });

  test('retries deliveries that failed or got no response, and lists their earlier attempts', async () => {
    const receiver = await startReceiver((nth) => (nth === 1 ? 'hang' : 200));
    const sandbox = sandboxForTest();
    const secret = 'x'.repeat(16);
    sandbox.webhooks.register({ url: receiver.url, events: ['transaction.paid'], secret });
    await pay(sandbox, openCard());
    await pay(sandbox, openCard());
    await receiver.until(1);
    const state = sandbox.save();
    await sandbox.close();
    const next = goneOn(state);
    expect(next.webhooks.endpoints).toHaveLength(1);
    await next.webhooks.idle();
    await next.clock.advance('30s');
    const bodies = receiver.received.map(({ body }) => JSON.parse(body).notificationId);
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies).size).toBe(2);
    expect(next.webhooks.deliveries.map(({ state, attempt }) => `${attempt} ${state}`)).toEqual([
      '1 failed',
      '1 delivered',
      '2 delivered',
    ]);
    for (const { body, headers } of receiver.received)
      expect(() => verify({ body, headers }, { secret, now: () => next.clock.now() })).not.toThrow();
  });

  test('generates the same ids as if the first sandbox had never stopped', async () => {
    const steps: ((target: ReturnType<typeof sandboxForTest>) => Promise<Reply>)[] = [
      (target) => pay(target, pix(), 'key-1'),
      (target) => pay(target, openCard(), 'key-2'),
      (target) => onboard(target),
      (target) => pay(target, boleto(), 'key-3'),
      (target) => call(target, '/v1/vault/tokenize', { body: { number: testCards.approved } }),
      (target) =>
        call(target, '/v1/submerchants', { body: form({ documentNumber: '12345678909' }), key: keyNo(9) }),
    ];
    const whole = sandboxForTest({ seed: 7 });
    let resumed = sandboxForTest({ seed: 7 });
    for (const step of steps) {
      const expected = await step(whole);
      expect((await step(resumed)).body).toEqual(expected.body);
      expect(expected.status).toBeLessThan(300);
      await whole.clock.advance('1m');
      await resumed.clock.advance('1m');
      resumed = sandboxForTest({ now: undefined, state: sent(resumed.save()) });
    }
    expect(resumed.save()).toEqual(sent(whole.save()));
  });

  test('has a clock that follows the system’s clock and keeps its earlier advances', async () => {
    setSystemTime('2026-01-01T00:00:00Z');
    const following = sandboxForTest({ now: undefined });
    await following.clock.advance('1d');
    const next = goneOn(following.save());
    setSystemTime('2026-03-01T00:00:00Z');
    expect(next.clock.frozen).toBe(false);
    expect(next.clock.now()).toEqual(new Date('2026-03-02T00:00:00Z'));
  });

  test('has a clock that is still frozen at the time when save() was called', async () => {
    setSystemTime('2026-01-01T00:00:00Z');
    const frozen = sandboxForTest({ now: startOfYear });
    await frozen.clock.advance('1d');
    const next = goneOn(frozen.save());
    setSystemTime('2026-03-01T00:00:00Z');
    expect(next.clock.frozen).toBe(true);
    expect(next.clock.now()).toEqual(new Date('2026-01-02T00:00:00Z'));
    await next.clock.advance('1h');
    expect(next.clock.now()).toEqual(new Date('2026-01-02T01:00:00Z'));
  });

  test('is not affected by changes after save(), which returns a copy', async () => {
    const sandbox = sandboxForTest();
    await pay(sandbox, pix());
    const state = sandbox.save();
    const before = JSON.stringify(state);
    for (const { id } of sandbox.control.payments.list()) sandbox.control.payments.pay(id);
    await pay(sandbox, pix());
    expect(JSON.stringify(state)).toBe(before);
    const next = goneOn(state);
    await pay(next, pix());
    expect(JSON.stringify(state)).toBe(before);
  });

  test.each<[unknown, RegExp]>([
    [{ state: {} }, /state is not the state of a sandbox/],
    [{ state: 'file.json' }, /state is not the state of a sandbox/],
    [
      { state: { format: 'payment-platform-sandbox', version: 2, seed: 1, parts: {} } },
      /state is of version 2, and this package reads version 1 only/,
    ],
    [
      { state: { format: 'payment-platform-sandbox', version: 1, seed: 1, parts: { payments: 1 } } },
      /state is damaged/,
    ],
    [{ stateFile: '' }, /stateFile must be the path of a file/],
  ])('rejects the options %j', (options, message) => {
    expect(() => createSandbox(options as object)).toThrow(TypeError);
    expect(() => createSandbox(options as object)).toThrow(message);
  });

  test('rejects a seed and credentials that differ from the saved ones', async () => {
    const sandbox = sandboxForTest({ seed: 3, clientId: 'me', clientSecret: 'mine' });
    const state = sandbox.save();
    expect(() => createSandbox({ state, seed: 4 })).toThrow('seed is 4, and the state was made with 3');
    expect(() => createSandbox({ state, clientId: 'you' })).toThrow('no such credential of the first');
    expect(() => createSandbox({ state, clientSecret: 'yours' })).toThrow(
      'clientSecret is not that of me in the state',
    );
    const next = sandboxForTest({ state, seed: 3, clientId: 'me', clientSecret: 'mine' });
    expect((await pay(next, pix())).status).toBe(201);
  });
});

describe('sandbox.reset', () => {
  test('restores the initial state, with the merchants and their credentials', async () => {
    const sandbox = sandboxForTest({ seed: 5 });
    const other = sandbox.addMerchant();
    const receiver = await startReceiver();
    sandbox.webhooks.register({ url: receiver.url });
    sandbox.faults.add({ fault: 'reset', operation: 'webhooks.list' });
    sandbox.control.features.enable('split');
    const rotated = sandbox.control.credentials.rotate();
    const first = await pay(sandbox, pix(), 'key-1');
    await onboard(sandbox);
    await sandbox.clock.advance('5m');
    await sandbox.reset();
    expect(sandbox.ledger.charges).toEqual([]);
    expect(sandbox.control.onboarding.list()).toEqual([]);
    expect(sandbox.webhooks.endpoints).toEqual([]);
    expect(sandbox.webhooks.deliveries).toEqual([]);
    expect(sandbox.faults.pending).toEqual([]);
    expect(sandbox.journal.requests).toEqual([]);
    expect(sandbox.clock.now().toISOString()).toBe('2026-01-01T00:00:00.000Z');
    expect(sandbox.clientOptions().clientSecret).toBe(rotated.clientSecret);
    const again = await pay(sandbox, pix(), 'key-1');
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await pay(other, pix())).status).toBe(201);
    expect(sandbox.addMerchant().clientId).not.toBe(other.clientId);
    await sandbox.clock.advance('31m');
    expect(sandbox.control.payments.list().map(({ status }) => status)).toEqual(['expired', 'expired']);
  });

  test('generates the same ids again if the sandbox has a seed, and otherwise never reuses an id', async () => {
    const receiver = await startReceiver();
    /** Lists every id of a payment, endpoint, delivery, sub-account, onboarding, withdrawal and request. */
    async function collectIds(sandbox: Sandbox): Promise<string[]> {
      sandbox.control.features.enable('split');
      const { id } = sandbox.webhooks.register({ url: receiver.url });
      const { body, headers } = await pay(sandbox, openCard());
      const registration = (await onboard(sandbox)).body.registration_id;
      const { internalId } = sandbox.control.onboarding.approve(String(registration));
      const withdrawal = await call(sandbox, '/v1/submerchants/withdrawals', {
        body: { internalId, amount: 1 },
      });
      const [delivery] = sandbox.webhooks.deliveries;
      const { notificationId } = JSON.parse(String(delivery?.body));
      const { token } = body.upsell as { token: string };
      return [
        ...[id, body.id, token, delivery?.id, notificationId, registration, internalId],
        ...[withdrawal.body.withdraw_id, headers.get('x-request-id')],
      ].map(String);
    }
    async function twice(sandbox: Sandbox) {
      const before = await collectIds(sandbox);
      await sandbox.reset();
      return [before, await collectIds(sandbox)] as const;
    }
    const unseeded = () => sandboxForTest({ seed: undefined, kyc: { approveAfter: false } });
    const ids = [...(await twice(unseeded())), ...(await twice(unseeded()))].flat();
    expect(ids).not.toContain('undefined');
    expect(new Set(ids).size).toBe(36);
    const [before, after] = await twice(sandboxForTest({ seed: 7 }));
    expect(after).toEqual(before);
  });

  test('aborts a delivery that is waiting for the receiver’s response', async () => {
    const receiver = await startReceiver(() => 'hang');
    const sandbox = sandboxForTest();
    sandbox.webhooks.register({ url: receiver.url });
    await pay(sandbox, pix());
    await receiver.until(1);
    await sandbox.reset();
    await sandbox.clock.advance('1h');
    expect(receiver.received).toHaveLength(1);
  });
});

describe('an additional credential of a merchant', () => {
  test('has access to the merchant’s records, and has its own limits and tokens', async () => {
    const sandbox = sandboxForTest();
    const second = sandbox.addCredential();
    expect(second.clientId).not.toBe(sandbox.clientOptions().clientId);
    const { body } = await pay(sandbox, boleto(), 'key-1');
    expect((await call(second, `/v1/payments/${body.id}/boleto`)).status).toBe(200);
    expect((await pay(second, boleto(), 'key-1')).body.id).toBe(body.id);
    await call(sandbox, '/v1/webhooks', { body: { webhook_url: 'https://a.example/hook', events: [] } });
    expect((await call(second, '/v1/webhooks')).body.data).toHaveLength(1);
    const create = (target: Parameters<typeof call>[0], number: number) =>
      call(target, '/v1/submerchants', { body: form({ documentNumber: '12345678909' }), key: keyNo(number) });
    for (let number = 1; number <= 10; number++) expect((await create(sandbox, number)).status).toBe(201);
    expect((await create(sandbox, 11)).status).toBe(429);
    expect((await create(second, 11)).status).toBe(201);
    sandbox.control.credentials.rotate(second);
    expect((await pay(sandbox, pix())).status).toBe(201);
  });

  test('can be added to another merchant, with its own client id', async () => {
    const sandbox = sandboxForTest();
    const other = sandbox.addMerchant();
    const theirs = sandbox.addCredential(other, { clientId: 'second', clientSecret: 'secret-2' });
    expect(theirs.clientOptions()).toMatchObject({ clientId: 'second', clientSecret: 'secret-2' });
    const { body } = await pay(other, boleto());
    expect((await call(theirs, `/v1/payments/${body.id}/boleto`)).status).toBe(200);
    expect((await call(sandbox, `/v1/payments/${body.id}/boleto`)).status).toBe(404);
    expect(() => sandbox.addCredential(other, { clientId: 'second' })).toThrow(/client id 'second' already/);
    expect(() => sandbox.addCredential({ clientId: 'nobody' })).toThrow(TypeError);
    expect(() => sandbox.addCredential(other, { features: {} } as object)).toThrow(
      'addCredential: features is an unknown option',
    );
  });
});
