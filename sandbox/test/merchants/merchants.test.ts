import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { MerchantOptions } from '../../index.js';
import {
  call,
  fetchOnboardingStatus,
  form,
  keyNo,
  onboard,
  openCard,
  pay,
  pix,
  sandboxForTest,
  startReceiver,
  subAccount,
  type Target,
  unknownId,
  withCard,
} from '../support.js';

const twoMerchants = () => {
  const sandbox = sandboxForTest();
  return { sandbox, other: sandbox.addMerchant() };
};

describe('a merchant that is added to the sandbox', () => {
  test('has its own credentials, which a client can use', async () => {
    const { sandbox, other } = twoMerchants();
    const [mine, theirs] = [sandbox.clientOptions(), other.clientOptions()];
    expect(theirs.clientId).toBe(other.clientId);
    expect(theirs.clientId).not.toBe(mine.clientId);
    expect(theirs.clientSecret).not.toBe(mine.clientSecret);
    expect((await pay(other, pix())).status).toBe(201);
    const mixed = { headers: { 'client-secret': mine.clientSecret } };
    expect((await pay(other, pix(), undefined, mixed)).status).toBe(401);
  });

  test('gets the given credentials, and is rejected if its client id is already taken', async () => {
    const { sandbox } = twoMerchants();
    const merchant = sandbox.addMerchant({ clientId: 'me', clientSecret: 'mine' });
    expect(merchant.clientOptions()).toMatchObject({ clientId: 'me', clientSecret: 'mine' });
    expect(() => sandbox.addMerchant({ clientId: 'me' })).toThrow(/client id 'me' already/);
  });

  test.each<[unknown, string]>([
    [{ seed: 1 }, 'seed is an unknown option. Known: clientId, clientSecret, features'],
    [{ clientId: '', clientSecret: 1 }, 'clientId must be a non-empty string'],
    [{ features: { split: 1 } }, 'features.split must be true or false'],
    [null, 'must be an object'],
  ])('is rejected with the options %j', (options, message) => {
    const { sandbox } = twoMerchants();
    const add = () => sandbox.addMerchant(options as MerchantOptions);
    expect(add).toThrow(TypeError);
    expect(add).toThrow(/^addMerchant(?:: | has 2 problems)/);
    expect(add).toThrow(message);
    expect(inspect(sandbox)).toContain('merchants: 2');
  });

  test.each([{}, { clientID: 'x' }, 'me', null, { clientId: 1 }])(
    'is identified in control methods by an object with its clientId, and not by %j',
    (reference) => {
      const { sandbox } = twoMerchants();
      const before = sandbox.clientOptions();
      const message = 'The merchant must be an object with a clientId';
      expect(() => sandbox.control.credentials.rotate(reference as never)).toThrow(message);
      expect(() => sandbox.control.features.enable('split', reference as never)).toThrow(message);
      expect(sandbox.clientOptions()).toEqual(before);
    },
  );

  test('does not print its secret', () => {
    const { sandbox, other } = twoMerchants();
    const { clientSecret } = other.clientOptions();
    const shown =
      inspect([other, sandbox], { depth: 20, showHidden: true }) +
      JSON.stringify([other, sandbox, { ...other }]);
    expect(shown).not.toContain(clientSecret);
  });

  test('does not change the first merchant’s secret and ids', async () => {
    const sandbox = sandboxForTest({ seed: 1 });
    await pay(sandbox.addMerchant(), pix());
    const alone = sandboxForTest({ seed: 1 });
    expect(sandbox.clientOptions().clientSecret).toBe(alone.clientOptions().clientSecret);
    expect((await pay(sandbox, pix())).body.id).toBe((await pay(alone, pix())).body.id);
  });

  test('can also use the sandbox over HTTP', async () => {
    const { sandbox, other } = twoMerchants();
    const server = await sandbox.listen();
    const target = { clientOptions: () => server.clientOptions(other) };
    expect(target.clientOptions()).toEqual({
      baseUrl: server.url,
      clientId: other.clientId,
      clientSecret: other.clientOptions().clientSecret,
    });
    expect((await pay(target, pix())).status).toBe(201);
    expect(() => server.clientOptions({ clientId: 'unknown' })).toThrow(/client id 'unknown'/);
  });
});

