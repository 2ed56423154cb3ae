import type { CreatePayment } from '../contract/payment-request.js';
import type { BoletoFile, Payment } from '../contract/payments.js';
import { isRecord } from '../contract/record.js';
import { isPaymentPlatformError } from '../errors/base.js';
import { type Issue, ValidationError } from '../errors/usage.js';
import type { CallOptions } from '../transport/call-options.js';
import { keyProblem } from '../transport/idempotency.js';
import { snapshot } from '../transport/snapshot.js';
import type { Transport } from '../transport/transport.js';
import { mayChange } from './passing.js';
import { poll, pollIssues, type Step } from './poll.js';

/** How `payments.reconcile` asks. */
export interface ReconcileOptions extends Pick<CallOptions, 'signal' | 'headers' | 'extraBody'> {
  /** The key of the call whose outcome is unknown: `error.idempotencyKey`. */
  idempotencyKey: string;
  /** Milliseconds before the second question; each further wait grows by half. Default 2000. */
  interval?: number | undefined;
  /** Milliseconds for all of it. Default 120000. */
  timeout?: number | undefined;
}

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
   * Keep your own key beside the order, and a crash between sending and answer is harmless too.
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
   * When the time is over the last error is thrown, with the outcome `unknown`: ask again later.
   *
   * @throws PaymentOutcomeUnknownError when the platform still does not know.
   */
  async reconcile(payment: CreatePayment, options: ReconcileOptions): Promise<Payment> {
    const {
      idempotencyKey,
      interval = 2_000,
      timeout = 120_000,
      ...rest
    } = isRecord(options) ? options : ({} as ReconcileOptions);
    const problem = keyProblem(idempotencyKey);
    const issues: Issue[] = pollIssues({ interval, timeout, signal: rest.signal });
    if (problem !== undefined) issues.push({ path: 'options.idempotencyKey', message: problem });
    const body = snapshot(payment, issues);
    const fixed = {
      ...rest,
      ...(snapshot({ headers: rest.headers, extraBody: rest.extraBody }, issues) as CallOptions),
    };
    if (issues.length > 0) {
      const key = problem === undefined ? idempotencyKey : undefined;
      throw new ValidationError('payments.reconcile', issues, key);
    }
    const ask = async (remaining: number): Promise<Step<Payment>> => {
      try {
        const call = {
          ...fixed,
          idempotencyKey,
          maxRetries: 0,
          timeout: Math.min(remaining, this.#transport.timeout),
        };
        return {
          answer: await this.#transport.call<Payment>('payments.create', { body, resumes: true }, call),
        };
      } catch (error) {
        if (!isPaymentPlatformError(error) || !mayChange(error)) throw error;
        return { error, wait: error.retryAfter === undefined ? undefined : error.retryAfter * 1000 };
      }
    };
    return poll(
      'payments.reconcile',
      { interval, timeout, signal: rest.signal },
      { outcome: 'unknown', idempotencyKey },
      ask,
    );
  }
}
