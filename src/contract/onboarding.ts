import { z } from 'zod';
import { type BankAccount, BankAccountSchema } from './bank-account.js';
import { cnpjForm, cpfForm, normalCep, normalCnpj, normalCpf, normalPhone, phoneForm } from './brazil.js';
import { type Absent, file, filled, filledText, type Open, text, uuid } from './common.js';
import type { FileInput } from './forms.js';
import { type Fields, operation, type Rule } from './operation.js';

interface Selfie {
  /** A photo of the holder's face. */
  selfie: FileInput;
  selfieComDocumento?: Absent<'the field is selfie'>;
}

/** Front and back of the identity card (RG, CIN). */
export interface IdentityCard {
  documentoFrente: FileInput;
  documentoVerso: FileInput;
  cnhCompleta?: FileInput | undefined;
}

/** The full driver's licence instead of the identity card. */
export interface DriversLicence {
  cnhCompleta: FileInput;
  documentoFrente?: FileInput | undefined;
  documentoVerso?: FileInput | undefined;
}

interface NaturalPerson extends Selfie {
  /** CPF, with or without punctuation. */
  document: string;
  /** At most 255 characters. */
  fullName: string;
  /** YYYY-MM-DD. */
  birthDate: string;
  /** At most 255 characters. */
  email?: string | undefined;
  /** E.164 with its plus sign, with or without punctuation: `+55 11 91234-5678`. No country is guessed. */
  phone: string;
  /** CEP, with or without the dash. */
  addressZipCode: string;
  /** At most 255 characters. */
  addressStreet: string;
  /** At most 20 characters. */
  addressNumber: string;
  /** At most 255 characters; it may be empty. */
  addressComplement?: string | undefined;
  /** At most 100 characters. */
  addressNeighborhood: string;
  /** At most 100 characters. */
  addressCity: string;
  /** The UF, 2 characters. */
  addressState: string;
  /** Sent as a JSON string. */
  bankAccount: BankAccount;
}

/**
 * The form of POST /v2/submerchants/onboarding/pf: identity card front and back, or the full licence. A
 * required text that is empty, and a file of 0 bytes, count as missing.
 */
export type OnboardingPf = NaturalPerson & (IdentityCard | DriversLicence);

/**
 * The form of POST /v2/submerchants/onboarding/pj. Which of its fields the platform insists on, and
 * which documents are alternatives of each other, is not shown: none is required here.
 */
export interface OnboardingPj extends Partial<Selfie> {
  /** With or without punctuation; 14 digits, or with letters as issued since July 2026. */
  cnpj?: string | undefined;
  /** CPF, with or without punctuation. */
  representativeCpf?: string | undefined;
  representativeName?: string | undefined;
  /** YYYY-MM-DD. */
  birthDate?: string | undefined;
  /** E.164 with its plus sign, with or without punctuation. */
  phone?: string | undefined;
  email?: string | undefined;
  /** Sent as a JSON string. */
  bankAccount?: BankAccount | undefined;
  documentoFrente?: FileInput | undefined;
  documentoVerso?: FileInput | undefined;
  cnhCompleta?: FileInput | undefined;
  /** Articles of association. */
  contratoSocial?: FileInput | undefined;
  cartaoCnpj?: FileInput | undefined;
}

/** The files of POST /v2/submerchants/onboarding/{registrationId}/resend-documents. */
export interface ResentDocuments extends Partial<Selfie> {
  documentoFrente?: FileInput | undefined;
  documentoVerso?: FileInput | undefined;
  cnhCompleta?: FileInput | undefined;
}

/** The answer to a submission or a resend (API document, Onboarding registration). */
export interface OnboardingRegistration {
  /** UUID: what to ask the status by. */
  registration_id: string;
  /** Other values than `submitted` are not shown. */
  status: Open<'submitted'>;
}

/** The answer to the status query. */
export interface OnboardingStatus {
  /** Documents may be sent again only when true. */
  can_resubmit: boolean;
  /** Assumed name; other values than `submitted` are not shown. */
  status?: Open<'submitted'>;
  [field: string]: unknown;
}

const cpf = z.string().regex(cpfForm, 'must be a CPF: 11 digits');
const cnpj = z.string().regex(cnpjForm, 'must be a CNPJ: 12 digits or letters and 2 digits');
const date = z.iso.date('must be a date, YYYY-MM-DD');
const email = z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address');
const phone = z
  .string()
  .regex(phoneForm, 'must be in E.164 format, with its plus sign: +5511912345678 (no country is guessed)');

const SubmitPfSchema = z.looseObject({
  document: cpf,
  fullName: filledText(255),
  birthDate: date,
  email: email.max(255, 'must have at most 255 characters').optional(),
  phone,
  addressZipCode: filledText(10),
  addressStreet: filledText(255),
  addressNumber: filledText(20),
  addressComplement: text(255).optional(),
  addressNeighborhood: filledText(100),
  addressCity: filledText(100),
  addressState: filled.length(2, 'must have 2 characters'),
  bankAccount: BankAccountSchema,
  documentoFrente: file.optional(),
  documentoVerso: file.optional(),
  cnhCompleta: file.optional(),
  selfie: file,
});

