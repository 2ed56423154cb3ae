import { createHmac } from '#node-crypto';

/** The encoding of the 32 bytes of a signature. */
export type SignatureEncoding = 'hex' | 'base64';

/** A body exactly as it is transmitted. */
export type RawBody = string | Uint8Array;

/** HMAC-SHA256 over `timestamp + "." + body` (API document, Events, Signature). */
export function signature(secret: string, timestamp: string, body: RawBody): Buffer {
  const hmac = createHmac('sha256', secret);
  return (
    typeof body === 'string' ? hmac.update(`${timestamp}.${body}`) : hmac.update(`${timestamp}.`).update(body)
  ).digest();
}

/** What `sign` signs, and how. */
export interface SignOptions {
  /** The body exactly as it will be delivered. */
  body: RawBody;
  /** The `hmac_secret` of the endpoint. */
  secret: string;
  /** The value of the timestamp header. Default: now, in seconds. */
  timestamp?: string | number;
  /** Default `hex`. */
  encoding?: SignatureEncoding;
}

export const timestampHeader = 'x-service-timestamp';
export const signatureHeader = 'x-service-signature';

/**
 * Signs a body as the platform does, for tests of a receiver (API document, Events, Signature).
 *
 * @returns the two headers of a delivery: `x-service-timestamp` and `x-service-signature`.
 */
export function sign({ body, secret, timestamp, encoding = 'hex' }: SignOptions): Record<string, string> {
  const text = String(timestamp ?? Math.floor(Date.now() / 1000));
  return {
    [timestampHeader]: text,
    [signatureHeader]: signature(secret, text, body).toString(encoding),
  };
}
