import type { SignedDelivery } from './delivery.js';
import { createHash, hash, timingSafeEqual } from './node-crypto.js';
import { type RawBody, signature } from './signature.js';
import type { Match } from './web-crypto.js';

/** The first of the secrets that signed a delivery, as in `web-crypto.ts`, but at once. */
export function matchingSecret(
  { timestamp, signature: given, body }: SignedDelivery,
  secrets: readonly string[],
): Match | undefined {
  const index = secrets.findIndex((secret) => timingSafeEqual(signature(secret, timestamp, body), given));
  return index === -1 ? undefined : { index, body };
}

/** The SHA-256 of a body in hex. */
export const digestOf = (body: RawBody): string =>
  // At once it takes half the time, where Node has it (20.12 and later).
  hash === undefined ? createHash('sha256').update(body).digest('hex') : hash('sha256', body);
