import { expect, test } from 'vitest';
import { PaymentPlatform } from '../../src/index.js';
import { createReceiver } from '../../src/webhooks/index.js';
import { createSandbox, type SandboxOptions } from '../index.js';
import {
  createSamples,
  everyDeliveryDelivered,
  everyFaultFired,
  noDuplicateCharges,
} from '../testing/index.js';

const secret = 'a-secret-of-the-merchant';

/** Runs a merchant's journey, from the first token to the last withdrawal. */
async function journey(seed: number, options: SandboxOptions = {}) {
  const sandbox = createSandbox({
    seed,
    now: '2026-01-01T00:00:00Z',
    features: { paas: true, split: true },
    ...options,
    kyc: { ...options.kyc, approveAfter: false },
  });
  const samples = createSamples();
  const key = () => ({ idempotencyKey: samples.key() });
  // A client's retry waits in real time, so the test repeats failed calls below with the same key.
  const platform = new PaymentPlatform({ ...sandbox.clientOptions(), auth: 'oauth', maxRetries: 0 });
  const { control } = sandbox;

  const events: string[] = [];
  const receiver = createReceiver({
    secret,
    now: () => sandbox.clock.now(),
    on: Object.fromEntries(
      ['waiting_payment', 'paid', 'refunded', 'chargedback'].map((status) => [
        `transaction.${status}`,
        ({ event }: { event: string }) => void events.push(event),
      ]),
    ),
  });
  sandbox.webhooks.connect(receiver.fetch, { secret });
  const { id } = await platform.webhooks.create(
    samples.webhooks.register({ events: ['transaction.in_analysis'] }),
  );
  // No server runs at the endpoint's URL.
  control.webhooks.setStatus(id, 'inactive');

  const person = samples.onboarding.pf();
  const { registration_id } = await platform.onboarding.submitPf(person, key());
  control.onboarding.reject(registration_id, { canResubmit: true, reason: 'blurred' });
  await platform.onboarding.resendDocuments(registration_id, samples.onboarding.resend());
  control.onboarding.approve(registration_id);
  expect((await platform.onboarding.status(registration_id)).status).toBe('approved');
  const shop = samples.submerchants.create();
  const { internalId } = await platform.submerchants.create<{ internalId: string }>(shop, key());
  await platform.submerchants.update(internalId, samples.submerchants.update());

  const pix = await platform.payments.create(samples.payments.pix(), key());
  control.payments.pay(pix.id);
  const card = await platform.payments.create(samples.payments.card(), key());
  await platform.payments.create(samples.payments.upsell(card.upsell?.token ?? ''), key());
  const { cardTokenId } = await platform.vault.tokenize<{ cardTokenId: string }>(samples.vault.tokenize());
  await platform.payments.create(samples.payments.vault(cardTokenId), key());
  await platform.payments.create(samples.payments.wallet(), key());
  const boleto = await platform.payments.create(samples.payments.boleto(), key());
  expect(Buffer.from((await platform.payments.boleto(boleto.id)).bytes).toString('latin1', 0, 4)).toBe(
    '%PDF',
  );
  await platform.payments.create(
    samples.payments.split([String(shop.documentNumber), person.document]),
    key(),
  );
  control.payments.refund(pix.id);
  control.payments.chargeback(card.id);
  await sandbox.webhooks.idle();

  sandbox.faults.add({ operation: 'payments.create', phase: 'after-commit', fault: 'reset' });
  sandbox.faults.add({ operation: 'payments.create', nth: 2, phase: 'mid-response', fault: 'truncate' });
  sandbox.webhooks.faults.add({ fault: 'drop' });
  sandbox.webhooks.faults.add({ fault: 'duplicate' });
  const order = samples.payments.pix();
  const same = key();
  for (const lost of [true, true, false]) {
    const call = platform.payments.create(order, same);
    if (lost) await expect(call).rejects.toMatchObject({ outcome: 'unknown' });
    else expect((await call).externalReference).toBe(order.externalId);
  }

  const { withdraw_id } = await platform.submerchants.withdrawals.create<{ withdraw_id: number }>(
    samples.submerchants.withdrawal(internalId),
  );
  control.withdrawals.complete(withdraw_id);
  await platform.submerchants.withdrawals.retrieve(withdraw_id);
  await platform.domains.register(samples.domains.register());
  await platform.domains.list();
  // The body of an activation contains a signature, which differs in every run.
  const certificate = await control.certificates.create();
  await platform.certificates.list();
  await platform.certificates.revoke(certificate.id);

  await sandbox.clock.advance('10m');
  noDuplicateCharges(sandbox);
  everyFaultFired(sandbox);
  everyDeliveryDelivered(sandbox);
  platform.close();
  await sandbox.close();
  return {
    requests: JSON.stringify(sandbox.journal.requests),
    deliveries: JSON.stringify(sandbox.webhooks.deliveries),
    ledger: JSON.stringify(sandbox.ledger.charges),
    events: [...new Set(events)],
    operations: [...new Set(sandbox.journal.requests.map(({ operation }) => operation))],
  };
}

