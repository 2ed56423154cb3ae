import type { WebhookEvent } from '../contract/events.js';
import { type Delivery, readSignedDelivery, signatureMismatch } from './delivery.js';
import { readEvent } from './read-event.js';
import { resolveVerifyOptions, type VerifyOptions } from './verify-options.js';
import { matchingSecret } from './web-crypto.js';

/**
 * The same as `verify`, with WebCrypto: for edge runtimes, Deno, Bun and service workers in browsers.
 *
 * @throws WebhookVerificationError, ConfigurationError as `verify` does; the Promise rejects with them.
 */
export async function verifyAsync(
  delivery: Delivery,
  secretOrOptions: string | readonly string[] | VerifyOptions,
): Promise<WebhookEvent> {
  const checks = resolveVerifyOptions(secretOrOptions);
  const match = await matchingSecret(readSignedDelivery(delivery, checks, checks.now), checks.secrets);
  if (match === undefined) throw signatureMismatch();
  return readEvent(match.body, checks.toSdkNames);
}
