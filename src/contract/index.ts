import { activateCertificate, listCertificates, revokeCertificate } from './certificates.js';
import { listDomains, registerDomain } from './domains.js';
import { issueToken } from './oauth.js';
import { onboardingStatus, resendDocuments, submitPf, submitPj } from './onboarding.js';
import type { Operation } from './operation.js';
import { createPayment, paymentBoleto } from './payments.js';
import { createSubmerchant, updateSubmerchant } from './submerchants.js';
import { tokenize } from './vault.js';
import { createWebhook, listWebhooks, updateWebhook } from './webhook-endpoints.js';
import { createWithdrawal, retrieveWithdrawal } from './withdrawals.js';

/** Every endpoint, in one list. */
export const operations = [
  createPayment,
  paymentBoleto,
  createSubmerchant,
  updateSubmerchant,
  createWithdrawal,
  retrieveWithdrawal,
  submitPf,
  submitPj,
  onboardingStatus,
  resendDocuments,
  registerDomain,
  listDomains,
  listCertificates,
  activateCertificate,
  revokeCertificate,
  createWebhook,
  updateWebhook,
  listWebhooks,
  tokenize,
  issueToken,
] as const;

export type OperationId = (typeof operations)[number]['id'];

const byId = new Map<string, Operation>(operations.map((operation) => [operation.id, operation]));

export function operationById(id: OperationId): Operation {
  return byId.get(id) as Operation;
}
