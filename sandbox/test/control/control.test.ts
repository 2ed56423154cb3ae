import { describe, expect, test } from 'vitest';
import { defaults, type Sandbox, testCards } from '../../index.js';
import { openCard, pay, pix, sandboxForTest } from '../support.js';

const actions = ['pay', 'refuse', 'refund', 'chargeback', 'cancel', 'expire'] as const;
type Action = (typeof actions)[number];

/** Lists the control actions that lead a payment to each status. */
const histories: Record<string, { body: object; actions: Action[] }> = {
  waiting_payment: { body: pix(), actions: [] },
  in_analysis: { body: openCard(testCards.inAnalysis), actions: [] },
  paid: { body: pix(), actions: ['pay'] },
  refused: { body: openCard(testCards.refused), actions: [] },
  refunded: { body: pix(), actions: ['pay', 'refund'] },
  chargedback: { body: openCard(), actions: ['chargeback'] },
  cancelled: { body: pix(), actions: ['cancel'] },
  expired: { body: pix(), actions: ['expire'] },
};

const allowed: Record<string, Partial<Record<Action, string>>> = {
  waiting_payment: { pay: 'paid', refuse: 'refused', cancel: 'cancelled', expire: 'expired' },
  in_analysis: { pay: 'paid', refuse: 'refused', cancel: 'cancelled' },
  paid: { refund: 'refunded', chargeback: 'chargedback' },
};

async function paymentIn(sandbox: Sandbox, status: string): Promise<string> {
  const { body, actions = [] } = histories[status] ?? { body: {} };
  const reply = await pay(sandbox, body);
  const id = String(reply.body.id);
  for (const action of actions) sandbox.control.payments[action](id);
  expect(sandbox.control.payments.retrieve(id).status).toBe(status);
  return id;
}

describe.each(Object.keys(histories))('a payment with the status %s', (status) => {
  test.each(actions)(
    'changes after the control action %s only if the table of transitions allows it',
    async (action) => {
      const sandbox = sandboxForTest();
      const id = await paymentIn(sandbox, status);
      const expected = allowed[status]?.[action];
      if (expected === undefined) {
        expect(() => sandbox.control.payments[action](id)).toThrow(
          `Payment ${id} is ${status}: "${action}" takes`,
        );
        expect(sandbox.control.payments.retrieve(id).status).toBe(status);
      } else {
        expect(sandbox.control.payments[action](id)).toMatchObject({ id, status: expected });
        expect(sandbox.control.payments.retrieve(id).status).toBe(expected);
      }
    },
  );
});

test('the list of sandbox defaults names every transition of a payment’s status', () => {
  const transitions = defaults.find(({ topic }) => topic === 'Payment transitions')?.default;
  for (const action of actions) expect(transitions).toContain(`\`${action}\` moves a payment from `);
});

test.each([...actions, 'retrieve'] as const)(
  'control.payments.%s throws for an unknown payment',
  (action) => {
    expect(() => sandboxForTest().control.payments[action]('unknown')).toThrow(
      "There is no payment 'unknown'",
    );
  },
);

test('control.payments.list returns payments in creation order', async () => {
  const sandbox = sandboxForTest();
  const first = await pay(sandbox, pix());
  const second = await pay(sandbox, openCard());
  expect(sandbox.control.payments.list()).toEqual([first.body, second.body]);
});

test('only a payment with the status refused has a refusalReason', async () => {
  const sandbox = sandboxForTest();
  const id = await paymentIn(sandbox, 'in_analysis');
  expect(sandbox.control.payments.retrieve(id)).not.toHaveProperty('refusalReason');
  expect(sandbox.control.payments.refuse(id).refusalReason).toEqual({
    code: 'refused_by_issuer',
    message: expect.any(String),
  });
});

test('control.payments returns copies of payments', async () => {
  const sandbox = sandboxForTest();
  const id = await paymentIn(sandbox, 'waiting_payment');
  sandbox.control.payments.retrieve(id).status = 'paid';
  const [item] = sandbox.control.payments.retrieve(id).items ?? [];
  if (item !== undefined) item.unitPrice = 1;
  expect(sandbox.control.payments.retrieve(id)).toMatchObject({
    status: 'waiting_payment',
    items: [{ unitPrice: 1_990 }],
  });
});

