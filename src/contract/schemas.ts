import { certificateSchemas } from './certificates/schemas.js';
import { domainSchemas } from './domains/schemas.js';
import type { OperationId } from './index.js';
import { oauthSchemas } from './oauth/schemas.js';
import { onboardingSchemas } from './onboarding/schemas.js';
import type { Operation } from './operation.js';
import { paymentSchemas } from './payments/schemas.js';
import type { Schemas } from './schemas-for.js';
import { submerchantSchemas } from './submerchants/schemas.js';
import { vaultSchemas } from './vault/schemas.js';
import { webhookSchemas } from './webhooks/schemas.js';

/** A missing entry does not compile. */
export const builders: Readonly<Record<OperationId, () => Schemas>> = {
  ...paymentSchemas,
  ...submerchantSchemas,
  ...onboardingSchemas,
  ...domainSchemas,
  ...certificateSchemas,
  ...webhookSchemas,
  ...vaultSchemas,
  ...oauthSchemas,
};

const built = new Map<OperationId, Schemas>();

export const findSection = ({ id, method, path }: Operation<OperationId>): string =>
  findSchemas(id).section ?? `${method} ${path}`;

export function findSchemas(id: OperationId): Schemas {
  const known = built.get(id);
  if (known !== undefined) return known;
  const schemas = builders[id]();
  built.set(id, schemas);
  return schemas;
}
