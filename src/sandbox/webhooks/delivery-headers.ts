import { oneOf, type Readers } from '../../input/options.js';
import { type SignatureEncoding, sign } from '../../webhooks/signature.js';
import type { Clock } from '../time/clock.js';
import { signedTimestamp, type TimestampForm, timestampForms } from './signed-timestamp.js';

/** How notifications are signed, which is undocumented. */
export interface SignatureOptions {
  /** Encoding of the signature. Default `hex`. */
  encoding?: SignatureEncoding | undefined;
  /** Form of the signed timestamp. Default `seconds`. */
  timestamp?: TimestampForm | undefined;
}

export const signatureReaders: Readers<SignatureOptions> = {
  encoding: oneOf('hex', 'base64'),
  timestamp: oneOf(...timestampForms),
};

/** The headers of deliveries. */
export class DeliveryHeaders {
  readonly #clock: Clock;
  readonly #encoding: SignatureEncoding;
  /** The timestamp of a signature, as text. */
  readonly #timestamp: (now: Date) => string;

  constructor(clock: Clock, { encoding = 'hex', timestamp = 'seconds' }: SignatureOptions) {
    this.#clock = clock;
    this.#encoding = encoding;
    this.#timestamp = signedTimestamp[timestamp];
  }

  /** @param secret without one, the delivery is not signed. */
  of(body: string, secret: string | undefined): Readonly<Record<string, string>> {
    const headers = { 'content-type': 'application/json', 'user-agent': 'Service-Webhook/1.0' };
    if (secret === undefined) return Object.freeze(headers);
    const timestamp = this.#timestamp(this.#clock.now());
    return Object.freeze({ ...headers, ...sign({ body, secret, encoding: this.#encoding, timestamp }) });
  }
}
