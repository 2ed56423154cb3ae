import type { RawBody, SignedDelivery } from './signed-delivery.js';

const encode = (text: string) => new TextEncoder().encode(text);

const toBytes = (body: RawBody) => (typeof body === 'string' ? encode(body) : body);

/** WebCrypto compares in constant time. */
export async function findSigner(
  { timestamp, body, signature }: SignedDelivery,
  secrets: readonly string[],
): Promise<number> {
  const prefix = encode(`${timestamp}.`);
  const bytes = toBytes(body);
  const signed = new Uint8Array(prefix.length + bytes.length);
  signed.set(prefix);
  signed.set(bytes, prefix.length);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const [index, secret] of secrets.entries()) {
    const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['verify']);
    if (await crypto.subtle.verify('HMAC', key, signature, signed)) return index;
  }
  return -1;
}

export async function computeDigest(body: RawBody): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(toBytes(body)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
