import type { BoletoFile, CreatePayment, Payment } from '../contract/payments/types.js';
import { type ReconcileOptions, reconcile } from '../polling/reconcile.js';
import type { CallOptions } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Payments by Pix, card and boleto. */
export class Payments {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a payment (API document, POST /v1/payments).
   *
   * Amounts are integers in cents: 199990 is R$ 1.999,90; from 100 to 15000000. Without
   * `idempotencyKey` a random UUID v4 is sent, so that a lost answer can be asked for again without
   * a second charge; it is on the result (`responseOf(payment).idempotencyKey`) and on every error.
   * Keep your own key beside the order, and a crash between sending and answer is harmless too, where
   * you can send the same payload again: a payment by Pix, boleto, `cardTokenId` or `upsellToken`. PAN and
   * CVV may not be stored, so an open card cannot be sent again after a crash: tokenize it first
   * (`vault.tokenize`), and pay with the token.
   *
   * A `refused` payment is a result, not an error.
   *
   * @throws ValidationError naming every broken rule of the API document; nothing was sent.
   * @throws PaymentOutcomeUnknownError 409: go on with `reconcile`, never with a new key.
   * @throws ConnectionError, TimeoutError, ServerError, … `error.outcome` tells what is known.
   */
  create(payment: CreatePayment, options?: CallOptions): Promise<Payment> {
    return this.#transport.call('payments.create', { body: payment }, options);
  }

  /**
   * The boleto of a payment as a file (API document, GET /v1/payments/{id}/boleto): a PDF, with the
   * content type it came with. Its response shape is not shown: a JSON answer is kept as it came.
   *
   * @throws UnreadableResponseError for a PDF that did not arrive whole.
   */
  boleto(paymentId: string, options?: CallOptions): Promise<BoletoFile> {
    return this.#transport.call('payments.boleto', { params: { id: paymentId } }, options);
  }

  /**
   * Finds out what became of a payment whose outcome is unknown: sends the same payload with the
   * same key until the platform answers with the payment. Never charges twice (API document,
   * Errors, idempotency rules 2): while the first attempt is unresolved the platform answers 409,
   * and if it was never created, the replay creates it.
   *
   * The payload must be the same, an open card's PAN and CVV included, which may not be stored: after a
   * crash only a payment by Pix, boleto, `cardTokenId` or `upsellToken` can be asked for.
   *
   * When the time is over the last error is thrown, with the outcome `unknown`: ask again later.
   *
   * @throws PaymentOutcomeUnknownError when the platform still does not know.
   */
  reconcile(payment: CreatePayment, options: ReconcileOptions): Promise<Payment> {
    return reconcile(this.#transport, payment, options);
  }
}
