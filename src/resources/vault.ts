import type { CallOptions } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';

/** The vault of cards. */
export class Vault {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Exchanges card data for a token (API document, Vault). Neither the names in its body nor those of the
   * answer are shown: both pass as they are. Nothing of the body appears in an error or a log. It is
   * never sent again by itself. At most 30 a minute per IP.
   */
  tokenize<Result extends object = Record<string, unknown>>(
    body: object,
    options?: CallOptions,
  ): Promise<Result> {
    return this.#transport.call('vault.tokenize', { body }, options) as Promise<Result>;
  }
}
