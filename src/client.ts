import type { ClientOptions } from './options.js';
import { resolveOptions } from './options.js';
import { Certificates } from './resources/certificates.js';
import { Domains } from './resources/domains.js';
import { Onboarding } from './resources/onboarding.js';
import { Payments } from './resources/payments.js';
import { Submerchants } from './resources/submerchants.js';
import { Vault } from './resources/vault.js';
import { Webhooks } from './resources/webhooks.js';
import type { CallOptions } from './transport/prepare/call-options.js';
import type { RequestInput } from './transport/prepare/request-input.js';
import type { EngineName } from './transport/send/engine.js';
import { Transport } from './transport/transport.js';

/**
 * The client of the payment platform.
 *
 * ```ts
 * const platform = new PaymentPlatform({ baseUrl, clientId, clientSecret });
 * const payment = await platform.payments.create({ ... });
 * ```
 *
 * One client for the whole process: it keeps connections and is safe to share.
 */
export class PaymentPlatform {
  /** Payments by Pix, card and boleto. */
  readonly payments: Payments;
  /** Sub-accounts and their withdrawals. */
  readonly submerchants: Submerchants;
  /** Onboarding of sellers, with their documents. */
  readonly onboarding: Onboarding;
  /** Certificates of wallets. */
  readonly certificates: Certificates;
  /** Web domains on which wallets are shown. */
  readonly domains: Domains;
  /** Webhook endpoints, and the check of what they receive. */
  readonly webhooks: Webhooks;
  /** The vault of cards. */
  readonly vault: Vault;
  readonly #transport: Transport;
  readonly #baseUrl: string;

  /** @throws ConfigurationError naming every option that is missing or wrong. */
  constructor(options?: ClientOptions) {
    const settings = resolveOptions(options);
    this.#baseUrl = settings.baseUrl.href;
    this.#transport = new Transport(settings);
    this.payments = new Payments(this.#transport);
    this.submerchants = new Submerchants(this.#transport);
    this.onboarding = new Onboarding(this.#transport);
    this.certificates = new Certificates(this.#transport);
    this.domains = new Domains(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
    this.vault = new Vault(this.#transport);
  }

  /** What carries the calls: `node` (node:http with keep-alive) or `ky` (over fetch). */
  get engine(): EngineName {
    return this.#transport.engine;
  }

  /**
   * Any other endpoint of the platform, with the same authorisation, keys, deadline and errors.
   *
   * Reads, PUT and DELETE are repeated on failure as HTTP allows; other writes are not, unless
   * `replay` says that the platform answers a repeat with the first result.
   *
   * @throws ValidationError for a path or body that cannot be sent.
   */
  request<Result extends object = Record<string, unknown>>(
    input: RequestInput,
    options?: CallOptions,
  ): Promise<Result> {
    return this.#transport.request<Result>(input, options);
  }

  /**
   * Lets go of idle connections, and ends a token request that no call waits for; for example at the end
   * of a test. Calls under way end as they would.
   */
  close(): void {
    this.#transport.close();
  }

  /** What may be shown of a client. */
  toJSON(): Record<string, unknown> {
    return { baseUrl: this.#baseUrl, engine: this.engine };
  }

  /** Node's `util.inspect` and `console.log`. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `PaymentPlatform { baseUrl: '${this.#baseUrl}', engine: '${this.engine}' }`;
  }
}
