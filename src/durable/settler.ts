import {
  isErasable,
  isFinal,
  isKnownFormat,
  type PaymentRow,
  type RowChange,
  rowVersion,
} from '../stores/payment-row.js';
import type { Kind } from './kind.js';
import type { DurableFailure, Hook, ResolvedOptions } from './options.js';
import { keepContext } from './own-context.js';
import { RowCodec, unreadableData } from './payload.js';
import { parseObject } from './recorded-request.js';
import {
  afterDamage,
  afterDeadline,
  afterDoubt,
  afterFailure,
  afterResponseWithoutId,
  afterStandstill,
  afterUnreadablePayload,
} from './transitions.js';

/** `heldSince` is the value of `performance.now()` just before the row was claimed or read. */
export interface HeldRow {
  readonly row: PaymentRow;
  readonly heldSince: number;
}

/**
 * The store's clock measures the time until the row was read. This process's monotonic clock measures the
 * time since then.
 */
export const timeLeft = ({ row, heldSince }: HeldRow, end: number = row.deadline): number =>
  end - row.now - (performance.now() - heldSince);

export interface Attempted<Result> {
  readonly row: PaymentRow;
  /** The result from the response, even if the store could not save it. */
  readonly result?: Result | undefined;
  readonly error?: unknown;
}

/** The part of a settler whose methods take no payload, so it is the same for every kind. */
export type Attempts<Transaction, Result extends object, Recorded> = Pick<
  Settler<Transaction, never, Result, Recorded>,
  'kind' | 'toRecord' | 'showPayload' | 'erase' | 'claim' | 'attempt' | 'report' | 'reportForeign'
>;

export abstract class Settler<Transaction, Payload extends object, Result extends object, Recorded> {
  readonly codec: RowCodec<Payload, Result>;
  readonly kind: Kind;
  protected readonly options: ResolvedOptions<Transaction>;
  /** Nobody waits for a hook, so it must not find the caller's transaction, which can end before. */
  readonly #inOwnContext = keepContext();
  #hasReportedForeign = false;
  #nextCount = 0;

  constructor(kind: Kind, options: ResolvedOptions<Transaction>) {
    this.kind = kind;
    this.options = options;
    this.codec = new RowCodec(options.sealer, kind.scope);
  }

  abstract toRecord(row: PaymentRow): Promise<Recorded>;

  /** Returns the part of a payload that a person may see: no secrets, and no bytes of files. */
  protected abstract show(payload: Payload): object;

  async showPayload(row: PaymentRow): Promise<object | undefined> {
    if (row.payload === null) return undefined;
    const payload = await this.codec.readPayload(row);
    if (payload === 'unreadable') throw this.unreadable(row);
    if (payload === 'changed')
      throw new Error(`The stored payload of the ${this.kind.noun} ${row.key} is not the recorded one.`);
    return this.show(payload);
  }

  /** Stores a result from a response, whichever process holds the row, because what exists is settled. */
  abstract settle(row: PaymentRow, result: Result): Promise<PaymentRow>;

  /** Erases the payload of a settled or failed row, and reduces its result. Returns false for any other row. */
  async erase(row: PaymentRow): Promise<boolean> {
    if (!isErasable(row.state) || !isKnownFormat(row)) return false;
    return this.options.store.erase(row, await this.reduceResult(row));
  }

  /** Returns the part of a row's result that is not personal, as a store keeps it. */
  protected abstract reduceResult(row: PaymentRow): Promise<string | null>;

  protected abstract findId(result: Result): string | undefined;

  /** `within` is in milliseconds. */
  protected abstract send(row: PaymentRow, payload: Payload, within: number): Promise<Result>;

  protected compare(_row: PaymentRow, _payload: Payload, _result: Result): void {}

  protected abstract endedWithoutHook(row: PaymentRow): Promise<Error>;

  /**
   * The lease counts from just before the store's query, by a monotonic clock. A process that was suspended
   * after the query therefore notices that it no longer holds the row.
   */
  async claim(limit: number, key?: string): Promise<readonly HeldRow[]> {
    const { store, lease } = this.options;
    const heldSince = performance.now();
    const rows = await store.claim({ lease, limit, version: rowVersion, key });
    return rows.map((row) => ({ row, heldSince }));
  }

  /** Never rejects: a failing store is reported. `isThrown`: the caller throws a final failure. */
  async attempt(held: HeldRow, isThrown = false): Promise<Attempted<Result>> {
    const work = () => this.#attempt(held);
    const attempted = await (this.options.telemetry?.durable.attempt(held.row, work) ?? work());
    // Without a report, a doubt that its caller ignores would be found only by counting.
    if (!isThrown || attempted.row.state === 'in_doubt') await this.#reportEnd(attempted.row);
    return attempted;
  }

  async #reportEnd(row: PaymentRow): Promise<void> {
    if (isFinal(row.state) && row.state !== 'settled' && this.#hook(row.state) === undefined)
      this.report(await this.endedWithoutHook(row), { during: 'send', key: row.key });
  }

