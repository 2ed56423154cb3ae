import type { PaymentPlatform } from '../client.js';
import type { Payment } from '../contract/payments/types.js';
import type { DurableFailure, ResolvedOptions } from './options.js';
import { type Payload, RowTexts } from './payload.js';
import { type PaymentRecord, recordOf } from './payment-record.js';
import { isFinal, type PaymentRow, type RowChange } from './payment-row.js';
import {
  afterAnswerWithoutId,
  afterDamage,
  afterDeadline,
  afterFailure,
  afterUnreadable,
  merged,
  settled,
} from './transitions.js';

/** The part of the client that is used. */
export type Payments = Pick<PaymentPlatform['payments'], 'create' | 'reconcile' | 'validate'>;

/** A row and what an attempt of this process ended with. */
export interface Attempted {
  readonly row: PaymentRow;
  /** The payment of the answer, also where the store could not keep it. */
  readonly payment?: Payment | undefined;
  /** Why there is none. */
  readonly error?: unknown;
}

/** Sends the payments of rows, and moves the rows. */
export class Settler<Transaction> {
  readonly texts: RowTexts;
  readonly #payments: Payments;
  readonly #options: ResolvedOptions<Transaction>;

  constructor(payments: Payments, options: ResolvedOptions<Transaction>) {
    this.#payments = payments;
    this.#options = options;
    this.texts = new RowTexts(options.sealer);
  }

  /** Sends the payment of a row that this process holds. It never rejects: a store that fails is reported. */
  attempt(row: PaymentRow): Promise<Attempted> {
    return this.#options.telemetry.attempt(row, () => this.#attempt(row));
  }

