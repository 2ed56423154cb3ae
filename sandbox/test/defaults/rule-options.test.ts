import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { responseStatus } from '../../defaults/statuses.js';
import {
  createSandbox,
  defaults,
  type ResponseName,
  type Sandbox,
  type SandboxOptions,
  testCards,
  testCardTokens,
} from '../../index.js';
import {
  boleto,
  call,
  fetchOnboardingStatus,
  form,
  keyNo,
  naturalPerson,
  onboard,
  openCard,
  pay,
  pix,
  sandboxForTest,
  signal,
  startReceiver,
  subAccount,
  unknownId,
  withCard,
} from '../support.js';

const openBoleto = (boletoOptions: object = {}) => boleto({ boleto: boletoOptions });
const ofPj = (fields: Parameters<typeof form>[0]) => ({ body: form(fields), key: keyNo(2) });
const submitPj = (sandbox: Sandbox, fields: Parameters<typeof form>[0]) =>
  call(sandbox, '/v2/submerchants/onboarding/pj', ofPj(fields));

async function receiving(sandbox: Sandbox, status: number, events: string[] = []) {
  const receiver = await startReceiver(() => status);
  const { id } = sandbox.webhooks.register({ url: receiver.url, events });
  return {
    receiver,
    statusOfEndpoint: () => sandbox.webhooks.endpoints.find((one) => one.id === id)?.status,
  };
}

/** Returns the largest number of simultaneous deliveries to a receiver that has not responded yet. */
async function mostInFlight(sandbox: Sandbox, payments: number): Promise<number> {
  const gate = signal();
  let arrived = 0;
  sandbox.webhooks.connect(
    async () => {
      arrived += 1;
      await gate.promise;
      return new Response();
    },
    { events: ['transaction.waiting_payment'] },
  );
  for (let index = 0; index < payments; index += 1) await pay(sandbox, pix());
  await setImmediate();
  const most = arrived;
  gate.fire();
  await sandbox.webhooks.idle();
  return most;
}

/** Maps each option to an observation that differs between the default and the other value. */
const effects: Readonly<
  Record<string, readonly [other: SandboxOptions, observe: (sandbox: Sandbox) => Promise<unknown>]>