test('two sandbox runs with the same seed and requests are identical to the byte', async () => {
  const first = await journey(7);
  expect(await journey(7)).toEqual(first);
  expect((await journey(8)).requests).not.toBe(first.requests);
  expect(first.events).toEqual([
    'transaction.waiting_payment',
    'transaction.paid',
    'transaction.refunded',
    'transaction.chargedback',
  ]);
  expect(first.operations).toEqual([
    'oauth.token',
    'webhooks.create',
    'onboarding.submitPf',
    'onboarding.status',
    'onboarding.resendDocuments',
    'submerchants.create',
    'submerchants.update',
    'payments.create',
    'vault.tokenize',
    'payments.boleto',
    'submerchants.withdrawals.create',
    'submerchants.withdrawals.retrieve',
    'domains.register',
    'domains.list',
    'certificates.list',
    'certificates.revoke',
  ]);
});

/** The opposite of the default wherever the API docs leave something open. */
const otherPlatform: SandboxOptions = {
  statuses: {
    paymentCreated: 200,
    paymentReplayed: 201,
    webhookCreated: 200,
    cardTokenized: 200,
    submerchantCreated: 200,
    withdrawalCreated: 202,
    acquirerUnknown: 504,
    keyReused: 422,
    notABoleto: 404,
    unfitParameter: 400,
    notResubmittable: 409,
    domainRegistered: 200,
    domainKnown: 201,
  },
  errorBody: ({ code, message }) => ({ erro: code, mensagem: message }),
  webhooks: { resendDelays: ['1s', '10s', '100s'], endpointFailsAfter: 3, receiverPatience: '2s' },
  payments: {
    uniqueExternalId: true,
    refusalReason: ({ code }) => code,
    transitions: { pay: ['waiting_payment', 'in_analysis', 'refused'], chargeback: ['paid', 'refunded'] },
    lateBoletos: false,
    dueDay: 'brasilia',
  },
  upsell: { validFor: '1m' },
  vault: { response: ({ cardTokenId }) => ({ cardTokenId, created: true }) },
  kyc: { reviewAfter: '1s', requiredPj: ['cnpj'] },
  submerchantKeys: 'apart',
  subscriptions: 'all',
  signature: { encoding: 'base64', timestamp: 'milliseconds' },
  fee: 100,
  rateLimits: false,
  oauth: { expiresIn: 600 },
  fieldNames: { 'payment.refusalReason': 'refusal_reason' },
};

test('a sandbox with every default changed gives a client with matching options the same results', async () => {
  const usual = await journey(7);
  const other = await journey(7, otherPlatform);
  expect(other.operations).toEqual(usual.operations);
  // Resends happen at other times.
  expect(other.events.toSorted()).toEqual(usual.events.toSorted());
  expect(other.ledger).toBe(usual.ledger);
});
