import type { SignatureEncoding } from '../../src/webhooks/signature.js';
import type { Behaviour } from '../defaults/all.js';
import type { Clock } from '../time/clock.js';
import { signedTimestamp } from '../time/signed-timestamp.js';
import { computeSignature } from './signature.js';

export class DeliveryHeaderBuilder {
  readonly #clock: Clock;
  readonly #encoding: SignatureEncoding;
  readonly #format: string;
  readonly #names: Behaviour['signature']['headerNames'];
  readonly #timestamp: (now: Date) => string;

  constructor(clock: Clock, { encoding, format, timestamp, headerNames }: Behaviour['signature']) {
    this.#clock = clock;
    this.#encoding = encoding;
    this.#format = format;
    this.#names = headerNames;
    this.#timestamp = signedTimestamp[timestamp];
  }

  /** @param secret without a secret, the delivery is not signed */
  of(body: string, secret: string | undefined): Readonly<Record<string, string>> {
    const headers = { 'content-type': 'application/json', 'user-agent': 'Service-Webhook/1.0' };
    if (secret === undefined) return Object.freeze(headers);
    const timestamp = this.#timestamp(this.#clock.now());
    const signature = computeSignature(secret, timestamp, body, this.#encoding);
    return Object.freeze({
      ...headers,
      [this.#names.timestamp]: timestamp,
      [this.#names.signature]: this.#format
        .replaceAll('{timestamp}', timestamp)
        .replaceAll('{signature}', signature),
    });
  }
}
