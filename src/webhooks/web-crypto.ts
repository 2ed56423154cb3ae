import type { SignedDelivery } from './delivery.js';
import type { RawBody } from './signature.js';

const encoder = new TextEncoder();

/** A secret that signed a delivery, and the body that was checked with it. */
export interface Match {
  /** The position of the secret. */
  readonly index: number;
  /** Exactly the checked bytes or text. */
  readonly body: RawBody;
}

const bytesOf = (body: RawBody) => (typeof body === 'string' ? encoder.encode(body) : body);

/** The signed bytes, `timestamp + "." + body`, and the part of them that is the body, so that exactly the checked bytes are parsed. */
function signedBytes(timestamp: string, body: RawBody) {
  const prefix = encoder.encode(`${timestamp}.`);
  const bodyBytes = bytesOf(body);
  const bytes = new Uint8Array(prefix.length + bodyBytes.length);
  bytes.set(prefix);
  bytes.set(bodyBytes, prefix.length);
  return { bytes, body: bytes.subarray(prefix.length) };
}

/** The first of the secrets that signed a delivery; undefined if none did. */
export async function matchingSecret(
  { timestamp, signature, body: received }: SignedDelivery,
  secrets: readonly string[],
): Promise<Match | undefined> {
  const { bytes, body } = signedBytes(timestamp, received);
  for (const [index, secret] of secrets.entries()) {
    const key = await crypto.subtle.importKey(
      'raw',
      encoder.encode(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    );
    if (await crypto.subtle.verify('HMAC', key, Uint8Array.from(signature), bytes)) return { index, body };
  }
  return undefined;
}

/** The SHA-256 of a body in hex. */
export async function digestOf(body: RawBody): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(bytesOf(body)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