> = {
  errorBody: [
    { errorBody: ({ status, code, issues }) => ({ erro: [status, code, issues.length] }) },
    async (sandbox) => (await pay(sandbox, { ...pix(), amount: -1 })).body,
  ],
  'oauth.expiresIn': [{ oauth: { expiresIn: 60 } }, async (sandbox) => (await token(sandbox)).expires_in],
  'oauth.grantType': [
    { oauth: { grantType: 'required' } },
    async (sandbox) => {
      const { clientId: client_id, clientSecret: client_secret } = sandbox.clientOptions();
      return (await call(sandbox, '/oauth/token', { body: { client_id, client_secret } })).status;
    },
  ],
  'upsell.notified': [
    { upsell: { notified: 'merchant' } },
    async (sandbox) => {
      const { receiver } = await receiving(sandbox, 200, ['transaction.paid']);
      await pay(sandbox, openCard());
      await sandbox.webhooks.idle();
      return 'upsell' in JSON.parse(receiver.received[0]?.body ?? '{}');
    },
  ],
  'webhooks.unknownFields': [
    { webhooks: { unknownFields: 'ignored' } },
    async (sandbox) => {
      const { id } = sandbox.webhooks.register({ url: 'https://shop.example/webhooks' });
      const body = { url: 'https://shop.example/other' };
      return (await call(sandbox, `/v1/webhooks/${id}`, { method: 'PUT', body })).status;
    },
  ],
  'deliveries.concurrency': [
    { deliveries: { concurrency: 3 } },
    async (sandbox) => await mostInFlight(sandbox, 5),
  ],
  'payments.tokenInstallments': [
    { payments: { tokenInstallments: 'refused' } },
    async (sandbox) =>
      (await pay(sandbox, withCard({ cardTokenId: testCardTokens.approved, installments: 3 }))).status,
  ],
  seed: [{ seed: 2 }, async (sandbox) => (await pay(sandbox, pix())).body.id],
  rateLimits: [
    { rateLimits: { submerchants: 1 } },
    async (sandbox) => {
      await subAccount(sandbox, '12345678909', keyNo(1));
      return (await call(sandbox, '/v1/submerchants', { body: form({}), key: keyNo(2) })).status;
    },
  ],
  maxBody: [{ maxBody: 100 }, async (sandbox) => (await onboard(sandbox)).status],
  fieldNames: [
    { fieldNames: { 'payment.refusalReason': 'refusal_reason' } },
    async (sandbox) => Object.keys((await pay(sandbox, openCard(testCards.refused))).body),
  ],
  features: [{ features: { paas: false } }, async (sandbox) => (await onboard(sandbox)).status],
  fee: [
    { fee: 100 },
    async (sandbox) => {
      sandbox.control.features.enable('split');
      await subAccount(sandbox, '12345678909');
      const split = [{ document: { number: '12345678909' }, percentage: 10 }];
      return (await pay(sandbox, pix({ split }))).body.split;
    },
  ],
  subscriptions: [
    { subscriptions: 'all' },
    async (sandbox) => {
      const { receiver } = await receiving(sandbox, 200, ['transaction.refunded']);
      await pay(sandbox, openCard());
      await sandbox.clock.advance('1s');
      return receiver.received.length;
    },
  ],
  signature: [
    { signature: { encoding: 'base64' } },
    async (sandbox) => {
      const { receiver } = await receiving(sandbox, 200);
      for (const { id } of sandbox.webhooks.endpoints)
        await call(sandbox, `/v1/webhooks/${id}`, {
          method: 'PUT',
          body: { hmac_secret: 'a-secret-of-the-test' },
        });
      await pay(sandbox, openCard());
      await sandbox.clock.advance('1s');
      return Object.values(receiver.received[0]?.headers ?? {}).some((value) =>
        /[0-9a-f]{64}/.test(String(value)),
      );
    },
  ],
  'kyc.approveAfter': [
    { kyc: { approveAfter: '1h' } },
    async (sandbox) => {
      const { body } = await onboard(sandbox);
      await sandbox.clock.advance('10m');
      return (await fetchOnboardingStatus(sandbox, body.registration_id)).body.status;
    },
  ],
  'kyc.reviewAfter': [
    { kyc: { reviewAfter: '5m' } },
    async (sandbox) => {
      const { body } = await onboard(sandbox);
      await sandbox.clock.advance('1m');
      return (await fetchOnboardingStatus(sandbox, body.registration_id)).body.status;
    },
  ],
  responses: [
    { responses: { pixCode: 'pix.qrCode' } },
    async (sandbox) => (await pay(sandbox, pix())).body.pix,
  ],
  'kyc.documentFormats': [
    { kyc: { documentFormats: ['png', 'pdf'] } },
    async (sandbox) => (await onboard(sandbox)).body.error?.issues,
  ],
  'withdrawals.balance': [
    { withdrawals: { balance: 'required' } },
    async (sandbox) => {
      const internalId = await subAccount(sandbox, '12345678909');
      const body = { internalId, amount: 1 };
      return (await call(sandbox, '/v1/submerchants/withdrawals', { body })).status;
    },
  ],
  'kyc.requiredPj': [
    { kyc: { requiredPj: ['cnpj', 'contratoSocial'] } },
    async (sandbox) => (await submitPj(sandbox, { representativeName: 'Ana' })).body.error?.issues,
  ],
  submerchantKeys: [
    { submerchantKeys: 'apart' },
    async (sandbox) => {
      await subAccount(sandbox, '12345678909', keyNo(1));
      const replies = [
        await onboard(sandbox, naturalPerson, keyNo(1)),
        await onboard(sandbox, naturalPerson, keyNo(1)),
      ];
      return [
        replies.map(({ status }) => status),
        replies[0]?.body.registration_id === replies[1]?.body.registration_id,
      ];
    },
  ],
  'webhooks.resendDelays': [
    { webhooks: { resendDelays: ['1s', '2s', 3_000] } },
    async (sandbox) => {
      const { receiver } = await receiving(sandbox, 500);
      await pay(sandbox, openCard());
      await sandbox.clock.advance('6s');
      return receiver.received.length / new Set(receiver.events()).size;
    },
  ],
  'webhooks.audience': [
    { webhooks: { audience: 'merchant' } },
    async (sandbox) => {
      const submerchant = await subAccount(sandbox, '12345678909');
      const [theirs, own] = [await startReceiver(), await startReceiver()];
      sandbox.webhooks.register({ url: theirs.url, submerchant, events: ['transaction.waiting_payment'] });
      sandbox.webhooks.register({ url: own.url, events: ['transaction.waiting_payment'] });
      await pay(sandbox, pix({ subMerchant: { document: { number: '12345678909' } } }));
      await sandbox.webhooks.idle();
      return [theirs.received.length, own.received.length];
    },
  ],
  'submerchantUpdates.fees': [
    { submerchantUpdates: { fees: 'PATCH /v1/submerchants/{internalId}/fees' } },
    (sandbox) => updated(sandbox, 'PATCH', 'fees'),
  ],
  'submerchantUpdates.bankAccount': [
    { submerchantUpdates: { bankAccount: 'PUT /v1/submerchants/{internalId}/bank' } },
    (sandbox) => updated(sandbox, 'PUT', 'bank'),
  ],
  'webhooks.endpointFailsAfter': [
    { webhooks: { endpointFailsAfter: 2 } },
    async (sandbox) => {
      const { statusOfEndpoint } = await receiving(sandbox, 500, ['transaction.paid']);
      await pay(sandbox, openCard());
      await sandbox.clock.advance('1h');
      const afterOne = statusOfEndpoint();
      await pay(sandbox, openCard());
      await sandbox.clock.advance('1h');
      return [afterOne, statusOfEndpoint()];
    },
  ],
  'payments.transitions': [
    { payments: { transitions: { chargeback: ['paid', 'refunded'] } } },
    async (sandbox) => {
      const id = String((await pay(sandbox, openCard())).body.id);
      sandbox.control.payments.refund(id);
      return sandbox.control.payments.details(id).transitions;
    },
  ],
  'payments.lateBoletos': [
    { payments: { lateBoletos: false } },
    async (sandbox) => {
      const id = String((await pay(sandbox, boleto())).body.id);
      return sandbox.control.payments.expire(id) && sandbox.control.payments.details(id).transitions;
    },
  ],
  'payments.dueDay': [
    { payments: { dueDay: 'brasilia' } },
    async (sandbox) => {
      const due = openBoleto({ expirationDate: '2026-01-01' });
      const yesterday = openBoleto({ expirationDate: '2025-12-31' });
      const id = String((await pay(sandbox, due)).body.id);
      return [sandbox.control.payments.details(id).expiresAt, (await pay(sandbox, yesterday)).status];
    },
  ],
  'payments.uniqueExternalId': [
    { payments: { uniqueExternalId: true } },
    async (sandbox) => {
      const body = pix({ externalId: 'order-1' });
      const statuses = [
        await pay(sandbox, body, 'key'),
        await pay(sandbox, body, 'key'),
        await pay(sandbox, body),
      ];
      return statuses.map(({ status }) => status);
    },
  ],
  'payments.refusalReason': [
    { payments: { refusalReason: ({ code }) => ({ reason: code.toUpperCase() }) } },
    async (sandbox) => (await pay(sandbox, openCard(testCards.expiredCard))).body.refusalReason,
  ],
  'upsell.issued': [
    { upsell: { issued: false } },
    async (sandbox) => 'upsell' in (await pay(sandbox, openCard())).body,
  ],
  'upsell.validFor': [
    { upsell: { validFor: '1m' } },
    async (sandbox) => {
      await pay(sandbox, openCard(), 'key');
      await sandbox.clock.advance('1m');
      return 'upsell' in (await pay(sandbox, openCard(), 'key')).body;
    },
  ],
  'vault.response': [
    { vault: { response: ({ cardTokenId }) => ({ token: cardTokenId }) } },
    async (sandbox) =>
      Object.keys((await call(sandbox, '/v1/vault/tokenize', { body: { number: testCards.approved } })).body),
  ],
  ...Object.fromEntries(
    (Object.keys(responseStatus) as ResponseName[]).map((name) => [
      `statuses.${name}`,
      [
        { statuses: { [name]: responseStatus[name] < 300 ? 203 : 418 } },
        (sandbox: Sandbox) => provoked(sandbox, name),
      ],
    ]),
  ),
};

