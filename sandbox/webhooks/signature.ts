import { hmacSha256 } from '#sandbox-runtime';
import type { SignatureEncoding } from '../../src/webhooks/signature.js';
import type { Behaviour } from '../defaults/all.js';
import { toBase64, toHex } from '../runtime/bytes.js';
import type { Clock } from '../time/clock.js';
import { signedTimestamp } from '../time/signed-timestamp.js';

const encodings: Readonly<Record<SignatureEncoding, (bytes: Uint8Array) => string>> = {
  hex: toHex,
  base64: toBase64,
};

/** HMAC-SHA256 over `timestamp + "." + body` (API docs, Events, Signature). */
export const computeSignature = (
  secret: string,
  timestamp: string,
  body: string,
  encoding: SignatureEncoding,
): string => encodings[encoding](hmacSha256(secret, `${timestamp}.${body}`));

/** Without a secret, the delivery is not signed. */
export type HeaderBuilder = (body: string, secret: string | undefined) => Readonly<Record<string, string>>;

export function createHeaderBuilder(clock: Clock, options: Behaviour['signature']): HeaderBuilder {
  const { encoding, format, headerNames } = options;
  return (body, secret) => {
    const headers = { 'content-type': 'application/json', 'user-agent': 'Service-Webhook/1.0' };
    if (secret === undefined) return Object.freeze(headers);
    const timestamp = signedTimestamp[options.timestamp](clock.now());
    const signature = computeSignature(secret, timestamp, body, encoding);
    return Object.freeze({
      ...headers,
      [headerNames.timestamp]: timestamp,
      [headerNames.signature]: format
        .replaceAll('{timestamp}', timestamp)
        .replaceAll('{signature}', signature),
    });
  };
}
