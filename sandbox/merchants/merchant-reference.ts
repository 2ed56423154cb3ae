import { isRecord } from '../../src/validation/record.js';

/** Names a merchant of the sandbox by its client id. `addMerchant` returns such an object. */
export interface MerchantReference {
  /** The public identifier of the merchant's credential. */
  readonly clientId: string;
}

/**
 * Without a reference, undefined, which means the first merchant. A reference without a client id is a
 * mistake.
 */
export function findClientId(reference: MerchantReference | undefined): string | undefined {
  if (reference === undefined) return undefined;
  const clientId: unknown = isRecord(reference) ? reference.clientId : undefined;
  if (typeof clientId === 'string') return clientId;
  throw new TypeError('The merchant must be an object with a clientId, such as addMerchant returns.');
}
