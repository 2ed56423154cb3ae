import type { PaymentPlatform } from 'payment-platform';
import { responseOf, ValidationError } from 'payment-platform';
import type { Sandbox, Split } from 'payment-platform/sandbox';
import { type Narrator, reais } from './narrator.js';

const cpf = '123.456.789-09';

/** Imitates a photo: the first bytes of a JPEG, and padding. */
const photo = (size: number) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(size)]);

const seller = {
  document: cpf,
  fullName: 'João Lima',
  birthDate: '1988-07-03',
  phone: '+55 (21) 99876-5432',
  addressZipCode: '20040-002',
  addressStreet: 'Avenida Rio Branco',
  addressNumber: '1',
  addressNeighborhood: 'Centro',
  addressCity: 'Rio de Janeiro',
  addressState: 'RJ',
  bankAccount: {
    bankAccountType: 'conta_poupanca' as const,
    bankName: 'Banco Exemplo',
    bankCode: '999',
    bankAgency: '0001',
    bankAccount: '123456',
    bankAccountDv: '7',
    ispb: '99999999',
  },
};

/** Onboards a seller, whose first photo is rejected, and splits a sale with the seller. */
export async function onboardSeller(
  platform: PaymentPlatform,
  sandbox: Sandbox,
  narrator: Narrator,
): Promise<void> {
  const { onboarding } = platform;
  let uploaded = 0;
  const registration = await onboarding.submitPf(
    { ...seller, cnhCompleta: { content: photo(600_000), filename: 'cnh joão.jpg' }, selfie: photo(300_000) },
    {
      onUploadProgress: ({ sent }) => {
        uploaded = sent;
      },
    },
  );
  const { registration_id } = registration;
  const key = responseOf(registration).idempotencyKey;
  narrator.show('submitted', `${registration_id}, ${uploaded.toLocaleString('pt-BR')} bytes uploaded`);
  const { cnhCompleta } = sandbox.control.onboarding.documents(registration_id);
  narrator.show(
    'received',
    `${cnhCompleta?.filename}, ${cnhCompleta?.contentType}, ${cnhCompleta?.size} bytes`,
  );
  narrator.check(
    'The documents are complete, with the type of their first bytes.',
    cnhCompleta?.size === 600_004 && cnhCompleta.contentType === 'image/jpeg',
  );

  sandbox.control.onboarding.reject(registration_id, { canResubmit: true, reason: 'the selfie is blurred' });
  const rejected = await onboarding.waitFor(registration_id, { until: 'rejected', timeout: 10_000 });
  narrator.show('KYC', `${rejected.status}, can be resubmitted: ${rejected.can_resubmit}`);
  await onboarding.resendDocuments(registration_id, { selfie: photo(400_000) });
  sandbox.control.onboarding.approve(registration_id);
  const approved = await onboarding.waitFor(registration_id, { until: 'approved', timeout: 10_000 });
  const [account] = sandbox.control.submerchants.list().filter(({ externalId }) => externalId === key);
  narrator.show('KYC', approved.status);
  narrator.check('The idempotency key is the externalId of the sub-account.', account !== undefined);
  const before = sandbox.journal.requests.length;
  const again = await onboarding
    .resendDocuments(registration_id, { selfie: photo(1) })
    .catch((error) => error);
  narrator.check(
    'Documents that were not requested are rejected before the upload.',
    again instanceof ValidationError && sandbox.journal.requests.length === before + 1,
  );

  sandbox.control.features.enable('split');
  const payment = await platform.payments.create<{ split: Split }>(
    {
      externalId: 'order-7',
      amount: 10_001,
      paymentMethod: 'pix',
      customer: {
        name: 'Ana Souza',
        email: 'ana@example.com',
        document: { number: '52998224725', type: 'cpf' },
      },
      items: [{ title: 'Rede', quantity: 1, unitPrice: 10_001 }],
      // The API docs do not name a rule's fields. These are the sandbox's names.
      split: [{ document: { number: cpf.replace(/\D/g, ''), type: 'cpf' }, percentage: 33.33 }],
    },
    { idempotencyKey: 'order-7' },
  );
  const { entries, netAmount } = payment.split;
  narrator.show('split', entries.map(({ role, amount }) => `${role} ${reais(amount)}`).join(', '));
  narrator.check(
    'The shares add up to the net amount, to the cent.',
    entries.reduce((sum, { amount }) => sum + amount, 0) === netAmount,
  );
}
