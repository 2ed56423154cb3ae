import type { CreatePayment } from '../contract/payment-request.js';
import type { BoletoFile, Payment } from '../contract/payments.js';
import { isPaymentPlatformError } from '../errors/base.js';
import { type Issue, ValidationError } from '../errors/usage.js';
import { isRecord, readFields, unreadable } from '../input/record.js';
import { mayChange } from '../polling/may-change.js';
import { Answered, poll, pollIssues, type Step } from '../polling/poll.js';
import type { Deadline } from '../transport/deadline.js';
import { type CallOptions, unknownOption } from '../transport/prepare/call-options.js';
import { keyProblem } from '../transport/prepare/idempotency-key.js';
import { snapshot } from '../transport/prepare/snapshot.js';
import type { Transport } from '../transport/transport.js';

/** How `payments.reconcile` asks. */
export interface ReconcileOptions extends Pick<CallOptions, 'signal' | 'headers' | 'auth' | 'extraBody'> {
  /** The key of the call whose outcome is unknown: `error.idempotencyKey`. */
  idempotencyKey: string;
  /** Milliseconds before the second question; each further wait grows by half. Default 2000. */
  interval?: number | undefined;
  /** Milliseconds for all of it. Default 120000. */
  timeout?: number | undefined;
}

const reconcileOptions = [
  'idempotencyKey',
  'interval',
  'timeout',
  'signal',
  'headers',
  'auth',
  'extraBody',
] as const;

/** The options of `reconcile`, each read once, with what is wrong with them added to `issues`. */
function readOptions(given: unknown, issues: Issue[]): ReconcileOptions {
  const read = isRecord(given) ? readFields(given, reconcileOptions) : undefined;
  if (read === undefined) {
    if (isRecord(given)) issues.push({ path: 'options', message: unreadable });
    return {} as ReconcileOptions;
  }
  for (const name of read.unknown) issues.push(unknownOption(name, reconcileOptions));
  return read.fields as unknown as ReconcileOptions;
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
  async reconcile(payment: CreatePayment, options: ReconcileOptions): Promise<Payment> {
    const issues: Issue[] = [];
    const {
      idempotencyKey,
      interval = 2_000,
      timeout = 120_000,
      signal,
      auth,
      ...data
    } = readOptions(options, issues);
    const problem = keyProblem(idempotencyKey);
    issues.push(...pollIssues({ interval, timeout, signal }));
    if (problem !== undefined) issues.push({ path: 'options.idempotencyKey', message: problem });
    const body = snapshot(payment, issues);
    const fixed = { signal, auth, ...(snapshot(data, issues) as CallOptions) };
    if (issues.length > 0) {
      const key = problem === undefined ? idempotencyKey : undefined;
      throw new ValidationError('payments.reconcile', issues, key);
    }
    const ask = async (deadline: Deadline): Promise<Step<Payment>> => {
      try {
        const call = {
          ...fixed,
          idempotencyKey,
          maxRetries: 0,
          timeout: Math.max(1, Math.min(deadline.remaining, this.#transport.timeout)),
        };
        const input = { body, resumes: true };
        return new Answered(await this.#transport.call<Payment>('payments.create', input, call));
      } catch (error) {
        if (!isPaymentPlatformError(error) || !mayChange(error)) throw error;
        return { error, wait: error.retryAfter === undefined ? undefined : error.retryAfter * 1000 };
      }
    };
    return poll(
      'payments.reconcile',
      { interval, timeout, signal },
      { outcome: 'unknown', idempotencyKey },
      ask,
    );
  }
}
