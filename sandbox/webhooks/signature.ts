import { hmacSha256 } from '#sandbox-runtime';
import type { SignatureEncoding } from '../../src/webhooks/signature.js';
import { toBase64, toHex } from '../runtime/bytes.js';

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
