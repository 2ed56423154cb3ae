import { hmac } from '#platform';
import { accept } from '../errors/usage.js';
import type { RawBody } from '../platform/signed-delivery.js';
import { isBytes } from '../validation/builtins.js';
import { oneOf, required, validIf, withDefault } from '../validation/options.js';
import { signatureHeader, tableReader, timestampHeader } from './options.js';

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

const optionsReader = () =>
  tableReader<SignOptions, { [Name in keyof SignOptions]-?: Exclude<SignOptions[Name], undefined> }>({
    body: required(
      validIf((value) => typeof value === 'string' || isBytes(value), 'must be a string or bytes'),
      'must be a string or bytes',
    ),
    secret: required(
      validIf((value) => typeof value === 'string', 'must be a string'),
      'must be a string',
    ),
    timestamp: withDefault(
      () => Math.floor(Date.now() / 1000),
      validIf(
        (value) => typeof value === 'string' || Number.isFinite(value),
        'must be the header as a string, in seconds, milliseconds or ISO 8601',
      ),
    ),
    encoding: withDefault(() => 'hex', oneOf('hex', 'base64')),
  });

/**
 * Signs a body as the platform does, for tests of a receiver (API docs, Events, Signature).
 *
 * @throws ConfigurationError naming the wrong options.
 * @returns the two headers of a delivery: `x-service-timestamp` and `x-service-signature`.
 */
export function sign(options: SignOptions): Record<string, string> {
  const { body, secret, encoding, ...signed } = accept('sign', optionsReader(), options);
  const timestamp = String(signed.timestamp);
  return {
    [timestampHeader]: timestamp,
    [signatureHeader]: hmac(secret, timestamp, body, encoding),
  };
}
