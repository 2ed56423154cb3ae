import { expect, test } from 'vitest';
import { PaymentPlatform, responseOf } from '../../../src/index.js';
import {
  bankAccount,
  fetchOnboardingStatus,
  naturalPerson,
  onboard,
  sandboxForTest,
  startOfYear,
  unknownId,
} from '../support.js';

test('a client can onboard, update, charge for and pay out to a seller without control methods', async () => {
  const sandbox = sandboxForTest({ features: { split: true }, fee: 90 });
  const platform = new PaymentPlatform(sandbox.clientOptions());
  const { cnhCompleta, selfie } = naturalPerson;
  const { registration_id } = await platform.onboarding.submitPf({
    ...naturalPerson,
    bankAccount: { ...bankAccount, bankAccountType: 'conta_corrente' },
    cnhCompleta: { content: cnhCompleta, filename: 'cnh.png' },
    selfie: { content: selfie, filename: 'selfie.png' },
  });
  expect(await platform.onboarding.status(registration_id)).toEqual({
    registration_id,
    status: 'submitted',
    can_resubmit: false,
  });

  await sandbox.clock.advance('10m');
  const approved = await platform.onboarding.status(registration_id);
  expect(approved).toMatchObject({ status: 'approved', internalId: expect.any(String) });
  const internalId = String(approved.internalId);

  const updated = await platform.submerchants.update(internalId, { phone: '+5511987654321' });
  expect(responseOf(updated).status).toBe(200);
  const payment = await platform.payments.create({
    amount: 1_990,
    paymentMethod: 'credit_card',
    items: [{ title: 'Book', quantity: 1, unitPrice: 1_990 }],
    customer: { name: 'Maria Silva' },
    card: {
      number: '4111111111111111',
      cvv: '987',
      holderName: 'MARIA SILVA',
      expirationMonth: 12,
      expirationYear: 2030,
    },
    split: [{ document: { number: naturalPerson.document }, percentage: 50 }],
  });
  expect(payment.split).toMatchObject({
    netAmount: 1_900,
    entries: [{ internalId, amount: 950 }, { amount: 950 }],
  });

  const { withdraw_id } = await platform.submerchants.withdrawals.create<{ withdraw_id: number }>({
    internalId,
    amount: 950,
  });
  expect(await platform.submerchants.withdrawals.retrieve(withdraw_id)).toEqual({
    withdraw_id,
    status: 'pending',
  });
});

test('the onboarding status contains no internalId before the approval or after a rejection', async () => {
  const sandbox = sandboxForTest({ kyc: { approveAfter: false } });
  const { body } = await onboard(sandbox);
  const id = String(body.registration_id);
  expect((await fetchOnboardingStatus(sandbox, id)).body).not.toHaveProperty('internalId');
  sandbox.control.onboarding.reject(id, { canResubmit: true });
  expect((await fetchOnboardingStatus(sandbox, id)).body).not.toHaveProperty('internalId');
});

test('a request for the onboarding status of another merchant’s registration returns a 404', async () => {
  const sandbox = sandboxForTest({ now: startOfYear });
  const { body } = await onboard(sandbox);
  await sandbox.clock.advance('10m');
  expect((await fetchOnboardingStatus(sandbox, body.registration_id)).body.internalId).toMatch(
    /^[0-9a-f-]{36}$/,
  );
  expect((await fetchOnboardingStatus(sandbox.addMerchant(), body.registration_id)).status).toBe(404);
  expect((await fetchOnboardingStatus(sandbox, unknownId)).status).toBe(404);
});
