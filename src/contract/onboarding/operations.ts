import type { Issue } from '../../validation/issue.js';
import { phonePattern } from '../brazil.js';
import { birthDateIssues, documentIssues } from '../impossible-values.js';
import { type Fields, has, operation } from '../operation.js';
import type {
  OnboardingPf,
  OnboardingPj,
  OnboardingRegistration,
  OnboardingStatus,
  ResentDocuments,
} from './types.js';

const selfieRule = (form: Fields): Issue[] =>
  has(form, 'selfieComDocumento')
    ? [{ path: 'selfieComDocumento', message: 'is no longer used. Use selfie' }]
    : [];

export const phoneRule = 'must be in E.164 format with a plus sign, such as +5511912345678';

/** Without the plus sign, the first digits could be a country code or an area code. */
const phoneIssues = ({ phone }: Fields): Issue[] =>
  typeof phone === 'string' && phonePattern.test(phone) && !phone.startsWith('+')
    ? [{ path: 'phone', message: phoneRule, check: 'phone.plus' }]
    : [];

const commonIssues = (form: Fields): Issue[] => [
  ...selfieRule(form),
  ...phoneIssues(form),
  ...birthDateIssues(form),
];

const alternatives = 'send documentoFrente and documentoVerso, or cnhCompleta';

/** API docs, POST /v2/submerchants/onboarding/pf. */
function submitPfRules(form: Fields): Issue[] {
  const issues = [...commonIssues(form), ...documentIssues(form.document, 'cpf', 'document')];
  if (has(form, 'cnhCompleta')) return issues;
  const [front, back] = [has(form, 'documentoFrente'), has(form, 'documentoVerso')];
  if (!front && !back)
    issues.push({ path: 'cnhCompleta', message: `is required without an identity card: ${alternatives}` });
  else if (!back)
    issues.push({ path: 'documentoVerso', message: `is required with documentoFrente: ${alternatives}` });
  else if (!front)
    issues.push({ path: 'documentoFrente', message: `is required with documentoVerso: ${alternatives}` });
  return issues;
}

const submission = {
  errors: { 403: true },
  method: 'POST',
  encoding: 'multipart',
  idempotencyKey: 'required',
  repeatedKeyGets: 'first-response',
  rateLimit: 'onboarding',
  success: 202,
} as const;

export const submitPfOperation = operation<{ body: OnboardingPf; result: OnboardingRegistration }>()({
  id: 'onboarding.submitPf',
  path: '/v2/submerchants/onboarding/pf',
  ...submission,
  rules: submitPfRules,
});

export const submitPjOperation = operation<{ body: OnboardingPj; result: OnboardingRegistration }>()({
  id: 'onboarding.submitPj',
  path: '/v2/submerchants/onboarding/pj',
  ...submission,
  rules: (form) => [
    ...commonIssues(form),
    ...documentIssues(form.cnpj, 'cnpj', 'cnpj'),
    ...documentIssues(form.representativeCpf, 'cpf', 'representativeCpf'),
  ],
});

export const onboardingStatusOperation = operation<{ result: OnboardingStatus }>()({
  id: 'onboarding.status',
  errors: { 403: true },
  method: 'GET',
  path: '/v2/submerchants/onboarding/{registrationId}/status',
  encoding: 'none',
  idempotencyKey: 'none',
  params: { registrationId: 'uuid' },
});

export const resendDocumentsOperation = operation<{
  body: ResentDocuments;
  result: OnboardingRegistration;
}>()({
  id: 'onboarding.resendDocuments',
  errors: { 403: true },
  method: 'POST',
  path: '/v2/submerchants/onboarding/{registrationId}/resend-documents',
  encoding: 'multipart',
  idempotencyKey: 'none',
  replay: 'never',
  adviceIfUnknown:
    'The documents may have arrived. onboarding.status shows whether they are still expected (can_resubmit).',
  params: { registrationId: 'uuid' },
  rules: selfieRule,
  success: 202,
});

export const onboardingOperations = [
  submitPfOperation,
  submitPjOperation,
  onboardingStatusOperation,
  resendDocumentsOperation,
] as const;
