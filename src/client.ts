import { engines, verifyWithNames } from '#client-platform';
import { type ClientOptions, type Credentials, resolveOptions, withCredentials } from './options.js';
import { Certificates } from './resources/certificates.js';
import { Domains } from './resources/domains.js';
import { Onboarding } from './resources/onboarding.js';
import { Payments } from './resources/payments.js';
import { Submerchants } from './resources/submerchants.js';
import { Vault } from './resources/vault.js';
import { Webhooks } from './resources/webhooks.js';
import type { CallOptions } from './transport/prepare/call-options.js';
import type { RequestInput } from './transport/prepare/request-input.js';
import type { EngineName } from './transport/send/http-client.js';
import { Transport } from './transport/transport.js';
import { type AsyncDisposal, bindMethods, disposeWith } from './validation/methods.js';

/**
 * The payment platform's client.
 *
 * ```ts
 * const platform = new PaymentPlatform({ baseUrl, clientId, clientSecret });
 * const payment = await platform.payments.create(order, { idempotencyKey: 'order-1042' });
 * ```
 *
 * Use one client for the whole process, because the client keeps connections open. Concurrent calls can share
 * it.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the static block defines what the interface declares
export class PaymentPlatform {
  static {
    // biome-ignore lint/complexity/noThisInStatic: bundlers rename a class that refers to itself
    disposeWith(this.prototype, (client) => client.close());
  }

  /** Payments by Pix, card and boleto. */
  readonly payments: Payments;
  /** Sub-accounts and their withdrawals. */
  readonly submerchants: Submerchants;
  /** Onboarding of sellers, with their documents. */
  readonly onboarding: Onboarding;
  /** Digital wallet certificates. */
  readonly certificates: Certificates;
  /** Web domains that offer digital wallets. */
  readonly domains: Domains;
  /** Webhook endpoints and delivery verification. */
  readonly webhooks: Webhooks;
  /** The card vault. */
  readonly vault: Vault;
  readonly #transport: Transport;

  /** @throws ConfigurationError naming every option that is missing or invalid. */
  constructor(options?: ClientOptions) {
    const value: unknown = options;
    // `with` passes an existing transport, which uses the HTTP client of another `PaymentPlatform`.
    this.#transport = value instanceof Transport ? value : new Transport(resolveOptions(options), engines);
    this.payments = new Payments(this.#transport);
    this.submerchants = new Submerchants(this.#transport);
    this.onboarding = new Onboarding(this.#transport);
    this.certificates = new Certificates(this.#transport);
    this.domains = new Domains(this.#transport);
    this.webhooks = new Webhooks(this.#transport, verifyWithNames);
    this.vault = new Vault(this.#transport);
    bindMethods(this);
  }

  /**
   * The merchant: the base address and the client id, which is the token requests' with `auth: 'oauth'`. Durable
   * payments belong to both.
   */
  get merchant(): { readonly baseUrl: string; readonly clientId: string } {
    return this.#transport.merchant;
  }

  /** The engine that sends the requests: `node` (node:http with keep-alive) or `ky` (over fetch). */
  get engine(): EngineName {
    return this.#transport.engine;
  }

  /**
   * Creates a client for another merchant. The new client shares this client's options, connections and
   * engine, but has its own credentials, access tokens and rate limits, except the vault's limit in a shared
   * store. Create one client per merchant, and reuse it. Closing the new client leaves the shared connections open.
   *
   * @throws ConfigurationError, which names every missing or invalid credential.
   */
  with(credentials: Credentials): PaymentPlatform {
    const transport = this.#transport.sharingHttpClient((settings) => withCredentials(settings, credentials));
    return clientOver(transport);
  }

  /**
   * Calls any other platform endpoint. Authorisation, idempotency keys, the deadline and errors work as in
   * the other methods.
   *
   * For an endpoint of the API docs, the retry rules of its method apply. For others, the SDK can retry reads, PUT
   * and DELETE. It retries POST and PATCH only after a failed connection, a 429 or a rejected access token, unless
   * `replay` allows more.
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
   * Prepares the first call. Loads the code that the call needs and, with `auth: 'oauth'` or `'both'`,
   * requests the access token. Call `warmUp` when a server starts, so that the first customer does not have to
   * wait. `warmUp` makes no other request, and other calls do not have to wait for it.
   *
   * @throws the error of the token request, or TimeoutError after the client's `timeout`.
   */
  warmUp(): Promise<void> {
    return this.#transport.warmUp();
  }

  /**
   * Closes the idle connections of the Node engine, and aborts any token request that no call is waiting for.
   * Running calls continue. For example, call `close` at the end of a test.
   */
  close(): void {
    this.#transport.close();
  }

  /** Returns the client without its secrets, for JSON.stringify. */
  toJSON(): Record<string, unknown> {
    return { baseUrl: this.#transport.baseUrl, engine: this.engine };
  }

  /** Returns the client without its secrets, for Node's `util.inspect` and `console.log`. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `PaymentPlatform { baseUrl: '${this.#transport.baseUrl}', engine: '${this.engine}' }`;
  }
}

/** Outside the class for the same reason as above. */
const clientOver = (transport: Transport) => new PaymentPlatform(transport as unknown as ClientOptions);

/** `await using platform = new PaymentPlatform(options)` closes the client at the end of the block. */
export interface PaymentPlatform extends AsyncDisposal {}
