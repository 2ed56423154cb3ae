import type { PaymentRow } from '../stores/payment-row.js';
import type { Kind } from './kind.js';
import type { ResolvedOptions } from './options.js';
import type { DurableRecord } from './recorded-request.js';
import { toRecordedRequest } from './recorded-request.js';
import { requestNotSettled } from './request-error.js';
import { Settler } from './settler.js';
import { settled } from './transitions.js';

export interface RequestKind<Payload, Result extends object> extends Kind {
  /** @param timeout milliseconds */
  send(payload: Payload, key: string, timeout: number): Promise<Result>;
  findId(result: Result): string | undefined;
  show(payload: Payload): object;
  reduce(result: Result): object;
}

/** Settles withdrawals and registrations, whose results never change once they are known. */
export class RequestSettler<Transaction, Payload extends object, Result extends object> extends Settler<
  Transaction,
  Payload,
  Result,
  DurableRecord<Result>
> {
  readonly #kind: RequestKind<Payload, Result>;

  constructor(kind: RequestKind<Payload, Result>, options: ResolvedOptions<Transaction>) {
    super(kind, options);
    this.#kind = kind;
  }

  override async toRecord(row: PaymentRow): Promise<DurableRecord<Result>> {
    return { ...toRecordedRequest(row), result: await this.codec.readResult(row) };
  }

  override async settle(row: PaymentRow, result: Result): Promise<PaymentRow> {
    const change = await this.settled(row, result);
    const present = await this.move(row, change);
    if (present.state !== 'settled')
      return present.revision === row.revision ? present : this.settle(present, result);
    if (present.paymentId !== change.paymentId) {
      const message = `The ${this.kind.noun} ${row.key} was executed, and had been settled with another response. The recorded one is kept. Compare both with the platform.`;
      this.report(new Error(message), { during: 'conflict', key: row.key });
    }
    return present;
  }

  /** If this process cannot decrypt the row, it would encrypt the result with a wrong key. */
  async confirmed(row: PaymentRow, result: Result) {
    if ((await this.codec.readPayload(row)) === 'unreadable') throw this.unreadable(row);
    return this.settled(row, result);
  }

  async settled(row: PaymentRow, result: Result) {
    const known = row.payload === null ? this.#kind.reduce(result) : result;
    return settled(row, await this.codec.encodeResult(row, known), this.#kind.findId(result) ?? null, false);
  }

  protected override async reduceResult(row: PaymentRow): Promise<string | null> {
    const result = await this.codec.readResult(row);
    if (row.payment !== null && result === undefined) throw this.unreadable(row);
    return result === undefined ? null : this.codec.encodeResult(row, this.#kind.reduce(result));
  }

  protected override show(payload: Payload): object {
    return this.#kind.show(payload);
  }

  protected override findId(result: Result): string | undefined {
    return this.#kind.findId(result);
  }

  protected override send({ key }: PaymentRow, payload: Payload, within: number): Promise<Result> {
    return this.#kind.send(payload, key, Math.ceil(Math.min(this.options.timeout, within)));
  }

  protected override async endedWithoutHook(row: PaymentRow): Promise<Error> {
    return requestNotSettled(this.#kind, await this.toRecord(row));
  }
}