async function updated(sandbox: Sandbox, method: string, update: string) {
  const id = await subAccount(sandbox, '12345678909');
  return (await call(sandbox, `/v1/submerchants/${id}/${update}`, { method, body: { value: 1 } })).status;
}

async function token(sandbox: Sandbox) {
  const { clientId, clientSecret } = sandbox.clientOptions();
  const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return (await call(sandbox, '/oauth/token', { body: grant })).body;
}

/** Returns the status of the named response, after a request that causes this response. */
async function provoked(sandbox: Sandbox, name: ResponseName): Promise<number> {
  const domain = { body: { domainName: 'shop.example' } };
  const url = { body: { webhook_url: 'https://shop.example/hook', events: [] } };
  const account = () => call(sandbox, '/v1/submerchants', { body: form({}), key: keyNo(1) });
  const onceMore = async (first: object, second: object) => {
    await pay(sandbox, first, 'key');
    return pay(sandbox, second, 'key');
  };
  const requests: Readonly<Record<ResponseName, () => Promise<{ status: number }>>> = {
    paymentCreated: () => pay(sandbox, pix()),
    paymentReplayed: () => onceMore(pix(), pix()),
    webhookCreated: () => call(sandbox, '/v1/webhooks', url),
    cardTokenized: () => call(sandbox, '/v1/vault/tokenize', { body: { number: testCards.approved } }),
    submerchantCreated: account,
    withdrawalCreated: async () => {
      const { body } = await account();
      const withdrawal = { body: { internalId: body.internalId, amount: 1 } };
      return call(sandbox, '/v1/submerchants/withdrawals', withdrawal);
    },
    acquirerUnknown: () => pay(sandbox, openCard(testCards.unknown)),
    keyReused: () => onceMore(pix(), boleto()),
    paymentInvalid: () => pay(sandbox, pix({ amount: 99 })),
    notABoleto: async () => call(sandbox, `/v1/payments/${(await pay(sandbox, pix())).body.id}/boleto`),
    unfitParameter: () => call(sandbox, '/v2/submerchants/onboarding/none/status'),
    notResubmittable: async () => {
      const { body } = await onboard(sandbox);
      const path = `/v2/submerchants/onboarding/${body.registration_id}/resend-documents`;
      return call(sandbox, path, { body: form({ selfie: new Uint8Array([1]) }) });
    },
    domainRegistered: () => call(sandbox, '/v1/payment-method-domains', domain),
    domainKnown: async () => {
      await call(sandbox, '/v1/payment-method-domains', domain);
      return call(sandbox, '/v1/payment-method-domains', domain);
    },
  };
  return (await requests[name]()).status;
}

