import type { CallOptions } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';
import { bindMethods } from '../validation/methods.js';

/** The card vault. */
export class Vault {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Exchanges card data for a token (API docs, Vault). The fields of the body and of the response are
   * undocumented, so the SDK passes both on unchanged. Errors and hooks hide the body's values. The SDK
   * retries the call only after a failed connection, a 429 or a rejected access token. Rate limit: 30 requests per minute per IP
   * address.
   *
   * @example
   * ```ts
   * // All names in the body and in the response are undocumented: these are the sandbox's.
   * const { cardTokenId } = await platform.vault.tokenize<{ cardTokenId: string }>({
   *   number: '4111111111111111',
   *   holderName: 'ANA SOUZA',
   *   expirationMonth: 12,
   *   expirationYear: 2030,
   * });
   * ```
   */
  tokenize<Result extends object = Record<string, unknown>>(
    body: object,
    options?: CallOptions,
  ): Promise<Result> {
    return this.#transport.call('vault.tokenize', { body }, options) as Promise<Result>;
  }
}
