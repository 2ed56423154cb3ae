import * as z from 'zod/mini';
import {
  cnpjPattern,
  cpfPattern,
  normalizeCnpj,
  normalizeCpf,
  normalizePhone,
  phonePattern,
} from '../brazil.js';
import {
  assumed,
  atMost,
  file,
  filled,
  filledText,
  normalizedBy,
  once,
  text,
  titled,
  uuid,
} from '../schema-parts.js';
import { defineSchemas } from '../schemas-for.js';
import {
  type onboardingStatusOperation,
  phoneRule,
  type resendDocumentsOperation,
  type submitPfOperation,
  type submitPjOperation,
} from './operations.js';

const cpf = () => z.string().check(z.regex(cpfPattern, 'must be a CPF with 11 digits'));
const cnpj = () =>
  z.string().check(z.regex(cnpjPattern, 'must be a CNPJ with 12 digits or letters and 2 digits'));
const date = () => z.iso.date('must be a date (YYYY-MM-DD)');
const email = () => z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'));
const phone = () => z.string().check(z.regex(phonePattern, phoneRule));

export const bankAccount = once(() =>
  titled(
    'BankAccount',
    z.looseObject({
      bankAccountType: z.enum(['conta_corrente', 'conta_poupanca']),
      bankName: filledText(100),
      bankCode: z.string().check(z.regex(/^\d{3}$/, 'must be 3 digits')),
      bankAgency: filledText(20),
      bankAccount: filledText(30),
      bankAccountDv: filledText(5),
      ispb: z.string().check(z.regex(/^\d{8}$/, 'must be 8 digits')),
    }),
  ),
);

const registration = once(() =>
  titled('OnboardingRegistration', z.strictObject({ registration_id: uuid, status: z.string() })),
);

export const onboardingSchemas = {
  'onboarding.submitPf': defineSchemas<typeof submitPfOperation>()(() => ({
    summary: 'Start the onboarding of an individual (pessoa física)',
    request: titled(
      'OnboardingPf',
      z.looseObject({
        document: normalizedBy(normalizeCpf, cpf()),
        fullName: filledText(255),
        birthDate: date(),
        email: z.optional(email().check(atMost(255))),
        phone: normalizedBy(normalizePhone, phone()),
        addressZipCode: filledText(10),
        addressStreet: filledText(255),
        addressNumber: filledText(20),
        addressComplement: z.optional(text(255)),
        addressNeighborhood: filledText(100),
        addressCity: filledText(100),
        addressState: filled.check(z.length(2, 'must have 2 characters')),
        bankAccount: bankAccount(),
        documentoFrente: z.optional(file),
        documentoVerso: z.optional(file),
        cnhCompleta: z.optional(file),
        selfie: file,
      }),
    ),
    response: registration(),
  })),
  'onboarding.submitPj': defineSchemas<typeof submitPjOperation>()(() => ({
    summary: 'Start the onboarding of a company (pessoa jurídica)',
    request: titled(
      'OnboardingPj',
      z.looseObject({
        cnpj: normalizedBy(normalizeCnpj, z.optional(cnpj())),
        representativeCpf: normalizedBy(normalizeCpf, z.optional(cpf())),
        representativeName: z.optional(z.string()),
        birthDate: z.optional(date()),
        phone: normalizedBy(normalizePhone, z.optional(phone())),
        email: z.optional(email()),
        bankAccount: z.optional(bankAccount()),
        documentoFrente: z.optional(file),
        documentoVerso: z.optional(file),
        cnhCompleta: z.optional(file),
        selfie: z.optional(file),
        contratoSocial: z.optional(file),
        cartaoCnpj: z.optional(file),
      }),
    ),
    response: registration(),
  })),
  'onboarding.status': defineSchemas<typeof onboardingStatusOperation>()(() => ({
    summary: "Read an onboarding's status",
    response: titled(
      'OnboardingStatus',
      z.looseObject({
        can_resubmit: z.boolean(),
        status: assumed(
          'onboarding.status',
          'For the status query, the API docs name only `can_resubmit`. The responses to the submit and resend requests contain `status`.',
          z.optional(z.string()),
        ),
      }),
    ),
  })),
  'onboarding.resendDocuments': defineSchemas<typeof resendDocumentsOperation>()(() => ({
    summary: 'Resend documents after a KYC rejection',
    request: titled(
      'ResentDocuments',
      z.looseObject({
        documentoFrente: z.optional(file),
        documentoVerso: z.optional(file),
        selfie: z.optional(file),
        cnhCompleta: z.optional(file),
      }),
    ),
    response: registration(),
  })),
};
