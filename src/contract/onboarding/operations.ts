import { normalCnpj, normalCpf, normalPhone } from '../brazil.js';
import { type Fields, operation, type Rule } from '../operation.js';
import { onboardingStatusFields } from './fields.js';
import type {
  OnboardingPf,
  OnboardingPj,
  OnboardingRegistration,
  OnboardingStatus,
  ResentDocuments,
} from './types.js';

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

const identityFiles = ['documentoFrente', 'documentoVerso', 'cnhCompleta', 'selfie'] as const;

/** The file fields of all onboarding forms: in each of them a text is a path, in every form. */
const allFiles = [...identityFiles, 'contratoSocial', 'cartaoCnpj'] as const;

const featureNotEnabled = 'The feature is not enabled for this merchant (onboarding).';

/** The policy of both submissions: of a natural person and of a legal entity. */
const submission = {
  errors: { 403: featureNotEnabled },
  method: 'POST',
  encoding: 'multipart',
  idempotencyKey: 'required',
  sameKey: 'first-response',
  rateLimit: 'onboarding',
  files: allFiles,
  objects: ['bankAccount'],
  success: 202,
} as const;

export const submitPf = operation<{ body: OnboardingPf; result: OnboardingRegistration }>()({
  id: 'onboarding.submitPf',
  path: '/v2/submerchants/onboarding/pf',
  summary: 'Start the onboarding of a natural person',
  ...submission,
  normal: { document: normalCpf, phone: normalPhone },
  rules: submitPfRules,
});

export const submitPj = operation<{ body: OnboardingPj; result: OnboardingRegistration }>()({
  id: 'onboarding.submitPj',
  path: '/v2/submerchants/onboarding/pj',
  summary: 'Start the onboarding of a legal entity',
  ...submission,
  normal: { cnpj: normalCnpj, representativeCpf: normalCpf, phone: normalPhone },
  rules: [selfieRule],
});

export const onboardingStatus = operation<{ result: OnboardingStatus }>()({
  id: 'onboarding.status',
  errors: { 403: featureNotEnabled },
  method: 'GET',
  path: '/v2/submerchants/onboarding/{registrationId}/status',
  summary: 'Read the status of an onboarding',
  encoding: 'none',
  idempotencyKey: 'none',
  params: { registrationId: 'uuid' },
  fields: { response: onboardingStatusFields },
});

const resendRules: readonly Rule[] = [
  selfieRule,
  {
    path: [],
    message: `has no file to send: ${identityFiles.join(', ')}`,
    broken: (form) => !identityFiles.some((name) => has(form, name)),
  },
];

export const resendDocuments = operation<{ body: ResentDocuments; result: OnboardingRegistration }>()({
  id: 'onboarding.resendDocuments',
  errors: { 403: featureNotEnabled },
  method: 'POST',
  path: '/v2/submerchants/onboarding/{registrationId}/resend-documents',
  summary: 'Send documents again after a KYC rejection',
  encoding: 'multipart',
  idempotencyKey: 'none',
  replay: 'never',
  onUnknown: 'onboarding.status shows whether documents are still expected (can_resubmit)',
  files: allFiles,
  params: { registrationId: 'uuid' },
  rules: resendRules,
  success: 202,
});

export const onboardingOperations = [submitPf, submitPj, onboardingStatus, resendDocuments] as const;
