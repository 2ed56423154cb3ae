import { z } from 'zod';
import { cnpjForm, cpfForm, phoneForm } from '../brazil.js';
import { file, filled, filledText, once, text, uuid } from '../schema-parts.js';
import { schemasFor } from '../schemas-for.js';
import type { onboardingStatus, resendDocuments, submitPf, submitPj } from './operations.js';

const cpf = () => z.string().regex(cpfForm, 'must be a CPF: 11 digits');
const cnpj = () => z.string().regex(cnpjForm, 'must be a CNPJ: 12 digits or letters and 2 digits');
const date = () => z.iso.date('must be a date, YYYY-MM-DD');
const email = () => z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address');
const phone = () =>
  z
    .string()
    .regex(phoneForm, 'must be in E.164 format, with its plus sign: +5511912345678 (no country is guessed)');

/** A bank account: the same schema in every form. */
export const bankAccount = once(() =>
  z
    .looseObject({
      bankAccountType: z.enum(['conta_corrente', 'conta_poupanca']),
      bankName: filledText(100),
      bankCode: z.string().regex(/^\d{3}$/, 'must be 3 digits'),
      bankAgency: filledText(20),
      bankAccount: filledText(30),
      bankAccountDv: filledText(5),
      ispb: z.string().regex(/^\d{8}$/, 'must be 8 digits'),
    })
    .meta({ title: 'BankAccount' }),
);

const registration = once(() =>
  z.strictObject({ registration_id: uuid, status: z.string() }).meta({ title: 'OnboardingRegistration' }),
);

export const onboardingSchemas = {
  'onboarding.submitPf': schemasFor<typeof submitPf>()(() => ({
    request: z
      .looseObject({
        document: cpf(),
        fullName: filledText(255),
        birthDate: date(),
        email: email().max(255, 'must have at most 255 characters').optional(),
        phone: phone(),
        addressZipCode: filledText(10),
        addressStreet: filledText(255),
        addressNumber: filledText(20),
        addressComplement: text(255).optional(),
        addressNeighborhood: filledText(100),
        addressCity: filledText(100),
        addressState: filled.length(2, 'must have 2 characters'),
        bankAccount: bankAccount(),
        documentoFrente: file.optional(),
        documentoVerso: file.optional(),
        cnhCompleta: file.optional(),
        selfie: file,
      })
      .meta({ title: 'OnboardingPf' }),
    response: registration(),
  })),
  'onboarding.submitPj': schemasFor<typeof submitPj>()(() => ({
    request: z
      .looseObject({
        cnpj: cnpj().optional(),
        representativeCpf: cpf().optional(),
        representativeName: z.string().optional(),
        birthDate: date().optional(),
        phone: phone().optional(),
        email: email().optional(),
        bankAccount: bankAccount().optional(),
        documentoFrente: file.optional(),
        documentoVerso: file.optional(),
        cnhCompleta: file.optional(),
        selfie: file.optional(),
        contratoSocial: file.optional(),
        cartaoCnpj: file.optional(),
      })
      .meta({ title: 'OnboardingPj' }),
    response: registration(),
  })),
  'onboarding.status': schemasFor<typeof onboardingStatus>()(() => ({
    response: z
      .looseObject({ can_resubmit: z.boolean(), status: z.string().optional() })
      .meta({ title: 'OnboardingStatus' }),
  })),
  'onboarding.resendDocuments': schemasFor<typeof resendDocuments>()(() => ({
    request: z
      .looseObject({
        documentoFrente: file.optional(),
        documentoVerso: file.optional(),
        selfie: file.optional(),
        cnhCompleta: file.optional(),
      })
      .meta({ title: 'ResentDocuments' }),
    response: registration(),
  })),
};