describe.each(Object.entries(effects))('the sandbox option %s', (name, [other, observe]) => {
  test('changes the sandbox’s behaviour', async () => {
    const before = await observe(sandboxForTest());
    const after = await observe(sandboxForTest(other));
    expect(after).not.toEqual(before);
    if (!name.startsWith('statuses.')) return;
    const statusName = name.slice('statuses.'.length) as ResponseName;
    expect([before, after]).toEqual([responseStatus[statusName], Object.values(other.statuses ?? {})[0]]);
  });
});

test('kyc.documentFormats recognises a file by its first bytes, even when documents are resent', async () => {
  const sandbox = sandboxForTest({ kyc: { documentFormats: ['jpeg', 'png', 'webp', 'heic', 'pdf'] } });
  let keys = 0;
  const findIssues = async (beginning: string) => {
    const selfie = Buffer.from(beginning, 'latin1');
    const { body } = await onboard(
      sandbox,
      { ...naturalPerson, cnhCompleta: picture, selfie },
      keyNo(++keys),
    );
    return body.error?.issues;
  };
  const picture = Buffer.from('\xff\xd8\xff\xe0', 'latin1');
  const beginnings = [
    '\xff\xd8\xff',
    '\x89PNG\r\n',
    'RIFF\0\n\0\0WEBPVP8 ',
    '\0\0\0\x18ftypheic',
    '%PDF-1.7',
  ];
  for (const beginning of beginnings) expect(await findIssues(beginning)).toBeUndefined();
  const issue = {
    path: 'selfie',
    message: 'must be a file of one of these formats: jpeg, png, webp, heic, pdf',
  };
  for (const beginning of ['GIF89a', ' %PDF-1.7', '<!doctype html>', 'RIFF1234WAVE'])
    expect(await findIssues(beginning)).toEqual([issue]);
  const registration = String(sandbox.control.onboarding.list()[0]?.registration_id);
  sandbox.control.onboarding.reject(registration, { canResubmit: true });
  const body = form({ selfie: Buffer.from('text') });
  const resent = await call(sandbox, `/v2/submerchants/onboarding/${registration}/resend-documents`, {
    body,
  });
  expect(resent.body.error?.issues).toEqual([issue]);
});

