import type { BoletoFile, CreatePayment, Payment } from '../contract/payments/types.js';
import type { CallOptions } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';
import { bindMethods } from '../validation/methods.js';
import { type ReconcileOptions, reconcile } from './reconcile.js';

/** Payments by Pix, card and boleto. */
export class Payments {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Creates a payment (API docs, POST /v1/payments).
   *
   * Amounts are integers in cents, from 100 to 15000000. For example, 199990 is R$ 1.999,90. If you leave out
   * `idempotencyKey`, the SDK sends a random UUID v4, so it can retry after a lost response without charging
   * twice. You can find the key in the result (`responseOf(payment).idempotencyKey`) and, unless an argument or
   * option was wrong, in the error.
   *
   * If you store your own key with the order, you can send the same payload again after a crash, except one
   * with raw card data: you must not store the PAN or CVV. Instead, tokenize the card first
   * (`vault.tokenize`), and pay with the token.
   *
   * A `refused` payment is a result, not an error.
   *
   * The response can contain fields that the API docs don't show, such as a QR code. The SDK keeps all fields.
   * If you know some of these fields, pass their type as `Extra`.
   *
   * @example
   * ```ts
   * interface PixCode {
   *   pix: { qrCode: string }; // as your platform names it
   * }
   * const payment = await platform.payments.create<PixCode>(
   *   {
   *     externalId: 'order-1042',
   *     amount: 1990, // cents: R$ 19,90
   *     paymentMethod: 'pix',
   *     customer: { name: 'Ana Souza', document: { number: '12345678909', type: 'cpf' } },
   *     items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
   *   },
   *   { idempotencyKey: 'order-1042' }, // stored with the order
   * );
   * console.log(payment.status, payment.pix.qrCode);
   * ```
   *
   * @throws ValidationError, which names the broken rules. Nothing was sent.
   * @throws PaymentOutcomeUnknownError for a 409. Call `reconcile`, and never use a new key.
   * @throws ConnectionError, TimeoutError, ServerError and others; `error.outcome` says whether the payment
   * might have been executed.
   */
  create<Extra extends object = object>(
    payment: CreatePayment,
    options?: CallOptions,
  ): Promise<Payment & Extra> {
    return this.#transport.call('payments.create', { body: payment }, options) as Promise<Payment & Extra>;
  }

  /**
   * Checks a payment and its call options as `create` does, without sending anything. For example, call
   * `validate` before you store an order.
   *
   * @throws ValidationError, which names the broken rules.
   */
  validate(payment: CreatePayment, options?: CallOptions): void {
    this.#transport.check('payments.create', { body: payment }, options);
  }

  /**
   * Downloads a payment's boleto as a PDF, with the response's content type (API docs, GET
   * /v1/payments/{id}/boleto). The response's shape is undocumented, so the SDK also returns an HTML page or
   * JSON unchanged. For a page or an incomplete PDF, the SDK calls the `onDrift` hook. The SDK
   * does not follow a redirect to another server, but throws an error whose `location` contains the address.
   *
   * @param paymentId the payment's `id`, not its `externalId`
   * @throws UnreadableResponseError if JSON is incomplete, or a PDF or an HTML page of unknown length has no end.
   */
  boleto(paymentId: string, options?: CallOptions): Promise<BoletoFile> {
    return this.#transport.call('payments.boleto', { params: { id: paymentId } }, options);
  }

  /**
   * Resolves a payment whose outcome is unknown. Keeps sending the same payload with the same key until the
   * platform responds with the payment. While the platform remembers the key, the request does not charge the
   * customer again (API docs, Errors, idempotency rule 2). While the first attempt is unresolved, the
   * platform responds with 409. If the payment was never created, `reconcile` creates it.
   *
   * The payload must be the same, including the PAN and CVV of raw card data, which you must not store. After
   * a crash, you can therefore not reconcile a payment with raw card data.
   *
   * `reconcile` continues after a lost connection, a 408, 409, 425, 429 or 5xx, an unreadable response and a
   * gateway's HTML page. After any other response, `reconcile` stops and throws the error for that response.
   * If the time runs out, `reconcile` throws its last error other than a timeout or, if there is none, a
   * TimeoutError. After either error, the outcome is `unknown`, so call `reconcile` again later. Use the same
   * `Extra` as for `create`.
   *
   * @throws PaymentOutcomeUnknownError if the platform still does not know the outcome.
   */
  reconcile<Extra extends object = object>(
    payment: CreatePayment,
    options: ReconcileOptions,
  ): Promise<Payment & Extra> {
    return reconcile(this.#transport, payment, options) as Promise<Payment & Extra>;
  }
}
