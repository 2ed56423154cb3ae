import type { WebhookEvent } from '../contract/events.js';
import { type Delivery, mismatch, readSigned } from './delivery.js';
import { readEvent } from './read-event.js';
import type { RawBody } from './signature.js';
import { resolveChecks, type VerifyOptions } from './verify-options.js';

const encoder = new TextEncoder();

/** What is signed, as bytes, `timestamp + "." + body`, and the body within them: what is checked is what is parsed. */
function signedBytes(timestamp: string, body: RawBody) {
  const head = encoder.encode(`${timestamp}.`);
  const tail = typeof body === 'string' ? encoder.encode(body) : body;
  const bytes = new Uint8Array(head.length + tail.length);
  bytes.set(head);
  bytes.set(tail, head.length);
  return { bytes, body: bytes.subarray(head.length) };
}

/**
 * The same as `verify`, on WebCrypto: for edge runtimes, Deno, Bun and browsers' service workers.
 *
 * @throws WebhookVerificationError, ConfigurationError as `verify`, as a rejection.
 */
export async function verifyAsync(
  delivery: Delivery,
  secretOrOptions: string | readonly string[] | VerifyOptions,
): Promise<WebhookEvent> {
  const checks = resolveChecks(secretOrOptions);
  const { timestamp, signature, body: given } = readSigned(delivery, checks);
  const { bytes, body } = signedBytes(timestamp, given);
  for (const secret of checks.secrets) {
    const key = await crypto.subtle.importKey(
      'raw',
      encoder.encode(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    );
    if (await crypto.subtle.verify('HMAC', key, Uint8Array.from(signature), bytes))
      return readEvent(body, checks.names);
  }
  throw mismatch();
}