  async #attempt(held: HeldRow): Promise<Attempted<Result>> {
    const { row } = held;
    const { canRepeat } = this.kind;
    // A row with a result was settled before, so somebody has changed its state by hand.
    if (!canRepeat && (row.inDoubt || row.payment !== null))
      return this.#ending(row, () => this.move(row, afterDoubt(row)));
    const payload = await this.codec.readPayload(row);
    if (payload === 'changed') return this.#ending(row, () => this.move(row, afterDamage(row)));
    // Nothing is awaited between these checks and the call. The call checks its own deadline before its first
    // byte.
    const pursuedFor = timeLeft(held);
    if (pursuedFor <= 0) return this.#ending(row, () => this.move(row, afterDeadline(row)));
    if (payload === 'unreadable') {
      this.report(this.unreadable(row), { during: 'read', key: row.key });
      return this.#ending(row, () => this.move(row, afterUnreadablePayload(row, this.options)));
    }
    const { lease, timeout } = this.options;
    // A process that stood still after its claim has too little of the lease left for a request. Half of a short
    // lease suffices, because the claim itself takes time.
    const leaseLeft = lease - (performance.now() - held.heldSince);
    if (leaseLeft < Math.min(timeout, lease / 2)) {
      this.report(new Error(this.#stoodStill(row)), { during: 'claim', key: row.key });
      return this.#ending(row, () => this.move(row, afterStandstill(row)));
    }
    try {
      const result = await this.send(row, payload, Math.min(pursuedFor, leaseLeft));
      if (this.findId(result) === undefined) {
        const change = afterResponseWithoutId(row, this.options, this.kind);
        return await this.#ending(row, () => this.move(row, change));
      }
      this.compare(row, payload, result);
      const ended = await this.#ending(row, () => this.settle(row, result), { result });
      // A notification may have settled the row with another payment in the meantime.
      const isOther = ended.row.state === 'settled' && ended.row.paymentId !== (this.findId(result) ?? null);
      return isOther ? { row: ended.row } : ended;
    } catch (error) {
      return this.#ending(row, () => this.move(row, afterFailure(row, error, this.options, this.kind)), {
        error,
      });
    }
  }

  /** If the store fails, the error is reported, and a process claims the row again after the lease. */
  async #ending(
    row: PaymentRow,
    move: () => Promise<PaymentRow>,
    ended: Omit<Attempted<Result>, 'row'> = {},
  ): Promise<Attempted<Result>> {
    try {
      return { row: await move(), ...ended };
    } catch (error) {
      this.report(error, { during: 'update', key: row.key });
      return { row, ...ended };
    }
  }

  /**
   * The due rows of other merchants are sent only by a process with their client. Looks for them at most once
   * per minute, because counting reads every open row.
   */
  async reportForeign(): Promise<void> {
    if (this.#hasReportedForeign || performance.now() < this.#nextCount) return;
    this.#nextCount = performance.now() + countInterval;
    try {
      const foreign = (await this.options.store.counts()).find(({ state }) => state === 'foreign');
      if (foreign === undefined) return;
      this.#hasReportedForeign = true;
      this.report(new Error(foreignRows(foreign.count, this.kind)), { during: 'foreign' });
    } catch {
      // The claim reports a failing store.
    }
  }

  report(error: unknown, failure: DurableFailure): void {
    const run = async () => this.options.onError(error, failure);
    this.#inOwnContext(run).catch(() => undefined);
  }

  /** If another process changed the row first, changes nothing and returns the current row. */
  protected async move(row: PaymentRow, next: RowChange, transaction?: Transaction): Promise<PaymentRow> {
    const { store } = this.options;
    const { dueIn, ...fields } = next;
    if (!(await store.update(row, next, transaction))) return (await store.find(row.key, transaction)) ?? row;
    const dueAt = dueIn === null ? null : row.now + dueIn;
    const moved = { ...row, ...fields, revision: row.revision + 1, dueAt };
    if (moved.state === 'blocked') await this.#reportBlocked(row, moved);
    await this.#callHook(row, moved);
    return moved;
  }

  async #reportBlocked(before: PaymentRow, after: PaymentRow): Promise<void> {
    const { key } = after;
    const reason = reasonIn(after);
    if (reasonIn(before) === reason) return;
    const { onBlocked } = this.options;
    if (onBlocked !== undefined) await this.#call(onBlocked, after);
    else this.report(new Error(blocked(key, reason, this.kind)), { during: 'send', key });
  }

  async #callHook(before: PaymentRow, after: PaymentRow): Promise<void> {
    if (after.state === before.state || !isFinal(after.state)) return;
    this.options.telemetry?.durable.ended(after);
    const hook = this.#hook(after.state);
    if (hook !== undefined) await this.#call(hook, after);
  }

  async #call(hook: Hook, row: PaymentRow): Promise<void> {
    const record = await this.toRecord(row);
    const run = async () => hook(record as never);
    this.#inOwnContext(run).catch((error: unknown) => this.report(error, { during: 'hook', key: row.key }));
  }

  #hook(state: 'settled' | 'failed' | 'given_up' | 'in_doubt'): Hook | undefined {
    const { onSettled, onFailed, onGivenUp, onInDoubt } = this.options;
    return { settled: onSettled, failed: onFailed, given_up: onGivenUp, in_doubt: onInDoubt }[state];
  }

  #stoodStill = ({ key }: PaymentRow) =>
    `The ${this.kind.noun} ${key} was not sent, because this process stood still until its lease was nearly over. Another attempt follows.`;

  protected unreadable({ key }: PaymentRow): Error {
    return unreadableData(this.kind.noun, key);
  }
}

/** In milliseconds. */
const countInterval = 60_000;

const foreignRows = (count: number, { noun }: Kind) =>
  `${count} due ${noun}s in the table belong to another base address or client id, so this client does not send them. Run a process with their client, or call adopt if the credentials or the address were changed.`;

function reasonIn({ error }: PaymentRow): string {
  const { status, code } = parseObject(error) ?? {};
  return String(status ?? code);
}

const blocked = (key: string, reason: string, { noun }: Kind) =>
  `The platform rejected the ${noun} ${key} with ${reason}, because the credentials, the products, the address or the method are wrong. Nothing was executed. Repair the configuration. The SDK sends the ${noun} again until giveUpAfter.`;