const SubmitPjSchema = z.looseObject({
  cnpj: cnpj.optional(),
  representativeCpf: cpf.optional(),
  representativeName: z.string().optional(),
  birthDate: date.optional(),
  phone: phone.optional(),
  email: email.optional(),
  bankAccount: BankAccountSchema.optional(),
  documentoFrente: file.optional(),
  documentoVerso: file.optional(),
  cnhCompleta: file.optional(),
  selfie: file.optional(),
  contratoSocial: file.optional(),
  cartaoCnpj: file.optional(),
});

const ResendDocumentsSchema = z.looseObject({
  documentoFrente: file.optional(),
  documentoVerso: file.optional(),
  selfie: file.optional(),
  cnhCompleta: file.optional(),
});

const has = (form: Fields, name: string) => form[name] !== undefined;

const selfieRule: Rule = {
  path: ['selfieComDocumento'],
  message: 'is not used any more: the field is selfie',
  broken: (form) => has(form, 'selfieComDocumento'),
};

const alternatives = 'send documentoFrente and documentoVerso, or cnhCompleta';

const submitPfRules: readonly Rule[] = [
  selfieRule,
  {
    path: ['cnhCompleta'],
    message: `is required without an identity card: ${alternatives}`,
    broken: (form) => !['cnhCompleta', 'documentoFrente', 'documentoVerso'].some((name) => has(form, name)),
  },
  {
    path: ['documentoVerso'],
    message: `is required with documentoFrente: ${alternatives}`,
    broken: (form) =>
      !has(form, 'cnhCompleta') && has(form, 'documentoFrente') && !has(form, 'documentoVerso'),
  },
  {
    path: ['documentoFrente'],
    message: `is required with documentoVerso: ${alternatives}`,
    broken: (form) =>
      !has(form, 'cnhCompleta') && has(form, 'documentoVerso') && !has(form, 'documentoFrente'),
  },
];

const registration = z.strictObject({ registration_id: uuid, status: z.string() });

const identityFiles = ['documentoFrente', 'documentoVerso', 'cnhCompleta', 'selfie'] as const;

/** Of every onboarding form: under one of these names a text is never anything but a path. */
const allFiles = [...identityFiles, 'contratoSocial', 'cartaoCnpj'] as const;

export const submitPf = operation({
  id: 'onboarding.submitPf',
  method: 'POST',
  path: '/v2/submerchants/onboarding/pf',
  section: 'POST /v2/submerchants/onboarding/pf',
  encoding: 'multipart',
  idempotencyKey: 'required',
  replay: 'keyed',
  conflict: 'key-reused',
  rateLimit: 'submerchants',
  files: allFiles,
  objects: ['bankAccount'],
  normal: { document: normalCpf, phone: normalPhone, addressZipCode: normalCep },
  request: SubmitPfSchema,
  rules: submitPfRules,
  success: 202,
  response: registration,
});

export const submitPj = operation({
  id: 'onboarding.submitPj',
  method: 'POST',
  path: '/v2/submerchants/onboarding/pj',
  section: 'POST /v2/submerchants/onboarding/pj',
  encoding: 'multipart',
  idempotencyKey: 'required',
  replay: 'keyed',
  conflict: 'key-reused',
  rateLimit: 'submerchants',
  files: allFiles,
  objects: ['bankAccount'],
  normal: { cnpj: normalCnpj, representativeCpf: normalCpf, phone: normalPhone },
  request: SubmitPjSchema,
  rules: [selfieRule],
  success: 202,
  response: registration,
});

export const onboardingStatus = operation({
  id: 'onboarding.status',
  method: 'GET',
  path: '/v2/submerchants/onboarding/{registrationId}/status',
  section: 'GET /v2/submerchants/onboarding/{registrationId}/status',
  encoding: 'none',
  idempotencyKey: 'none',
  replay: 'natural',
  conflict: 'unspecified',
  names: 'onboarding',
  params: { registrationId: uuid },
  response: z.looseObject({ can_resubmit: z.boolean(), status: z.string().optional() }),
});

export const resendDocuments = operation({
  id: 'onboarding.resendDocuments',
  method: 'POST',
  path: '/v2/submerchants/onboarding/{registrationId}/resend-documents',
  section: 'POST /v2/submerchants/onboarding/{registrationId}/resend-documents',
  encoding: 'multipart',
  idempotencyKey: 'none',
  replay: 'never',
  conflict: 'unspecified',
  files: allFiles,
  params: { registrationId: uuid },
  request: ResendDocumentsSchema,
  rules: [
    selfieRule,
    {
      path: [],
      message: `has no file to send: ${identityFiles.join(', ')}`,
      broken: (form) => !identityFiles.some((name) => has(form, name)),
    },
  ],
  success: 202,
  response: registration,
});
