import { hmac } from '#platform';
import type { RawBody } from '../platform/signed-delivery.js';
import { isBytes } from '../validation/builtins.js';
import { checked, type OptionReaders, readOptions, signatureHeader, timestampHeader } from './options.js';

/** The encoding of the 32 bytes of a signature. */
export type SignatureEncoding = 'hex' | 'base64';

/** The input of `sign`. */
export interface SignOptions {
  /** The body exactly as it will be delivered. */
  body: RawBody;
  /** The endpoint's `hmac_secret`. */
  secret: string;
  /** The value of the timestamp header. Default: now, in seconds. */
  timestamp?: string | number | undefined;
  /** Default `hex`. */
  encoding?: SignatureEncoding | undefined;
}

const optionReaders: OptionReaders<SignOptions, { timestamp: string; encoding: SignatureEncoding }> = {
  body: (value, name) =>
    checked(value, typeof value === 'string' || isBytes(value), name, 'must be a string or bytes'),
  secret: (value, name) => checked(value, typeof value === 'string', name, 'must be a string'),
  timestamp(value = Math.floor(Date.now() / 1000), name) {
    const isRight = typeof value === 'string' || Number.isFinite(value);
    return String(
      checked(value, isRight, name, 'must be the header as a string, in seconds, milliseconds or ISO 8601'),
    );
  },
  encoding: (value = 'hex', name) =>
    checked(value, value === 'hex' || value === 'base64', name, "must be 'hex' or 'base64'"),
};

/**
 * Signs a body as the platform does, for tests of a receiver (API docs, Events, Signature).
 *
 * @throws ConfigurationError naming the wrong options.
 * @returns the two headers of a delivery: `x-service-timestamp` and `x-service-signature`.
 */
export function sign(options: SignOptions): Record<string, string> {
  const { body, secret, timestamp, encoding } = readOptions('sign', options, optionReaders);
  return {
    [timestampHeader]: timestamp,
    [signatureHeader]: hmac(secret, timestamp, body, encoding),
  };
}
