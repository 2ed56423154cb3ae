import { timingSafeEqual } from '#node-crypto';
import type { WebhookEvent } from '../contract/events.js';
import type { WireNames } from '../contract/wire-names.js';
import { type Delivery, mismatch, readSigned } from './delivery.js';
import { readEvent } from './read-event.js';
import { signature } from './signature.js';
import { resolveChecks, type VerifyOptions } from './verify-options.js';

/**
 * Checks that a delivery is authentic and fresh, and only then parses it (API document, Events,
 * Signature): HMAC-SHA256 over `timestamp + "." + body`, 300 seconds both ways. Needs node:crypto; on
 * other runtimes use `verifyAsync`.
 *
 * The encoding of the signature and the unit of the timestamp are not shown, so hex and base64, and
 * seconds, milliseconds and ISO 8601 are understood.
 *
 * A delivery can come twice: keep the identifiers you have handled.
 *
 * @throws WebhookVerificationError with a `reason`: answer 400, and do nothing else.
 * @throws ConfigurationError for a secret outside 16 to 256 characters.
 */
export function verify(
  delivery: Delivery,
  secretOrOptions: string | readonly string[] | VerifyOptions,
): WebhookEvent {
  return verifyNamed(delivery, secretOrOptions);
}

/** The same, with the names of a client where the options say nothing of them. */
export function verifyNamed(
  delivery: Delivery,
  secretOrOptions: string | readonly string[] | VerifyOptions,
  names?: WireNames,
): WebhookEvent {
  const checks = resolveChecks(secretOrOptions, names);
  const signed = readSigned(delivery, checks);
  const { timestamp, body } = signed;
  if (!checks.secrets.some((secret) => timingSafeEqual(signature(secret, timestamp, body), signed.signature)))
    throw mismatch();
  return readEvent(body, checks.names);
}
