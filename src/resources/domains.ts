import type { Domain, RegisterDomain } from '../contract/domains/types.js';
import { ValidationError } from '../errors/usage.js';
import type { CallOptions } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Web domains on which wallets are shown. */
export class Domains {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Registers a domain (API document, POST /v1/payment-method-domains). The answer carries
   * `verificationFile`, to be hosted on the domain: see `verificationResponse`. Registering an existing
   * domain returns the current record and changes nothing.
   *
   * @throws ValidationError for anything but a pure hostname of at most 255 characters.
   */
  register(domain: RegisterDomain, options?: CallOptions): Promise<Domain> {
    return this.#transport.call('domains.register', { body: domain }, options);
  }

  /** The merchant's domains and their verification status (API document, GET /v1/payment-method-domains). */
  list(options?: CallOptions): Promise<{ data: Domain[] }> {
    return this.#transport.call('domains.list', {}, options);
  }

  /**
   * The verification file of a domain as a `Response`, to serve at `domain.verificationFile.path` (for
   * Apple Pay /.well-known/apple-developer-merchantid-domain-association). No network.
   *
   * @throws ValidationError for a domain that comes without its file: the registration answers with it.
   */
  verificationResponse(domain: Pick<Domain, 'verificationFile'>): Response {
    const content = domain?.verificationFile?.content;
    if (typeof content !== 'string') {
      throw new ValidationError('domains.verificationResponse', [
        {
          path: 'verificationFile.content',
          message: 'is required: the answer to domains.register carries it (await it first)',
        },
      ]);
    }
    return new Response(content, {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    });
  }
}