test('a sub-account’s balance adds its shares of paid payments, and subtracts withdrawals and reversals', async () => {
  const sandbox = sandboxForTest({
    features: { split: true },
    fee: 90,
    withdrawals: { balance: 'required' },
  });
  const [owner, receiver] = [
    await subAccount(sandbox, '12345678909', keyNo(1)),
    await subAccount(sandbox, '52998224725', keyNo(2)),
  ];
  const balances = () => [owner, receiver].map((id) => sandbox.control.submerchants.balances().get(id));
  const withdraw = async (amount: number) =>
    call(sandbox, '/v1/submerchants/withdrawals', { body: { internalId: receiver, amount } });
  const subMerchant = { document: { number: '12345678909' } };
  const split = [{ document: { number: '52998224725' }, amount: 500 }];
  await pay(sandbox, openCard(testCards.approved, { subMerchant }));
  const divided = String((await pay(sandbox, openCard(testCards.approved, { subMerchant, split }))).body.id);
  await pay(sandbox, pix({ subMerchant }));
  await pay(sandbox, openCard(testCards.approved, {}));
  expect(balances()).toEqual([1_900 + 1_400, 500]);
  expect((await withdraw(501)).body.error).toMatchObject({ code: 'insufficient_balance' });
  const { withdraw_id } = (await withdraw(300)).body;
  expect(balances()).toEqual([3_300, 200]);
  expect((await withdraw(201)).status).toBe(400);
  sandbox.control.withdrawals.fail(Number(withdraw_id));
  expect(balances()).toEqual([3_300, 500]);
  sandbox.control.payments.refund(divided);
  expect(balances()).toEqual([1_900, 0]);
});

test('every option that a sandbox default names has a test', () => {
  const named = defaults.flatMap(({ option }) => option ?? []);
  // `receiverPatience` needs real time, so it has its own test below.
  expect(named.filter((option) => !(option in effects)).toSorted()).toEqual(['webhooks.receiverPatience']);
});

test('webhooks.receiverPatience can be longer than the runtime’s longest possible timer', async () => {
  const sandbox = sandboxForTest({ webhooks: { receiverPatience: '400d' } });
  const [arrived, responded] = [signal(), signal()];
  sandbox.webhooks.connect(async () => {
    arrived.fire();
    await responded.promise;
    return new Response();
  });
  await pay(sandbox, pix());
  await arrived.promise;
  let isOver = false;
  const advanced = sandbox.clock.advance('1s').then(() => {
    isOver = true;
  });
  // A timer beyond the limit fires within a millisecond.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isOver).toBe(false);
  responded.fire();
  await advanced;
});

test('clock.advance waits at most webhooks.receiverPatience of real time for a receiver', async () => {
  const receiver = await startReceiver(() => 'hang');
  const order: string[] = [];
  const moved = ['400ms', '1ms'].map(async (receiverPatience) => {
    const sandbox = sandboxForTest({ webhooks: { receiverPatience } });
    sandbox.webhooks.register({ url: receiver.url, events: [] });
    await pay(sandbox, openCard());
    await sandbox.clock.advance('1s');
    order.push(receiverPatience);
  });
  await Promise.all(moved);
  expect(order).toEqual(['1ms', '400ms']);
});