describe('a merchant cannot see another merchant’s data', () => {
  test('a request for another merchant’s payment, registration, sub-account or other record returns a 404', async () => {
    const { sandbox, other } = twoMerchants();
    const { body: payment } = await pay(sandbox, { ...pix(), paymentMethod: 'boleto' });
    const { body: registration } = await onboard(sandbox);
    const internalId = await subAccount(sandbox, '12345678909');
    const { body: withdrawal } = await call(sandbox, '/v1/submerchants/withdrawals', {
      body: { internalId, amount: 100 },
    });
    const endpoint = sandbox.webhooks.register({ url: 'https://a.example' });
    const requests = [
      [`/v1/payments/${payment.id}/boleto`, {}],
      [`/v2/submerchants/onboarding/${registration.registration_id}/status`, {}],
      [`/v1/submerchants/${internalId}`, { method: 'PATCH', body: { phone: '1' } }],
      [`/v1/submerchants/withdrawals/${withdrawal.withdraw_id}`, {}],
      [`/v1/webhooks/${endpoint.id}`, { method: 'PUT', body: {} }],
    ] as const;
    for (const [path, request] of requests) {
      expect([path, (await call(sandbox, path, request)).status]).toEqual([path, 200]);
      expect([path, (await call(other, path, request)).status]).toEqual([path, 404]);
      expect((await call(sandbox, path.replace(/[^/]{36}|\d{6,}/, unknownId), request)).status).toBe(404);
    }
    const resend = { body: form({ selfie: new Uint8Array([1]) }) };
    const path = `/v2/submerchants/onboarding/${registration.registration_id}/resend-documents`;
    expect((await call(other, path, resend)).status).toBe(404);
    expect((await call(other, '/v1/webhooks')).body).toEqual({ data: [] });
  });

  test('another merchant’s sub-account cannot make a withdrawal or own a payment', async () => {
    const { sandbox, other } = twoMerchants();
    const internalId = await subAccount(sandbox, '12345678909');
    const body = { internalId, amount: 100 };
    expect((await call(other, '/v1/submerchants/withdrawals', { body })).status).toBe(404);
    const subMerchant = { document: { number: '12345678909', type: 'cpf' } };
    expect((await pay(sandbox, pix({ subMerchant }))).status).toBe(201);
    expect((await pay(other, pix({ subMerchant }))).status).toBe(400);
  });

  test('domains, cards and upsell tokens belong to one merchant', async () => {
    const { sandbox, other } = twoMerchants();
    await call(sandbox, '/v1/payment-method-domains', { body: { domainName: 'shop.example' } });
    expect((await call(other, '/v1/payment-method-domains')).body).toEqual({ data: [] });
    const { body } = await call(sandbox, '/v1/vault/tokenize', { body: { number: '4111111111111111' } });
    const card = withCard({ cardTokenId: body.cardTokenId });
    expect([(await pay(sandbox, card)).status, (await pay(other, card)).status]).toEqual([201, 400]);
    const upsell = (await pay(sandbox, openCard())).body.upsell as { token: string };
    const again = withCard({ upsellToken: upsell.token });
    expect([(await pay(other, again)).status, (await pay(sandbox, again)).status]).toEqual([400, 201]);
  });

  test('a request to revoke another merchant’s certificate returns a 404', async () => {
    const { sandbox, other } = twoMerchants();
    const { clientId } = other;
    const certificate = await sandbox.control.certificates.create({ clientId });
    const path = `/v1/certificates/${certificate.id}/revoke`;
    expect((await call(sandbox, path, { method: 'POST' })).status).toBe(404);
    expect((await call(other, path, { method: 'POST' })).body.status).toBe('revoked');
    expect((await call(sandbox, '/v1/certificates')).body).toEqual({ data: [] });
  });

  test('idempotency keys belong to one merchant', async () => {
    const { sandbox, other } = twoMerchants();
    const [one, two] = [await pay(sandbox, pix(), 'key'), await pay(other, pix({ amount: 500 }), 'key')];
    expect([one.status, two.status]).toEqual([201, 201]);
    const [first, second] = [await onboard(sandbox), await onboard(other)];
    expect(second.status).toBe(202);
    expect(second.body.registration_id).not.toBe(first.body.registration_id);
  });

  test('a notification goes to the endpoints of its merchant', async () => {
    const { sandbox, other } = twoMerchants();
    const [mine, theirs] = [await startReceiver(), await startReceiver()];
    sandbox.webhooks.register({ url: mine.url });
    await call(other, '/v1/webhooks', { body: { webhook_url: theirs.url, events: ['transaction.paid'] } });
    await pay(other, openCard());
    await sandbox.webhooks.idle();
    expect([mine.events(), theirs.events()]).toEqual([[], ['transaction.paid']]);
    expect(sandbox.webhooks.endpoints.map(({ endpoint }) => endpoint)).toEqual([mine.url, theirs.url]);
    expect(sandbox.webhooks.deliveries).toHaveLength(1);
  });
});

