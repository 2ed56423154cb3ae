import type { CreatedWithdrawal, Withdrawal } from '../contract/submerchants/types.js';
import type { CallOptions } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Withdrawals of sub-accounts. */
export class Withdrawals {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a withdrawal (API document, Withdrawals). The fields of the body are undocumented: it is sent as
   * given.
   *
   * No idempotency key is documented for it, so it is never retried automatically: after an `unknown`
   * outcome, find out what was paid before you send it again.
   */
  create(body: object, options?: CallOptions): Promise<CreatedWithdrawal> {
    return this.#transport.call('submerchants.withdrawals.create', { body }, options);
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
