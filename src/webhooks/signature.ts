import { ConfigurationError } from '../errors/usage.js';
import { inWords } from '../input/issue.js';
import { oneOf, type Readers, readIf, readOptions, required } from '../input/options.js';
import { createHmac } from './node-crypto.js';

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
  timestamp?: string | number | undefined;
  /** Default `hex`. */
  encoding?: SignatureEncoding | undefined;
}

const readers: Readers<SignOptions> = {
  body: required(
    readIf((given) => typeof given === 'string' || given instanceof Uint8Array, 'must be a string or bytes'),
  ),
  secret: required(readIf((given) => typeof given === 'string', 'must be a string')),
  timestamp: readIf(
    (given) => typeof given === 'string' || Number.isFinite(given),
    'must be the text of the header: seconds, milliseconds or ISO 8601',
  ),
  encoding: oneOf('hex', 'base64'),
};

export const timestampHeader = 'x-service-timestamp';
export const signatureHeader = 'x-service-signature';

/**
 * Signs a body as the platform does, for tests of a receiver (API document, Events, Signature).
 *
 * @throws ConfigurationError naming every wrong option.
 * @returns the two headers of a delivery: `x-service-timestamp` and `x-service-signature`.
 */
export function sign(options: SignOptions): Record<string, string> {
  const { value = {}, issues } = readOptions(options, readers);
  if (issues.length > 0) throw new ConfigurationError(`sign: ${inWords(issues)}.`);
  const { body = '', secret = '', timestamp, encoding = 'hex' } = value;
  const text = String(timestamp ?? Math.floor(Date.now() / 1000));
  return {
    [timestampHeader]: text,
    [signatureHeader]: signature(secret, text, body).toString(encoding),
  };
}
