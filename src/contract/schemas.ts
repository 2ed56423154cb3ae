import {
  activateCertificateSchemas,
  listCertificatesSchemas,
  revokeCertificateSchemas,
} from './certificates/schemas.js';
import { listDomainsSchemas, registerDomainSchemas } from './domains/schemas.js';
import type { OperationId } from './index.js';
import { issueTokenSchemas } from './oauth/schemas.js';
import {
  onboardingStatusSchemas,
  resendDocumentsSchemas,
  submitPfSchemas,
  submitPjSchemas,
} from './onboarding/schemas.js';
import { createPaymentSchemas } from './payments/schemas.js';
import type { Schemas } from './schemas-for.js';
import {
  createSubmerchantSchemas,
  createWithdrawalSchemas,
  retrieveWithdrawalSchemas,
  updateSubmerchantSchemas,
} from './submerchants/schemas.js';
import { tokenizeSchemas } from './vault/schemas.js';
import { createWebhookSchemas, listWebhooksSchemas, updateWebhookSchemas } from './webhooks/schemas.js';

/** How the schemas of each operation are built; an operation without an entry does not compile. */
const builders: Readonly<Record<OperationId, () => Schemas>> = {
  'payments.create': createPaymentSchemas,
  'payments.boleto': () => ({}),
  'submerchants.create': createSubmerchantSchemas,
  'submerchants.update': updateSubmerchantSchemas,
  'submerchants.withdrawals.create': createWithdrawalSchemas,
  'submerchants.withdrawals.retrieve': retrieveWithdrawalSchemas,
  'onboarding.submitPf': submitPfSchemas,
  'onboarding.submitPj': submitPjSchemas,
  'onboarding.status': onboardingStatusSchemas,
  'onboarding.resendDocuments': resendDocumentsSchemas,
  'domains.register': registerDomainSchemas,
  'domains.list': listDomainsSchemas,
  'certificates.list': listCertificatesSchemas,
  'certificates.activate': activateCertificateSchemas,
  'certificates.revoke': revokeCertificateSchemas,
  'webhooks.create': createWebhookSchemas,
  'webhooks.update': updateWebhookSchemas,
  'webhooks.list': listWebhooksSchemas,
  'vault.tokenize': tokenizeSchemas,
  'oauth.token': issueTokenSchemas,
};

const built = new Map<OperationId, Schemas>();

/** The schemas of an operation, built when it is first called. Only this file and what it imports load zod. */
export function schemasOf(id: OperationId): Schemas {
  const known = built.get(id);
  if (known !== undefined) return known;
  const schemas = builders[id]();
  built.set(id, schemas);
  return schemas;
}