describe('the sandbox’s control methods act on all merchants', () => {
  test('control.payments and the ledger list all payments in creation order', async () => {
    const { sandbox, other } = twoMerchants();
    const ids = [];
    for (const target of [other, sandbox, other]) ids.push(String((await pay(target, pix())).body.id));
    expect(sandbox.ledger.charges.map(({ paymentId }) => paymentId)).toEqual(ids);
    expect(sandbox.control.payments.list().map(({ id }) => id)).toEqual(ids);
    for (const id of ids) expect(sandbox.control.payments.pay(id).status).toBe('paid');
    await pay(other, openCard('4000000000000119'), 'key');
    sandbox.control.payments.resolve('key', 'created');
    expect(sandbox.ledger.chargesFor('key')).toHaveLength(1);
  });

  test('every merchant’s registrations, sub-accounts, withdrawals and endpoints can be controlled', async () => {
    const { sandbox, other } = twoMerchants();
    const { control } = sandbox;
    const registration = String((await onboard(other)).body.registration_id);
    const { internalId = '' } = control.onboarding.approve(registration);
    expect(control.submerchants.list().map((account) => account.internalId)).toEqual([internalId]);
    const body = { internalId, amount: 100 };
    const { body: withdrawal } = await call(other, '/v1/submerchants/withdrawals', { body });
    expect(control.withdrawals.complete(Number(withdrawal.withdraw_id)).status).toBe('completed');
    const { body: endpoint } = await call(other, '/v1/webhooks', {
      body: { webhook_url: 'https://a.example', events: [] },
    });
    expect(control.webhooks.setStatus(String(endpoint.id), 'suspended').status).toBe('suspended');
    expect((await fetchOnboardingStatus(other, registration)).body.status).toBe('approved');
  });
});

describe('a merchant’s features', () => {
  test('apply only to that merchant', async () => {
    const { sandbox, other } = twoMerchants();
    sandbox.control.features.disable('paas', other);
    expect((await onboard(other)).status).toBe(403);
    expect((await onboard(sandbox)).status).toBe(202);
    sandbox.control.features.enable('paas', other);
    expect((await onboard(other)).status).toBe(202);
  });

  test('cause an error that names the missing ones and the control method that enables them', async () => {
    const { sandbox, other } = twoMerchants();
    sandbox.control.features.disable('paas');
    const payForMessage = async (target: Target) =>
      (await pay(target, pix({ split: [{}] }))).body.error?.message;
    expect(await payForMessage(sandbox)).toBe(
      "This merchant does not have: paas, split. In the sandbox: control.features.enable('paas'), control.features.enable('split').",
    );
    expect(await payForMessage(other)).toBe(
      "This merchant does not have: split. In the sandbox: control.features.enable('split', merchant).",
    );
  });

  test('can be enabled for the sandbox or for one merchant, and must have a known name', async () => {
    const sandbox = sandboxForTest({ features: { paas: false } });
    const reply = await onboard(sandbox);
    expect([reply.status, reply.body.error?.code]).toEqual([403, 'feature_not_enabled']);
    expect(
      (await onboard(sandbox.addMerchant({ features: { paas: true } }), undefined, keyNo(2))).status,
    ).toBe(202);
    expect(() => sandbox.control.features.enable('pix' as never)).toThrow("'pix' is an unknown feature");
    expect(() => sandbox.control.features.enable('split', { clientId: 'unknown' })).toThrow(/'unknown'/);
  });
});