  async #attempt(row: PaymentRow): Promise<Attempted> {
    if (row.deadline <= row.now) return this.#ending(row, () => this.#move(row, afterDeadline(row)));
    const payload = await this.texts.readPayload(row);
    if (payload === 'changed') return this.#ending(row, () => this.#move(row, afterDamage(row)));
    if (payload === 'unreadable') {
      this.report(new Error(unreadable(row.key)), { during: 'read', key: row.key });
      return this.#ending(row, () => this.#move(row, afterUnreadable(row, this.#options)));
    }
    try {
      const payment = await this.#send(row, payload);
      if (idOf(payment) === undefined)
        return await this.#ending(row, () => this.#move(row, afterAnswerWithoutId(row, this.#options)));
      return await this.#ending(row, () => this.settle(row, payment), { payment });
    } catch (error) {
      return this.#ending(row, () => this.#move(row, afterFailure(row, error, this.#options)), { error });
    }
  }

  /**
   * Asks for the present state of a settled payment: the same payload with the same key. Without a payload that can
   * be sent, or beyond the time for which the platform is trusted to know the key, the row stays as it is.
   */
  async refresh(row: PaymentRow): Promise<PaymentRow> {
    const payload = row.deadline > row.now ? await this.texts.readPayload(row) : 'changed';
    if (typeof payload === 'string') return row;
    const payment = await this.#send(row, payload);
    return idOf(payment) === undefined ? row : this.settle(row, payment);
  }

  /** Sends the payload with the key of its row. What an earlier attempt may have executed is asked for. */
  #send({ key, inDoubt }: PaymentRow, { payment, extraBody }: Payload): Promise<Payment> {
    const { timeout } = this.#options;
    const options = { idempotencyKey: key, timeout, ...(extraBody && { extraBody: { ...extraBody } }) };
    return inDoubt
      ? this.#payments.reconcile(payment, { ...options, interval: timeout })
      : this.#payments.create(payment, options);
  }

  /** Moves a row at the end of an attempt. If the store fails, the row is taken up again when the lease is over. */
  async #ending(
    row: PaymentRow,
    move: () => Promise<PaymentRow>,
    ended: Omit<Attempted, 'row'> = {},
  ): Promise<Attempted> {
    try {
      return { row: await move(), ...ended };
    } catch (error) {
      this.report(error, { during: 'update', key: row.key });
      return { row, ...ended };
    }
  }

  /**
   * Stores what an answer or a notification says of a payment. It does not check who holds the row: a payment that
   * exists settles the row for every process.
   *
   * @throws what the store throws
   */
  async settle(row: PaymentRow, news: Payment): Promise<PaymentRow> {
    const paymentId = idOf(news) ?? row.paymentId;
    if (row.paymentId !== null && paymentId !== row.paymentId) {
      const both = `${shownId(row.paymentId)} and ${shownId(paymentId)}`;
      this.report(new Error(`Two payments have the key ${row.key}: ${both}. The first one is kept.`), {
        during: 'conflict',
        key: row.key,
      });
      return row;
    }
    const known = await this.texts.readPayment(row);
    // What is kept could be newer: it must not be lost to a process that cannot read it.
    if (row.payment !== null && known === undefined) throw new Error(unreadable(row.key));
    const latest = merged(known, news);
    // Of a row that was erased, no more is kept than then.
    const kept = row.payload === null ? { id: latest.id, status: latest.status } : latest;
    const text = await this.texts.payment(row.key, kept);
    const present = await this.#move(row, settled(row, text, paymentId));
    const isMoved = present.payment === text || present.revision === row.revision;
    return isMoved ? present : this.settle(present, news);
  }

  /** Whether a notification can be about what a row has sent: its amount and method, as far as both are known. */
  async isOf(row: PaymentRow, { amount, paymentMethod }: Partial<Payment>): Promise<boolean> {
    const payload = await this.texts.readPayload(row);
    if (typeof payload === 'string') return false;
    const isSame = (told: unknown, sent: unknown) => told === undefined || told === null || told === sent;
    return isSame(amount, payload.payment.amount) && isSame(paymentMethod, payload.payment.paymentMethod);
  }

  /** Erases what was sent, and of the payment all but its id and status. False if somebody else has changed the row. */
  async erase(row: PaymentRow): Promise<boolean> {
    const payment = await this.texts.readPayment(row);
    if (row.payment !== null && payment === undefined) throw new Error(unreadable(row.key));
    const kept = payment && { id: row.paymentId, status: payment.status };
    const text = kept === undefined ? null : await this.texts.payment(row.key, kept);
    return this.#options.store.erase(row.key, row.revision, text);
  }

  async record(row: PaymentRow): Promise<PaymentRecord> {
    return recordOf(row, await this.texts.readPayment(row));
  }

  /** Calls `onError`. What `onError` itself throws is ignored. */
  report(error: unknown, failure: DurableFailure): void {
    const run = async () => this.#options.onError(error, failure);
    run().catch(() => undefined);
  }

  /** Changes a row, unless somebody else did: then it gives the row as it is by now. */
  async #move(row: PaymentRow, next: RowChange): Promise<PaymentRow> {
    const { store } = this.#options;
    const { dueIn, ...fields } = next;
    if (!(await store.update(row.key, row.revision, next))) return (await store.find(row.key)) ?? row;
    const dueAt = dueIn === null ? null : row.now + dueIn;
    const moved = { ...row, ...fields, revision: row.revision + 1, dueAt };
    await this.#tell(row, moved);
    return moved;
  }

  /** Tells the merchant of a row that has come to a final state. */
  async #tell(before: PaymentRow, after: PaymentRow): Promise<void> {
    if (after.state === before.state || !isFinal(after.state)) return;
    this.#options.telemetry.ended(after);
    const { onSettled, onFailed, onGivenUp } = this.#options;
    const hooks = { settled: onSettled, failed: onFailed, given_up: onGivenUp };
    const hook = hooks[after.state];
    if (hook === undefined) return;
    const record = await this.record(after);
    const run = async () => hook(record);
    run().catch((error: unknown) => this.report(error, { during: 'hook', key: after.key }));
  }
}

const idOf = ({ id }: Payment): string | undefined => (typeof id === 'string' && id !== '' ? id : undefined);

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** An id in the form that the API document shows; another text may be anything. */
const shownId = (id: string | null): string => (id !== null && uuid.test(id) ? id : 'another id');

const unreadable = (key: string) =>
  `What is stored of the payment ${key} is encrypted with a key that this process does not have. Nothing was changed. Give every process the old key and the new one before any of them encrypts with the new one.`;
