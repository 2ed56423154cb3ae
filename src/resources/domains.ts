import type { Domain, RegisterDomain } from '../contract/domains/types.js';
import { ValidationError } from '../errors/usage.js';
import type { CallOptions } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';
import { bindMethods } from '../validation/methods.js';

/** Web domains that offer digital wallets. */
export class Domains {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Registers a domain (API docs, POST /v1/payment-method-domains). The response contains `verificationFile`,
   * a file that you must host on the domain, for example with `verificationResponse`. If the domain is
   * already registered, the platform returns the current record and changes nothing.
   *
   * @throws ValidationError for a hostname of more than 255 characters, or with a scheme, port, path, query, user
   * or space.
   */
  register<Extra extends object = object>(
    domain: RegisterDomain,
    options?: CallOptions,
  ): Promise<Domain & Extra> {
    return this.#transport.call('domains.register', { body: domain }, options) as Promise<Domain & Extra>;
  }

  /**
   * Lists the merchant's domains with their verification status (API docs, GET /v1/payment-method-domains).
   */
  list<Extra extends object = object>(options?: CallOptions): Promise<{ data: (Domain & Extra)[] }> {
    return this.#transport.call('domains.list', {}, options) as Promise<{ data: (Domain & Extra)[] }>;
  }

  /**
   * Returns a domain's verification file as a `Response`. Serve it at `domain.verificationFile.path` (for
   * Apple Pay, /.well-known/apple-developer-merchantid-domain-association). This method makes no request.
   *
   * @throws ValidationError if `domain` has no `verificationFile`. The API docs show the
   * file only in the response to `register`.
   */
  verificationResponse(domain: Pick<Domain, 'verificationFile'>): Response {
    const content: unknown = domain?.verificationFile?.content;
    if (typeof content !== 'string') {
      throw new ValidationError('domains.verificationResponse', [
        {
          path: 'verificationFile.content',
          message: 'is required. Pass the response of domains.register, which contains it',
        },
      ]);
    }
    return new Response(content, {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    });
  }
}
