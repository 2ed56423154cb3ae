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
   * Creates a withdrawal (API document, Withdrawals). The fields of the body are undocumented: it is sent as
   * given. The shape of the answer is undocumented as well: whatever readable JSON comes is delivered, anything
   * but an object or a list as `value`. If you know its fields, give their type as `Result`.
   *
   * No idempotency key is documented for it, so it is never retried automatically: after an `unknown`
   * outcome, find out what was paid before you send it again.
   */
  create<Result extends object = CreatedWithdrawal>(body: object, options?: CallOptions): Promise<Result> {
    return this.#transport.call('submerchants.withdrawals.create', { body }, options) as Promise<Result>;
  }

  /**
   * Reads a withdrawal of a sub-account of this merchant (API document, Withdrawals).
   *
   * @param withdrawId the integer that `create` returned as `withdraw_id`, or a string of its digits.
   * @throws NotFoundError for a withdrawal of another account.
   */
  retrieve(withdrawId: number | string, options?: CallOptions): Promise<Withdrawal> {
    return this.#transport.call('submerchants.withdrawals.retrieve', { params: { withdrawId } }, options);
  }
}
