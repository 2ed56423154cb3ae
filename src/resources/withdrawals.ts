import type { CreatedWithdrawal, Withdrawal } from '../contract/submerchants/types.js';
import type { CallOptions } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';
import { bindMethods } from '../validation/bind-methods.js';

/** Withdrawals of sub-accounts. */
export class Withdrawals {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Creates a withdrawal (API docs, Withdrawals). The body's fields are undocumented, so it is sent unchanged. The
   * shape of the response is also undocumented: any readable JSON is returned, and a value that is neither an
   * object nor a list is returned as `value`. If you know the fields, pass their type as `Result`.
   *
   * No idempotency key is documented for it, so it is never retried automatically. After an `unknown` outcome, find
   * out whether the money was paid before you create it again.
   */
  create<Result extends object = CreatedWithdrawal>(body: object, options?: CallOptions): Promise<Result> {
    return this.#transport.call('submerchants.withdrawals.create', { body }, options) as Promise<Result>;
  }

  /**
   * Reads a withdrawal of a sub-account of this merchant (API docs, Withdrawals).
   *
   * @param withdrawId the integer that `create` returned as `withdraw_id`, or a string of its digits.
   * @throws NotFoundError for a withdrawal of another account.
   */
  retrieve(withdrawId: number | string, options?: CallOptions): Promise<Withdrawal> {
    return this.#transport.call('submerchants.withdrawals.retrieve', { params: { withdrawId } }, options);
  }
}
