import type { WebhookEvent } from '../contract/events.js';
import { notificationShape } from '../contract/generated/shapes.js';
import type { CreateWebhook, UpdateWebhook, WebhookEndpoint } from '../contract/webhooks/types.js';
import type { CallOptions } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';
import { bindMethods } from '../validation/methods.js';
import type { Delivery, VerifyOptions } from '../webhooks/types.js';
import type { verifyWithNames } from '../webhooks/verify.js';

/** Webhook endpoints and delivery verification. */
export class Webhooks {
  readonly #transport: Transport;
  readonly #verify: typeof verifyWithNames;

  constructor(transport: Transport, verify: typeof verifyWithNames) {
    this.#transport = transport;
    this.#verify = verify;
    bindMethods(this);
  }

  /**
   * Registers an endpoint (API docs, POST /v1/webhooks). An organization can have at most three endpoints.
   * With `hmac_secret` (16 to 256 characters), the platform signs every delivery. The API docs describe no
   * idempotency key for it, so the SDK retries the call only after a failed connection, a 429 or a rejected
   * access token. After an `unknown` outcome, check `list` before you try again.
   *
   * @throws ValidationError if the URL neither uses HTTPS nor has a loopback address, or if the secret is too
   * short or too long. Nothing was sent.
   * @example
   * ```ts
   * const endpoint = await platform.webhooks.create({
   *   webhook_url: 'https://shop.example/webhooks',
   *   events: ['transaction.paid', 'transaction.refused'],
   *   hmac_secret: secret, // pass the same secret to `verify`
   * });
   * ```
   */
  create<Extra extends object = object>(
    webhook: CreateWebhook,
    options?: CallOptions,
  ): Promise<WebhookEndpoint & Extra> {
    return this.#transport.call('webhooks.create', { body: webhook }, options) as Promise<
      WebhookEndpoint & Extra
    >;
  }

  /**
   * Changes the URL, the events or the secret of an endpoint (API docs, PUT /v1/webhooks/{id}). If you leave
   * out `hmac_secret`, the platform keeps the current secret. A string replaces the secret. `null` clears it,
   * so later deliveries are not signed. The API docs do not say whether the platform keeps a URL or events
   * that you leave out, so send both. The shape of the response is undocumented.
   *
   * @param id The endpoint's UUID, as returned by `list`.
   * @example
   * ```ts
   * const [endpoint] = (await platform.webhooks.list()).data;
   * if (endpoint !== undefined) {
   *   const { id, endpoint: webhook_url, events } = endpoint;
   *   await platform.webhooks.update(id, { webhook_url, events, hmac_secret: secret });
   * }
   * ```
   */
  update<Result extends object = Partial<WebhookEndpoint>>(
    id: string,
    changes: UpdateWebhook,
    options?: CallOptions,
  ): Promise<Result> {
    return this.#transport.call(
      'webhooks.update',
      { params: { id }, body: changes },
      options,
    ) as Promise<Result>;
  }

  /**
   * Lists the merchant's endpoints, whatever their status (API docs, GET /v1/webhooks). The platform never
   * returns secrets.
   */
  list<Extra extends object = object>(options?: CallOptions): Promise<{ data: (WebhookEndpoint & Extra)[] }> {
    return this.#transport.call('webhooks.list', {}, options) as Promise<{
      data: (WebhookEndpoint & Extra)[];
    }>;
  }

  /**
   * Checks that a delivery is authentic and recent, and parses it (API docs, Events, Signature). This method
   * makes no request. It works like `verify` from `payment-platform/webhooks`, but uses the client's
   * `fieldNames`.
   *
   * @throws WebhookVerificationError with a `reason`.
   */
  verify(delivery: Delivery, secretOrOptions: string | readonly string[] | VerifyOptions): WebhookEvent {
    return this.#verify(delivery, secretOrOptions, (payload) =>
      this.#transport.names.fromWire(notificationShape, payload),
    );
  }
}
