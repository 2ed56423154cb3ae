import { IllegalTransitionError } from '../arguments/control-errors.js';
import { type WithdrawalStatus, withdrawalTransitions } from '../defaults/transitions.js';
import type { Sequence } from '../state/sequence.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';

/** A withdrawal in the sandbox. */
export interface WithdrawalRecord {
  /** An integer. The first id depends on the seed, and each following id is higher by one. */
  readonly withdraw_id: number;
  /** `pending`, `completed` or `failed`. */
  readonly status: WithdrawalStatus;
  /** UUID of the sub-account. */
  readonly internalId: string;
  /** In cents. */
  readonly amount: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export class Withdrawals {
  readonly #records: Table<WithdrawalRecord>;
  readonly #clock: Clock;
  readonly #ids: Sequence;

  constructor(clock: Clock, ids: Sequence, tables: TableFactory) {
    this.#records = tables.table('withdrawals');
    this.#clock = clock;
    this.#ids = ids;
  }

  list(): WithdrawalRecord[] {
    return [...this.#records.values()];
  }

  find(id: number): WithdrawalRecord | undefined {
    return this.#records.get(String(id));
  }

  add(internalId: string, amount: number): WithdrawalRecord {
    return this.#keep({
      withdraw_id: this.#ids.next(),
      status: 'pending',
      internalId,
      amount,
      createdAt: this.#clock.timestamp(),
    });
  }

  /** @throws IllegalTransitionError if the withdrawal is not pending */
  end(record: WithdrawalRecord, end: keyof typeof withdrawalTransitions): WithdrawalRecord {
    if (record.status !== 'pending') {
      throw new IllegalTransitionError(
        `Withdrawal ${record.withdraw_id} is ${record.status}: "${end}" takes one that is pending.`,
        record.status,
        [],
      );
    }
    return this.#keep({ ...record, status: withdrawalTransitions[end].to });
  }

  #keep(record: WithdrawalRecord): WithdrawalRecord {
    return this.#records.set(String(record.withdraw_id), Object.freeze(record));
  }
}
