import type {
  CreatedWithdrawal,
  CreateSubmerchant,
  UpdateSubmerchant,
  Withdrawal,
} from '../contract/submerchants/types.js';
import type { CallOptions } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';
import { bindMethods } from '../validation/methods.js';

/** The merchant's sub-accounts, and their withdrawals. */
export class Submerchants {
  /** Withdrawals of sub-accounts. */
  readonly withdrawals: Withdrawals;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
    this.withdrawals = new Withdrawals(transport);
  }

  /**
   * Creates a sub-account (API docs, POST /v1/submerchants) with a multipart form. Only `documentNumber`,
   * `documentType` and `phone` are documented. The SDK also sends other fields: objects as JSON strings, and
   * bytes, Blobs, streams or `file:` URLs as files. The SDK never reads a string as a file path.
   *
   * The platform requires a UUID v4 as the idempotency key. If you pass no `idempotencyKey`, the SDK
   * generates one, and `responseOf(result).idempotencyKey` returns it. If you send the same key and form
   * again, the platform returns the same response. The response's shape is undocumented, so the SDK returns
   * any JSON object. Rate limit: 10 requests per minute, or 5 according to
   * an earlier statement.
   *
   * @throws ValidationError, which names the broken rules and unreadable files. Nothing was sent.
   * @throws IdempotencyConflictError for a 409. If the outcome is `not-executed`, the key was used with another form.
   * @example
   * ```ts
   * const created = await platform.submerchants.create({
   *   documentNumber: '11.222.333/0001-81',
   *   documentType: 'cnpj',
   *   phone: '+5511912345678',
   * });
   * const { idempotencyKey } = responseOf(created);
   * ```
   */
  create<Result extends object = Record<string, unknown>>(
    form: CreateSubmerchant,
    options?: CallOptions,
  ): Promise<Result> {
    return this.#transport.call('submerchants.create', { form }, options) as Promise<Result>;
  }

  /**
   * Changes a sub-account's registration data (API docs, PATCH /v1/submerchants/{internalId}). Pass only the
   * fields that you want to change. This method cannot change the status or bank data. The shape of the
   * response is undocumented.
   *
   * @param internalId The sub-account's UUID.
   * @throws ValidationError, RateLimitError, … The API docs describe no response to an unknown sub-account; the
   * sandbox responds with 404.
   */
  update<Result extends object = Record<string, unknown>>(
    internalId: string,
    changes: UpdateSubmerchant,
    options?: CallOptions,
  ): Promise<Result> {
    const args = { params: { internalId }, body: changes };
    return this.#transport.call('submerchants.update', args, options) as Promise<Result>;
  }
}

/** Withdrawals of sub-accounts. */
export class Withdrawals {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Creates a withdrawal (API docs, Withdrawals). The fields of the body are undocumented, so the SDK sends
   * the body unchanged. The shape of the response is also undocumented, so the SDK returns any readable JSON.
   * If the JSON is neither an object nor a list, the SDK returns it as `value`. If you know the response's
   * fields, pass their type as `Result`.
   *
   * The API docs describe no idempotency key for withdrawals, so the SDK retries the call
   * only after a failed connection, a 429 or a rejected access token. Before you create the withdrawal again after an `unknown` outcome,
   * find out whether the money was paid out.
   */
  create<Result extends object = CreatedWithdrawal>(body: object, options?: CallOptions): Promise<Result> {
    return this.#transport.call('submerchants.withdrawals.create', { body }, options) as Promise<Result>;
  }

  /**
   * Reads a withdrawal from one of this merchant's sub-accounts (API docs, Withdrawals).
   *
   * @param withdrawId the integer that `create` returned as `withdraw_id`, or the same integer as a string.
   * @throws NotFoundError if the withdrawal belongs to another account.
   */
  retrieve<Extra extends object = object>(
    withdrawId: number | string,
    options?: CallOptions,
  ): Promise<Withdrawal & Extra> {
    return this.#transport.call(
      'submerchants.withdrawals.retrieve',
      { params: { withdrawId } },
      options,
    ) as Promise<Withdrawal & Extra>;
  }
}