test.each([
  ['both', 1, 1, 1],
  ['merchant', 0, 1, 1],
  ['submerchant', 1, 0, 1],
] as const)(
  'webhooks.audience: %s sends %i notifications to the payment’s sub-account and %i to the merchant',
  async (audience, theirs, own, withoutOwner) => {
    const sandbox = sandboxForTest({ webhooks: { audience } });
    const submerchant = await subAccount(sandbox, '12345678909');
    const other = await subAccount(sandbox, '52998224725', keyNo(101));
    const events = ['transaction.waiting_payment'] as const;
    const [forIt, forOther, forMerchant] = [
      await startReceiver(),
      await startReceiver(),
      await startReceiver(),
    ];
    sandbox.webhooks.register({ url: forIt.url, submerchant, events });
    sandbox.webhooks.register({ url: forOther.url, submerchant: other, events });
    sandbox.webhooks.register({ url: forMerchant.url, events });
    await pay(sandbox, pix({ subMerchant: { document: { number: '12345678909' } } }));
    await sandbox.webhooks.idle();
    expect([forIt, forOther, forMerchant].map(({ received }) => received.length)).toEqual([theirs, 0, own]);
    await pay(sandbox, pix());
    await sandbox.webhooks.idle();
    expect(forMerchant.received.length - own).toBe(withoutOwner);
    expect(forIt.received).toHaveLength(theirs);
  },
);

test('a sub-account’s endpoints are hidden from the merchant’s API and have their own limit', async () => {
  const sandbox = sandboxForTest();
  const submerchant = await subAccount(sandbox, '12345678909');
  const url = (number: number) => `https://seller.example/${number}`;
  const { id } = sandbox.webhooks.register({ url: url(1), submerchant });
  expect((await call(sandbox, '/v1/webhooks')).body.data).toEqual([]);
  const update = { method: 'PUT', body: { events: [] } };
  expect((await call(sandbox, `/v1/webhooks/${id}`, update)).status).toBe(404);
  for (const number of [1, 2, 3]) sandbox.webhooks.register({ url: url(number) });
  for (const number of [2, 3]) sandbox.webhooks.register({ url: url(number), submerchant });
  expect(() => sandbox.webhooks.register({ url: url(4), submerchant })).toThrow('which is the limit');
  expect(() => sandbox.webhooks.register({ url: url(5), submerchant: unknownId })).toThrow(
    'is not the internalId of a sub-account',
  );
  const restored = sandboxForTest({ now: undefined, state: sandbox.save() });
  expect((await call(restored, '/v1/webhooks')).body.data).toHaveLength(3);
  expect(restored.webhooks.endpoints).toHaveLength(6);
});

test('fee updates at the path in the option submerchantUpdates count towards the sub-account rate limit', async () => {
  const sandbox = sandboxForTest({
    submerchantUpdates: {
      fees: 'PATCH /v1/submerchants/{internalId}/fees',
      bankAccount: 'PUT /v1/submerchants/bank/{internalId}',
    },
  });
  const id = await subAccount(sandbox, '12345678909');
  const paths = [
    { method: 'PATCH', path: `/v1/submerchants/${id}/fees` },
    { method: 'PUT', path: `/v1/submerchants/bank/${id}` },
    { method: 'PATCH', path: `/v1/submerchants/${id}` },
  ];
  const statuses: number[] = [];
  for (let count = 0; count < 12; count++) {
    const { method, path } = paths[count % 3] as (typeof paths)[number];
    statuses.push((await call(sandbox, path, { method, body: { phone: '+5511912345678' } })).status);
  }
  expect(statuses).toEqual([...new Array(9).fill(200), 429, 429, 429]);
  await sandbox.clock.advance('1m');
  const fees = { method: 'PATCH', body: { fee: 1 } };
  expect((await call(sandbox, `/v1/submerchants/${unknownId}/fees`, fees)).status).toBe(404);
  expect(
    (await call(sandbox, `/v1/submerchants/${id}/fees`, { ...fees, headers: { 'client-secret': 'x' } }))
      .status,
  ).toBe(401);
  expect((await call(sandbox, `/v1/submerchants/${id}/fees`, { method: 'PATCH', body: [] })).status).toBe(
    400,
  );
});