test('the timeline lists added merchants, credentials, certificates and faults, without secrets', async () => {
  const sandbox = sandboxForTest();
  const clientSecret = 'a-secret-that-stays-hidden';
  sandbox.addMerchant({ clientId: 'other', clientSecret });
  sandbox.addCredential({ clientId: 'other' }, { clientSecret });
  await sandbox.control.certificates.create({ merchantIdentifier: 'merchant.example' });
  await expect(sandbox.control.certificates.issue('no PEM')).rejects.toThrow('not PEM');
  await expect(sandbox.control.domains.verify('unknown')).rejects.toThrow('unknown');
  sandbox.faults.add({ fault: { status: 503, headers: { authorization: clientSecret } } });
  sandbox.webhooks.faults.add({ fault: 'drop', id: 'lost' });
  sandbox.webhooks.faults.remove('lost');
  sandbox.faults.clear();
  const text = await (await sandbox.fetch('https://sandbox.test/_sandbox/timeline')).text();
  const { data } = JSON.parse(text) as { data: { call?: string; args?: unknown[] }[] };
  expect(data.map(({ call, args }) => [call, ...(args ?? [])])).toEqual([
    ['addMerchant'],
    ['addCredential'],
    ['certificates.create', { merchantIdentifier: 'merchant.example' }],
    ['faults.add', { status: 503 }],
    ['webhooks.faults.add', 'drop'],
    ['webhooks.faults.remove', 'lost'],
    ['faults.clear'],
  ]);
  expect(text).not.toContain(clientSecret);
});

test('the timeline lists revoked access tokens and rotated client secrets, without the secrets', async () => {
  const sandbox = sandboxForTest();
  const { fetch, baseUrl } = sandbox.clientOptions();
  sandbox.control.oauth.revokeTokens();
  const { clientSecret } = sandbox.control.credentials.rotate();
  expect(sandbox.control.oauth.tokens).toEqual([]);
  const text = await (await fetch(`${baseUrl}/_sandbox/timeline`)).text();
  const { data } = JSON.parse(text) as { data: { kind: string; call?: string; args?: unknown[] }[] };
  expect(data.map(({ kind, call, args }) => ({ kind, call, args }))).toEqual([
    { kind: 'control', call: 'oauth.revokeTokens', args: [] },
    { kind: 'control', call: 'credentials.rotate', args: [] },
  ]);
  expect(text).not.toContain(clientSecret);
});

test('the timeline names a merchant by its client id, also if its whole credentials were passed', async () => {
  const sandbox = sandboxForTest();
  const { clientId, clientOptions } = sandbox.addMerchant({ clientId: 'other' });
  sandbox.control.features.enable('split', clientOptions());
  const rotated = sandbox.control.credentials.rotate(clientOptions());
  sandbox.control.features.disable('split', rotated);
  await sandbox.control.certificates.create({ clientId, merchantIdentifier: 'merchant.example' });
  const text = await (await sandbox.fetch('https://sandbox.test/_sandbox/timeline')).text();
  const { data } = JSON.parse(text) as { data: { call?: string; args?: unknown[] }[] };
  expect(data.map(({ call, args }) => [call, ...(args ?? [])])).toEqual([
    ['addMerchant'],
    ['features.enable', 'split', { clientId }],
    ['credentials.rotate', { clientId }],
    ['features.disable', 'split', { clientId }],
    ['certificates.create', { clientId, merchantIdentifier: 'merchant.example' }],
  ]);
  expect(text).not.toContain(clientOptions().clientSecret);
  expect(text).not.toContain(rotated.clientSecret);
});

test('a listener of the sandbox sees no control call that throws', async () => {
  const sandbox = sandboxForTest();
  const seen: unknown[] = [];
  sandbox.observe((entry) => seen.push(entry.kind === 'control' ? entry.call : entry.kind));
  expect(() => sandbox.control.payments.pay('unknown')).toThrow();
  expect(() => sandbox.webhooks.register({ url: 'http://user:password@127.0.0.1/' })).toThrow();
  sandbox.control.oauth.revokeTokens();
  await Promise.resolve();
  expect(seen).toEqual(['oauth.revokeTokens']);
});

test('the journal connects a failed request with a payment of the same merchant only', async () => {
  const sandbox = sandboxForTest();
  const first = await pay(sandbox, pix(), 'order-1');
  const { clientId, clientSecret } = sandbox.addMerchant().clientOptions();
  const headers = { 'client-id': clientId, 'client-secret': clientSecret, 'x-idempotency-key': 'order-1' };
  const send = (body: object, changed: object = {}) =>
    sandbox.fetch('https://sandbox.test/v1/payments', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, ...changed },
      body: JSON.stringify(body),
    });
  expect((await send({})).status).toBe(400);
  expect((await send(pix(), { 'client-secret': 'wrong' })).status).toBe(401);
  expect(sandbox.journal.requests.map(({ paymentId }) => paymentId)).toEqual([
    first.body.id,
    undefined,
    undefined,
  ]);
  const { id } = (await (await send(pix())).json()) as { id: string };
  expect(sandbox.journal.requests.map(({ paymentId }) => paymentId)).toEqual([first.body.id, id, id, id]);
});
