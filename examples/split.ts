// Splits a sale among the sellers of a marketplace, to the cent. Run it: npx tsx examples/split.ts
import { isPaymentPlatformError, PaymentPlatform } from 'payment-platform';
import { createSandbox, type Split } from 'payment-platform/sandbox';

const sandbox = createSandbox();
const platform = new PaymentPlatform(sandbox.clientOptions());

/** Onboards a company and approves it. Its CNPJ then identifies an active sub-account. */
async function onboard(cnpj: string): Promise<{ document: { number: string; type: string } }> {
  const { registration_id } = await platform.onboarding.submitPj({ cnpj, phone: '+551133334444' });
  sandbox.control.onboarding.approve(registration_id);
  return { document: { number: cnpj, type: 'cnpj' } };
}

const bakery = await onboard('11222333000181');
const farm = await onboard('12ABC34501DE35'); // CNPJs can contain letters since July 2026

const { cardTokenId } = await platform.vault.tokenize<{ cardTokenId: string }>({
  number: '4111111111111111',
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2030,
});

const sale = {
  externalId: 'order-1042',
  amount: 10_001, // R$ 100,01
  paymentMethod: 'credit_card' as const,
  items: [{ title: 'Cesta', quantity: 1, unitPrice: 10_001 }],
  card: { cardTokenId },
  subMerchant: bakery, // the owner, which gets the rest
  // The API docs do not name a rule's fields. These are the sandbox's names.
  split: [{ ...farm, percentage: 33.33 }],
};

// The platform responds with 403 until PaaS and Split are enabled for the merchant.
try {
  await platform.payments.create(sale, { idempotencyKey: 'order-1042' });
} catch (error) {
  if (!isPaymentPlatformError(error)) throw error;
  console.log(error.name, error.status, error.outcome); // PermissionError 403 not-executed
}

sandbox.control.features.enable('split');
const payment = await platform.payments.create<{ split: Split }>(sale, { idempotencyKey: 'order-1042' });
const { netAmount, entries } = payment.split;
for (const { role, document, amount } of entries) console.log(role, document?.number, amount);
const sum = entries.reduce((total, { amount }) => total + amount, 0);
console.log(payment.status, 'net', netAmount, 'divided', sum); // paid net 10001 divided 10001

await sandbox.close();
