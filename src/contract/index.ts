import { certificateOperations } from './certificates/operations.js';
import { domainOperations } from './domains/operations.js';
import { oauthOperations } from './oauth/operations.js';
import { onboardingOperations } from './onboarding/operations.js';
import type { Operation } from './operation.js';
import { paymentOperations } from './payments/operations.js';
import { submerchantOperations } from './submerchants/operations.js';
import { vaultOperations } from './vault/operations.js';
import { webhookOperations } from './webhooks/operations.js';

/** Lists every endpoint of the platform. */
export const operations = [
  ...paymentOperations,
  ...submerchantOperations,
  ...onboardingOperations,
  ...domainOperations,
  ...certificateOperations,
  ...webhookOperations,
  ...vaultOperations,
  ...oauthOperations,
] as const;

export type OperationId = (typeof operations)[number]['id'];

export type OperationOf<Id extends OperationId> = Extract<(typeof operations)[number], { readonly id: Id }>;

const byId = new Map<string, Operation>(operations.map((operation) => [operation.id, operation]));

export function getOperation<Id extends OperationId>(id: Id): OperationOf<Id> {
  return byId.get(id) as OperationOf<Id>;
}

type Namespace = OperationId extends infer Id
  ? Id extends `${infer First}.${string}`
    ? First
    : never
  : never;

export const namespaces: Readonly<Record<Namespace, string>> = {
  payments: 'Payments by Pix, credit card and boleto.',
  submerchants: 'Sub-accounts and their withdrawals.',
  onboarding: 'Asynchronous onboarding of sub-accounts, with documents.',
  domains: 'Domains that offer digital wallets.',
  certificates: 'Digital wallet certificates.',
  webhooks: 'Endpoints that receive notifications.',
  vault: 'Tokens for cards.',
  oauth: 'Access tokens, instead of the headers client-id and client-secret.',
};
