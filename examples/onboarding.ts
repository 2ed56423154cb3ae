// Onboards a seller with documents. A bad photo is rejected, and a better one is approved. Run it: npx tsx examples/onboarding.ts
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPaymentPlatformError, isValidCpf, PaymentPlatform, responseOf } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const sandbox = createSandbox({ kyc: { approveAfter: false } }); // this script decides
const platform = new PaymentPlatform(sandbox.clientOptions());

// Imitates a photo: the first bytes of a JPEG, and padding.
const folder = await mkdtemp(join(tmpdir(), 'payment-platform-'));
const photo = async (name: string) => {
  const path = join(folder, name);
  await writeFile(path, Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(100_000, name)]));
  return path;
};

const document = '123.456.789-09';
if (!isValidCpf(document)) throw new Error('ask the seller to type the CPF again');

const registration = await platform.onboarding.submitPf(
  {
    document,
    fullName: 'Ana Souza',
    birthDate: '1990-02-28',
    phone: '+55 (11) 91234-5678',
    addressZipCode: '01310-100',
    addressStreet: 'Avenida Paulista',
    addressNumber: '1000',
    addressNeighborhood: 'Bela Vista',
    addressCity: 'São Paulo',
    addressState: 'SP',
    bankAccount: {
      bankAccountType: 'conta_corrente',
      bankName: 'Banco Exemplo',
      bankCode: '999',
      bankAgency: '0001',
      bankAccount: '123456',
      bankAccountDv: '7',
      ispb: '99999999',
    },
    documentoFrente: await photo('rg-frente.jpg'),
    documentoVerso: await photo('rg-verso.jpg'),
    selfie: await photo('selfie.jpg'),
  },
  { timeout: 120_000 },
);
const { registration_id } = registration;
console.log(registration.status, 'as', responseOf(registration).idempotencyKey); // the sub-account's externalId

// The platform's KYC rejects the photo. The merchant polls the status to find out.
sandbox.control.onboarding.reject(registration_id, { canResubmit: true, reason: 'the selfie is blurred' });
const rejected = await platform.onboarding.waitFor(registration_id, {
  until: ({ can_resubmit }) => can_resubmit,
  timeout: 60_000,
});
console.log(rejected.status, rejected.can_resubmit); // rejected true

await platform.onboarding.resendDocuments(registration_id, { selfie: await photo('better-selfie.jpg') });
sandbox.control.onboarding.approve(registration_id);
const approved = await platform.onboarding.waitFor(registration_id, { until: 'approved', timeout: 60_000 });
console.log(approved.status); // approved

// If the platform requested no documents, the SDK rejects the call before it uploads anything.
try {
  await platform.onboarding.resendDocuments(registration_id, { selfie: await photo('another.jpg') });
} catch (error) {
  if (!isPaymentPlatformError(error)) throw error;
  console.log(error.name, error.message);
}

await sandbox.close();
