import type { OperationId } from '../../src/contract/index.js';
import { certificateRecords } from './certificates.js';
import { domainRecords } from './domains.js';
import { oauthRecords } from './oauth.js';
import { onboardingRecords } from './onboarding.js';
import type { OperationRecord, WireForm } from './operation-record.js';
import { paymentRecords } from './payments.js';
import { submerchantRecords } from './submerchants.js';
import { vaultRecords } from './vault.js';
import { webhookRecords } from './webhooks.js';

/** The operations with a method of the client. The client itself requests tokens. */
type Called = Exclude<OperationId, 'oauth.token'>;

/** A record of each operation with a method. A missing record does not compile. */
export const calledRecords: { readonly [Id in Called]: OperationRecord } = {
  ...paymentRecords,
  ...submerchantRecords,
  ...onboardingRecords,
  ...domainRecords,
  ...certificateRecords,
  ...webhookRecords,
  ...vaultRecords,
};

/** A record of every operation. */
export const operationRecords: {
  readonly [Id in OperationId]: Pick<OperationRecord, 'section' | 'statements' | 'wire'>;
} = { ...calledRecords, ...oauthRecords };

/** The wire form of every operation. */
export const wireForms = Object.fromEntries(
  Object.entries(operationRecords).map(([id, { wire }]) => [id, wire]),
) as { readonly [Id in OperationId]: WireForm };