test('a successful delivery resets its endpoint’s failure count', async () => {
  const sandbox = sandboxForTest({ webhooks: { endpointFailsAfter: 2 } });
  const receiver = await startReceiver((nth) => (nth === 5 ? 200 : 500));
  sandbox.webhooks.register({ url: receiver.url, events: ['transaction.paid'] });
  for (let payments = 0; payments < 3; payments++) {
    await pay(sandbox, openCard());
    await sandbox.clock.advance('1h');
  }
  expect(receiver.received).toHaveLength(9);
  expect(sandbox.webhooks.endpoints.map(({ status }) => status)).toEqual(['active']);
});

test('the option errorBody cannot change an error’s status or Retry-After, and causes a 500 if it throws', async () => {
  const sandbox = sandboxForTest({ rateLimits: { vault: 1 }, errorBody: ({ message }) => [message] });
  const tokenize = () => call(sandbox, '/v1/vault/tokenize', { body: { number: testCards.approved } });
  await tokenize();
  const reply = await tokenize();
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '60']);
  expect(reply.body).toEqual([expect.stringContaining('Too many requests')]);
  const broken = sandboxForTest({
    errorBody: () => {
      throw new Error('no such field');
    },
  });
  const failed = await call(broken, `/v1/payments/${unknownId}/boleto`);
  expect(failed).toMatchObject({
    status: 500,
    body: { error: { message: 'errorBody failed: no such field' } },
  });
});

test('a 429 says that its wait is in sandbox time, and explains how to advance a frozen clock', async () => {
  const limited = async (now: string | undefined) => {
    const sandbox = sandboxForTest({ now, rateLimits: { vault: 1 } });
    const tokenize = () => call(sandbox, '/v1/vault/tokenize', { body: { number: testCards.approved } });
    await tokenize();
    return (await tokenize()).body.error?.message;
  };
  expect(await limited('2026-01-01T00:00:00Z')).toContain(
    "try again in 60 seconds of the sandbox's clock, which is frozen: move it with clock.advance('60s') or `payment-platform advance 60s`",
  );
  expect(await limited(undefined)).toContain("in 60 seconds of the sandbox's clock. createSandbox");
});

test.each([
  [{ statuses: { paymentCreated: 404 } }, 'statuses.paymentCreated must be a status from 200 to 299'],
  [
    { statuses: { paymentReplayed: 204 } },
    'statuses.paymentReplayed must be a status from 200 to 299, except 204 and 205, which have no body',
  ],
  [{ statuses: { keyReused: 200 } }, 'statuses.keyReused must be a status from 400 to 599'],
  [{ statuses: { paymentMade: 200 } }, 'statuses.paymentMade is an unknown response'],
  [{ errorBody: {} }, 'errorBody must be a function'],
  [{ webhooks: { resendDelays: ['1s'] } }, 'webhooks.resendDelays must be a list of three durations'],
  [{ webhooks: { endpointFailsAfter: 0 } }, 'webhooks.endpointFailsAfter must be a number of deliveries'],
  [
    { payments: { transitions: { pay: ['none'] } } },
    'payments.transitions.pay must be a list of waiting_payment',
  ],
  [{ payments: { transitions: { settle: [] } } }, 'payments.transitions.settle is an unknown transition'],
  [{ payments: { dueDay: 'rio' } }, "payments.dueDay must be 'utc' or 'brasilia'"],
  [{ upsell: { validFor: 'long' } }, 'upsell.validFor must be a duration'],
  [{ kyc: { requiredPj: ['cpf'] } }, 'kyc.requiredPj must be a list of cnpj'],
  [{ submerchantUpdates: { fees: '/fees' } }, 'submerchantUpdates.fees must be a method and a path below'],
  [
    { submerchantUpdates: { fees: 'PATCH /v1/submerchants/{internalId}' } },
    'submerchantUpdates.fees is the path of the update of registration data',
  ],
  [{ submerchantUpdates: { bank: 'x' } }, 'submerchantUpdates.bank is an unknown option'],
  [{ submerchantKeys: 'one' }, "submerchantKeys must be 'together' or 'apart'"],
])('createSandbox rejects the options %j', (options, message) => {
  expect(() => createSandbox(options as SandboxOptions)).toThrow(`createSandbox: ${message}`);
});
