import type { WebhookEvent } from '../contract/events.js';
import { type Delivery, readSignedDelivery, signatureMismatch } from './delivery.js';
import { matchingSecret } from './node-signature.js';
import type { ToSdkNames } from './notification-names.js';
import { readEvent } from './read-event.js';
import { resolveVerifyOptions, type VerifyOptions } from './verify-options.js';

/**
 * Checks that a delivery is authentic and fresh, and only then parses it (API document, Events,
 * Signature): HMAC-SHA256 over `timestamp + "." + body`, 300 seconds both ways. Needs node:crypto; on
 * other runtimes use `verifyAsync`.
 *
 * The encoding of the signature and the unit of the timestamp are undocumented, so both hex and base64 are
 * accepted, and seconds, milliseconds and ISO 8601.
 *
 * A delivery can come twice: store the identifiers that you have handled.
 *
 * @throws WebhookVerificationError with a `reason`: answer 400, and do nothing else.
 * @throws ConfigurationError for an invalid option, such as a secret outside 16 to 256 characters.
 * @example
 * ```ts
 * export async function POST(request: Request): Promise<Response> {
 *   const body = await request.text(); // as it was sent: a parsed body cannot be checked
 *   const event = verify({ body, headers: request.headers }, secret);
 *   if (event.event === 'transaction.paid') await ship(event.externalReference);
 *   return new Response(null, { status: 204 });
 * }
 * ```
 */
export function verify(
  delivery: Delivery,
  secretOrOptions: string | readonly string[] | VerifyOptions,
): WebhookEvent {
  return verifyWithNames(delivery, secretOrOptions);
}

/** The same as `verify`, with the names of a client if the options have no `fieldNames`. */
export function verifyWithNames(
  delivery: Delivery,
  secretOrOptions: string | readonly string[] | VerifyOptions,
  toSdkNames?: ToSdkNames,
): WebhookEvent {
  const checks = resolveVerifyOptions(secretOrOptions, toSdkNames);
  const match = matchingSecret(readSignedDelivery(delivery, checks, checks.now), checks.secrets);
  if (match === undefined) throw signatureMismatch();
  return readEvent(match.body, checks.toSdkNames);
}
