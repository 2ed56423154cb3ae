import { type ColumnValues, toRow } from './payment-columns.js';
import type { NewRow, PaymentRow, RowChange } from './payment-row.js';
import type { Claim, PaymentStore, RowFilter, RowId, StateCount } from './payment-store.js';
import type { PaymentStatements } from './payments-sql.js';

export abstract class SqlPayments<Transaction> implements PaymentStore<Transaction> {
  protected abstract readonly sql: PaymentStatements;

  protected abstract ask(
    text: string,
    values: unknown[],
    transaction?: Transaction,
  ): Promise<readonly ColumnValues[]>;

  insert(row: NewRow, transaction?: Transaction): Promise<PaymentRow | undefined> {
    return this.insertIf(row, [], transaction);
  }

  protected async insertIf(
    row: NewRow,
    conditions: unknown[],
    transaction?: Transaction,
  ): Promise<PaymentRow | undefined> {
    const { merchant, key, version, state, reference, digest, payload, attempts } = row;
    const times = [row.dueIn, row.deadlineIn, row.refreshIn];
    const values = [
      merchant,
      key,
      version,
      state,
      reference,
      digest,
      payload,
      attempts,
      ...times,
      ...conditions,
    ];
    return (await this.#rows(this.sql.insert, values, transaction))[0];
  }

  async find(merchant: string, key: string, transaction?: Transaction): Promise<PaymentRow | undefined> {
    return (await this.#rows(this.sql.find, [merchant, key], transaction))[0];
  }

  findByPayment(
    merchant: string,
    paymentId: string,
    reference: string | undefined,
    transaction?: Transaction,
  ): Promise<PaymentRow[]> {
    return this.#rows(this.sql.findByPayment, [merchant, paymentId, reference ?? null], transaction);
  }

  claim({ merchant, lease, limit, version, key }: Claim): Promise<PaymentRow[]> {
    return key === undefined
      ? this.#rows(this.sql.claim, [merchant, lease, version, limit])
      : this.#rows(this.sql.claimKey, [merchant, lease, version, key]);
  }

  update({ merchant, key, revision }: RowId, change: RowChange, transaction?: Transaction): Promise<boolean> {
    const { state, payment, paymentId, error, inDoubt, dueIn, deadlineIn = null } = change;
    const values = [merchant, key, revision, state, payment, paymentId, error, inDoubt, dueIn, deadlineIn];
    return this.#changesOne(this.sql.update, values, transaction);
  }

  erase({ merchant, key, revision }: RowId, reduced: string | null): Promise<boolean> {
    return this.#changesOne(this.sql.erase, [merchant, key, revision, reduced]);
  }

  list({ merchant, state, olderThan = 0, after = '', limit }: RowFilter): Promise<PaymentRow[]> {
    return this.#rows(this.sql.list, [merchant, state ?? null, olderThan, after, limit]);
  }

  listErasable(merchant: string, age: number, limit: number, after?: string): Promise<PaymentRow[]> {
    return after === undefined
      ? this.#rows(this.sql.listErasable, [merchant, age, limit])
      : this.#rows(this.sql.listErasableAfter, [merchant, age, limit, after]);
  }

  async counts(merchant: string): Promise<StateCount[]> {
    const rows = await this.ask(this.sql.counts, [merchant]);
    return rows.map(({ state, count, oldest }) => ({
      state: String(state) as StateCount['state'],
      count: Number(count),
      oldest: Number(oldest),
    }));
  }

  async adopt(merchant: string, former: string): Promise<number> {
    return (await this.ask(this.sql.adopt, [merchant, former])).length;
  }

  async #rows(text: string, values: unknown[], transaction?: Transaction): Promise<PaymentRow[]> {
    return (await this.ask(text, values, transaction)).map(toRow);
  }

  async #changesOne(text: string, values: unknown[], transaction?: Transaction): Promise<boolean> {
    return (await this.ask(text, values, transaction)).length === 1;
  }
}
