import { createHmac } from '#node-crypto';

/** How the text of a signature may encode its 32 bytes. */
export type SignatureEncoding = 'hex' | 'base64';

/** A body exactly as it crosses the wire. */
export type RawBody = string | Uint8Array;

/** HMAC-SHA256 over `timestamp + "." + body` (API document, Events, Signature). */
export function signature(secret: string, timestamp: string, body: RawBody): Buffer {
  const hmac = createHmac('sha256', secret);
  return (
    typeof body === 'string' ? hmac.update(`${timestamp}.${body}`) : hmac.update(`${timestamp}.`).update(body)
  ).digest();
}

/** What the platform puts into its two headers, for tests and for the sandbox. */
export interface SignOptions {
  body: RawBody;
  secret: string;
  /** The text of the timestamp header. Default: now, in seconds. */
  timestamp?: string | number;
  /** Default `hex`. */
  encoding?: SignatureEncoding;
}

export const timestampHeader = 'x-service-timestamp';
export const signatureHeader = 'x-service-signature';

/**
 * Signs a body as the platform does, so that a receiver can be tested.
 *
 * @returns the two headers of a delivery.
 */
export function sign({ body, secret, timestamp, encoding = 'hex' }: SignOptions): Record<string, string> {
  const text = String(timestamp ?? Math.floor(Date.now() / 1000));
  return {
    [timestampHeader]: text,
    [signatureHeader]: signature(secret, text, body).toString(encoding),
  };
}
