import type { PaymentPlatform } from '../client.js';
import { checkBody } from '../contract/read-value.js';
import { createWithdrawalOperation } from '../contract/submerchants/operations.js';
import type { CreatedWithdrawal } from '../contract/submerchants/types.js';
import { undefinedIssues } from '../contract/undefined-fields.js';
import { ValidationError } from '../errors/usage.js';
import { shownName } from '../validation/closest-name.js';
import { bindMethods } from '../validation/methods.js';
import { isRecord, objectProblem } from '../validation/record.js';
import {
  type DurableRequestOptions,
  DurableRequests,
  type EnqueueRequestOptions,
  type RecordRequestOptions,
  RequestEngine,
  type SettledRequest,
} from './durable-requests.js';
import type { DurableRecord } from './recorded-request.js';
import type { RequestKind } from './request-settler.js';
import { dismissed } from './transitions.js';

interface Payload {
  readonly body: Readonly<Record<string, unknown>>;
}

type Withdrawals = Pick<PaymentPlatform['submerchants']['withdrawals'], 'create'>;

const withdrawalKind = (withdrawals: Withdrawals): RequestKind<Payload, CreatedWithdrawal> => ({
  noun: 'withdrawal',
  scope: ':withdrawals',
  canRepeat: false,
  namesRecord: true,
  atOnce: 1_000,
  effect: 'the money can be paid out',
  mayExist:
    'The recorded withdrawal may exist. A new key pays out again, so find out on the platform whether it does.',
  advice: [
    createWithdrawalOperation.adviceIfUnknown,
    'The withdrawal may exist. Nothing more is sent: ask the platform, and then call confirm or dismiss.',
  ],
  send: (payload, _, timeout) => withdrawals.create({ ...payload.body }, { timeout, maxRetries: 0 }),
  show: ({ body }) => body,
  // The API docs name a numeric id and no shape, so the response can be the number.
  findId: ({ withdraw_id, value }) => [withdraw_id, value].map(String).find((id) => /^\d+$/.test(id)),
  reduce: ({ withdraw_id, value, status }) => ({ withdraw_id, value, status }),
});

/**
 * Withdrawals that survive a crash. The SDK records each withdrawal before it sends the first byte. The API
 * docs describe neither an idempotency key nor a list of withdrawals, so a withdrawal whose outcome is unknown
 * becomes `in_doubt`, and a person decides.
 */
export class DurableWithdrawals<Transaction = never> extends DurableRequests<
  Transaction,
  Payload,
  CreatedWithdrawal
> {
  readonly #engine: RequestEngine<Transaction, Payload, CreatedWithdrawal>;

  constructor(
    platform: { readonly submerchants: { readonly withdrawals: Withdrawals } } & Pick<
      PaymentPlatform,
      'merchant'
    >,
    options: DurableRequestOptions<Transaction, CreatedWithdrawal>,
  ) {
    const { withdrawals } = platform?.submerchants ?? {};
    const merchant = withdrawals && platform.merchant;
    const engine = new RequestEngine(
      'createDurableWithdrawals',
      withdrawalKind(withdrawals),
      merchant,
      options,
    );
    super(engine);
    this.#engine = engine;
    bindMethods(this);
  }

  /**
   * Records and sends a withdrawal. A later call with the same key and body returns the recorded result, or sends a
   * withdrawal that was certainly not executed. It sends none that may have been executed.
   *
   * @param body as for `submerchants.withdrawals.create`
   * @throws ValidationError, which names the broken rules. Nothing was recorded.
   * @throws IdempotencyConflictError if the key was recorded with another body. Nothing was sent.
   * @throws DurableRequestError if the withdrawal is not settled, or if the store failed. Check `record.state`.
   */
  create(body: object, options: RecordRequestOptions): Promise<SettledRequest<CreatedWithdrawal>> {
    return this.#engine.create(() => readBody(body), options);
  }

  /**
   * Records a withdrawal in your database transaction, so that `run` or `settle` can send it later.
   *
   * @throws ValidationError, IdempotencyConflictError, DurableRequestError, or a `StoreError` with `client`
   */
  enqueue(
    body: object,
    options: EnqueueRequestOptions<Transaction>,
  ): Promise<DurableRecord<CreatedWithdrawal>> {
    return this.#engine.enqueue(() => readBody(body), options);
  }

  /**
   * Settles a withdrawal in doubt that a person found on the platform. Returns false if the withdrawal is not in
   * doubt, or if the key has no record.
   *
   * @param withdrawal its id and status, if you know them. They cannot be added later.
   */
  async confirm(
    key: string,
    withdrawal: Pick<CreatedWithdrawal, 'withdraw_id' | 'status'> = {},
  ): Promise<boolean> {
    const problem = confirmationProblem(withdrawal);
    if (problem !== undefined)
      throw new ValidationError('durable withdrawals, confirm', [{ path: 'withdrawal', message: problem }]);
    return this.#engine.rows.change(key, isInDoubt, (row) => this.#engine.settler.confirmed(row, withdrawal));
  }

  /**
   * Ends a withdrawal in doubt that a person did not find on the platform, as `failed`. `retry` sends it again.
   * Returns false if the withdrawal is not in doubt, or if the key has no record.
   */
  dismiss(key: string): Promise<boolean> {
    return this.#engine.rows.change(key, isInDoubt, dismissed);
  }
}

const isInDoubt = ({ state }: { readonly state: string }) => state === 'in_doubt';

function confirmationProblem(withdrawal: unknown): string | undefined {
  const problem = objectProblem(withdrawal);
  if (problem !== undefined || !isRecord(withdrawal)) return problem ?? 'must be an object';
  const { withdraw_id: id, status } = withdrawal;
  const unknown = Object.keys(withdrawal).find((name) => name !== 'withdraw_id' && name !== 'status');
  if (unknown !== undefined) return `has the unknown field ${shownName(unknown)}. Use withdraw_id and status`;
  if (status !== undefined && typeof status !== 'string') return 'must have a status that is a string';
  const isId =
    typeof id === 'number' ? Number.isSafeInteger(id) && id > 0 : /^[1-9]\d{0,29}$/.test(String(id));
  return id === undefined || (isId && !Array.isArray(id)) ? undefined : 'must have the integer withdraw_id';
}

function readBody(body: unknown) {
  const { value, issues: invalid } = checkBody(body);
  const issues = invalid.length > 0 ? invalid : undefinedIssues(body);
  const problem = objectProblem(value);
  if (issues.length > 0 || problem === undefined)
    return { payload: { body: value as Payload['body'] }, issues };
  return { issues: [{ path: 'body', message: problem }] };
}
