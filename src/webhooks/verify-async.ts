import type { WebhookEvent } from '../contract/events.js';
import { type Delivery, readSignedDelivery, signatureMismatch } from './delivery.js';
import { readEvent } from './read-event.js';
import type { RawBody } from './signature.js';
import { resolveVerifyOptions, type VerifyOptions } from './verify-options.js';

const encoder = new TextEncoder();

/** The signed bytes, `timestamp + "." + body`, and the part of them that is the body, so that exactly the checked bytes are parsed. */
function signedBytes(timestamp: string, body: RawBody) {
  const prefix = encoder.encode(`${timestamp}.`);
  const bodyBytes = typeof body === 'string' ? encoder.encode(body) : body;
  const bytes = new Uint8Array(prefix.length + bodyBytes.length);
  bytes.set(prefix);
  bytes.set(bodyBytes, prefix.length);
  return { bytes, body: bytes.subarray(prefix.length) };
}

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
  const { timestamp, signature, body: receivedBody } = readSignedDelivery(delivery, checks);
  const { bytes, body } = signedBytes(timestamp, receivedBody);
  for (const secret of checks.secrets) {
    const key = await crypto.subtle.importKey(
      'raw',
      encoder.encode(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    );
    if (await crypto.subtle.verify('HMAC', key, Uint8Array.from(signature), bytes))
      return readEvent(body, checks.toSdkNames);
  }
  throw signatureMismatch();
}
