import { describe, expect, test } from 'vitest';
import { PaymentPlatform } from '../../../src/index.js';
import { createSandbox, testCards, testNames } from '../../index.js';
import { createSamples } from '../../testing/index.js';
import {
  boleto,
  fetchOnboardingStatus,
  keyNo,
  naturalPerson,
  onboard,
  openCard,
  pay,
  pix,
  sandboxForTest,
  withCard,
} from '../support.js';

describe('a customer name that selects a scenario', () => {
  test.each([
    'Maria Silva',
    'sandbox refused',
    'Sandbox Refused',
    'Sandbox refused ',
    'Maria Sandbox refused',
    'Sandbox paid after',
    'Sandbox paid after soon',
    'Sandbox paid after -1s',
    'Sandbox paid late after 3s',
    'Sandbox approved',
    'Sandbox constructor',
    'Sandbox toString after 1s',
    'refused',
  ])('must match exactly: the payment of the customer %j stays pending', async (name) => {
    const sandbox = sandboxForTest();
    const { body } = await pay(sandbox, pix({ customer: { name } }));
    await sandbox.clock.advance('29m');
    expect(sandbox.control.payments.retrieve(String(body.id)).status).toBe('waiting_payment');
  });

  test('can be built with a delay, in milliseconds or as a duration with a unit', () => {
    expect(testNames.paidAfter(1_500)).toBe('Sandbox paid after 1500ms');
    expect(testNames.paidAfter(' 2d ')).toBe('Sandbox paid after 2d');
    expect(() => testNames.paidAfter('soon')).toThrow("'soon' is not a duration");
    expect(() => testNames.approvedAfter(-1)).toThrow(TypeError);
  });

  test('does not affect a card payment', async () => {
    const reply = await pay(sandboxForTest(), openCard(undefined, { customer: { name: testNames.refused } }));
    expect(reply.body.status).toBe('paid');
  });

  test('has no effect on a payment that has already expired', async () => {
    const sandbox = sandboxForTest();
    const body = pix({ customer: { name: testNames.paidAfter('2m') }, pix: { expiration: 60 } });
    const { body: created } = await pay(sandbox, body);
    await sandbox.clock.advance('1h');
    expect(sandbox.control.payments.retrieve(String(created.id)).status).toBe('expired');
  });

  test('is overridden by the control methods', async () => {
    const sandbox = sandboxForTest();
    const { body } = await pay(sandbox, pix({ customer: { name: testNames.paidAfter('2m') } }));
    sandbox.control.payments.cancel(String(body.id));
    await sandbox.clock.advance('1h');
    expect(sandbox.control.payments.retrieve(String(body.id)).status).toBe('cancelled');
  });

  test('cannot make a Pix paid after its expiry', async () => {
    const sandbox = sandboxForTest();
    const { body } = await pay(sandbox, pix({ customer: { name: testNames.paidLate } }));
    await sandbox.clock.advance('2d');
    expect(sandbox.control.payments.retrieve(String(body.id)).status).toBe('expired');
  });
});

test('control.payments.pay accepts an expired boleto, but not an expired Pix', async () => {
  const sandbox = sandboxForTest();
  const ids = [await pay(sandbox, boleto()), await pay(sandbox, pix())].map(({ body }) => String(body.id));
  const [slip = '', code = ''] = ids;
  await sandbox.clock.advance('60d');
  expect(sandbox.control.payments.pay(slip).status).toBe('paid');
  expect(() => sandbox.control.payments.pay(code)).toThrow('is expired: "pay" takes');
});

test('a scenario approves a rejected registration after its documents were sent again', async () => {
  const sandbox = sandboxForTest();
  const client = new PaymentPlatform(sandbox.clientOptions());
  const samples = createSamples();
  const person = samples.onboarding.pf({ fullName: testNames.rejectedThenApproved });
  const { registration_id } = await client.onboarding.submitPf(person);
  expect(await client.onboarding.status(registration_id)).toMatchObject({ can_resubmit: true });
  const later = sandboxForTest({ now: undefined, state: sandbox.save() });
  const next = new PaymentPlatform(later.clientOptions());
  const resent = await next.onboarding.resendDocuments(registration_id, samples.onboarding.resend());
  expect(resent.status).toBe('submitted');
  expect(await next.onboarding.status(registration_id)).toMatchObject({
    status: 'approved',
    can_resubmit: false,
  });
  expect(later.control.submerchants.list()).toHaveLength(1);
});

test('a scenario does not change a registration that a control method has decided', async () => {
  const sandbox = sandboxForTest();
  const { body } = await onboard(sandbox, {
    ...naturalPerson,
    fullName: testNames.rejectedAfter('1m'),
  });
  sandbox.control.onboarding.approve(String(body.registration_id));
  await sandbox.clock.advance('1h');
  expect((await fetchOnboardingStatus(sandbox, body.registration_id)).body.status).toBe('approved');
});

test('testCards.upsellRefused declines the upsell charge, and testCards.withoutUpsell returns no upsell token', async () => {
  const sandbox = sandboxForTest();
  const { body } = await pay(sandbox, openCard(testCards.upsellRefused));
  const { token } = body.upsell as { token: string };
  expect((await pay(sandbox, withCard({ upsellToken: token }))).body.status).toBe('refused');
  const without = await pay(sandbox, openCard(testCards.withoutUpsell));
  expect(without.body).not.toHaveProperty('upsell');
});

describe('an unknown outcome that resolves on its own', () => {
  test('is resolved by payments.reconcile', async () => {
    const sandbox = createSandbox({ seed: 1, now: '2026-01-01T00:00:00Z' });
    const client = new PaymentPlatform({ ...sandbox.clientOptions(), maxRetries: 0 });
    const order = createSamples().payments.card({ card: { number: testCards.unknownThenCreated } });
    const key = { idempotencyKey: keyNo(1) };
    await expect(client.payments.create(order, key)).rejects.toMatchObject({ outcome: 'unknown' });
    await sandbox.clock.advance('1m');
    expect(sandbox.ledger.chargesFor(keyNo(1))).toHaveLength(1);
    expect((await client.payments.create(order, key)).status).toBe('paid');
    expect(sandbox.ledger.chargesFor(keyNo(1))).toHaveLength(1);
    client.close();
    await sandbox.close();
  });

  test('waits its full delay even after a control method resolved an earlier one for its key', async () => {
    const sandbox = sandboxForTest();
    const body = openCard(testCards.unknownThenCreated);
    await pay(sandbox, body, 'key');
    sandbox.control.payments.resolve('key', 'not-created');
    await sandbox.clock.advance('30s');
    sandbox.faults.add({ operation: 'payments.create', nth: 1, fault: 'acquirer-unknown' });
    expect((await pay(sandbox, body, 'key')).status).toBe(502);
    await sandbox.clock.advance('59s');
    expect((await pay(sandbox, body, 'key')).status).toBe(409);
    await sandbox.clock.advance('1s');
    expect((await pay(sandbox, body, 'key')).status).toBe(200);
  });
});

test('a domain selects a scenario in any letter case, but only if it ends in .test or .example', async () => {
  const sandbox = sandboxForTest();
  const client = new PaymentPlatform(sandbox.clientOptions());
  for (const domainName of ['FAILS.loja.test', 'verified.loja.com.br', 'unverified.loja.test'])
    await client.domains.register({ domainName });
  await sandbox.clock.advance('1h');
  expect((await client.domains.list()).data.map(({ status }) => status)).toEqual([
    'failed',
    'pending',
    'pending',
  ]);
});
