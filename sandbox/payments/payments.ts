import { inspect } from '#sandbox-runtime';
import type { Payment } from '../../src/contract/payments/types.js';
import type { Issue } from '../../src/validation/issue.js';
import { isRecord } from '../../src/validation/record.js';
import type { Behaviour } from '../defaults/all.js';
import type { SandboxPaymentStatus, Transition } from '../defaults/transitions.js';
import type { Random } from '../random/random.js';
import { cardOutcomes } from '../scenarios/card-outcomes.js';
import type { SubAccountDirectory } from '../sellers/sub-accounts.js';
import { computePayloadDigest } from '../state/payload-digest.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';
import { hour } from '../time/units.js';
import { computeDigitableLine, defaultDueDate } from './boleto.js';
import type { Ledger } from './ledger.js';
import { methodBehaviours } from './methods.js';
import { buildPayment, findPaymentIssues, type NewPayment, type References } from './new-payment.js';
import {
  endOfUnknown,
  type KeyState,
  type Resolution,
  type Submission,
  type Verdict,
} from './payment-keys.js';
import { chooseFirstStatus, type PaymentRecord, toPayment } from './payment-record.js';
import { getStatusAfter, listLegalTransitions } from './payment-transitions.js';
import { planTransition } from './planned-transition.js';
import { UpsellTokens } from './upsell.js';
import type { Vault } from './vault.js';

interface Parts {
  readonly clock: Clock;
  readonly random: (purpose: string) => Random;
  readonly vault: Vault;
  readonly accounts: SubAccountDirectory;
  readonly behaviour: Behaviour;
  /** The number of the merchant. */
  readonly merchant: number;
  readonly ledger: Ledger;
  readonly tables: TableFactory;
  /** Also called for the first status. */
  readonly onStatus: (record: PaymentRecord) => void;
}

/** Milliseconds between the end of a day in UTC and in Brasília. */
const brasilia = 3 * hour;

/** Every method is synchronous. */
export class Payments {
  readonly #parts: Parts;
  readonly #keys: Table<KeyState>;
  /** Functions that cancel a payment's expiry. */
  readonly #expiries = new Map<string, () => void>();
  readonly #upsells: UpsellTokens;
  readonly #references: References;
  readonly #ids: Random;
  readonly #lines: Random;

  constructor(parts: Parts) {
    const { clock, random, vault, accounts, behaviour, tables } = parts;
    this.#parts = parts;
    this.#keys = tables.table('payment keys');
    this.#ids = random('payments');
    this.#lines = random('boletos');
    this.#upsells = new UpsellTokens(clock, random('upsell tokens'), tables, behaviour.upsell.validFor);
    const dayEndsAfter = behaviour.payments.dueDay === 'brasilia' ? brasilia : 0;
    this.#references = {
      upsells: this.#upsells,
      vault,
      accounts,
      fee: behaviour.fee,
      dayEndsAfter,
      rejectsTokenInstallments: behaviour.payments.tokenInstallments === 'refused',
    };
  }

  find(id: string): PaymentRecord | undefined {
    const record = this.#parts.ledger.find(id);
    return record?.merchant === this.#parts.merchant ? record : undefined;
  }

  show(record: PaymentRecord): Payment {
    return toPayment(
      record,
      record.issued !== undefined && this.#upsells.isValid(this.#upsells.find(record.issued)),
      this.#parts.behaviour.payments,
    );
  }

  /** Schedules the expiries and planned transitions of a restored state. */
  resume(): void {
    this.#expiries.clear();
    for (const record of this.#parts.ledger.records) {
      if (record.merchant !== this.#parts.merchant) continue;
      if (record.status === 'waiting_payment') this.#scheduleExpiry(record);
      this.#schedulePlanned(record);
    }
    for (const { idempotencyKey } of this.unknownKeys()) this.#scheduleEnd(idempotencyKey);
  }

  /** A repeated request must not be validated again, because its upsell token is already used. */
  isRepeat(idempotencyKey: string | undefined): boolean {
    const known = this.#keyState(idempotencyKey)?.state;
    return known === 'created' || known === 'unknown';
  }

  isUnknown(idempotencyKey: string): boolean {
    return this.#keyState(idempotencyKey)?.state === 'unknown';
  }

  createdWith(idempotencyKey: string): string | undefined {
    const known = this.#keyState(idempotencyKey);
    return known?.state === 'created' ? known.paymentId : undefined;
  }

  /** In the order of the attempts. */
  unknownKeys(): { readonly idempotencyKey: string; readonly draft: NewPayment }[] {
    return Array.from(this.#keys.keys()).flatMap((idempotencyKey) => {
      const known = this.#keys.get(idempotencyKey);
      return known?.state === 'unknown' ? [{ idempotencyKey, draft: known.draft }] : [];
    });
  }

  /** The contract's rules find the other problems. */
  issues(body: unknown, idempotencyKey: string | undefined): Issue[] {
    if (this.isRepeat(idempotencyKey)) return [];
    const issues = findPaymentIssues(body, this.#parts.clock.time(), this.#references);
    if (this.#parts.behaviour.payments.uniqueExternalId && this.#hasExternalId(body)) {
      issues.push({ path: 'externalId', message: 'was used by another payment' });
    }
    return issues;
  }

  submit({ request, idempotencyKey, acquirerFails }: Submission): Verdict {
    const digest = idempotencyKey === undefined ? '' : computePayloadDigest(request);
    const known = this.#keyState(idempotencyKey);
    if (known?.state === 'unknown') return { is: 'protected' };
    const existing = known?.state === 'created' ? this.find(known.paymentId) : undefined;
    if (known?.state === 'created' && existing !== undefined) {
      if (known.digest !== digest) return { is: 'key-reused' };
      return { is: 'replayed', payment: this.show(existing) };
    }
    const draft = buildPayment(request, this.#references);
    const isUnknown = draft.decision !== undefined && cardOutcomes[draft.decision].first === 'unknown';
    if (acquirerFails || (isUnknown && known === undefined)) {
      if (idempotencyKey !== undefined) {
        this.#spend(draft, true);
        const end = endOfUnknown(draft);
        const endsAt = end && this.#parts.clock.time() + end.after;
        this.#keys.set(idempotencyKey, {
          state: 'unknown',
          digest,
          draft,
          ...(endsAt !== undefined && { endsAt }),
        });
        this.#scheduleEnd(idempotencyKey);
      }
      return { is: 'unknown' };
    }
    return { is: 'created', payment: this.show(this.#create(draft, idempotencyKey, digest)) };
  }

  resolve(idempotencyKey: string, resolution: Resolution): void {
    const known = this.#keys.get(idempotencyKey);
    if (known?.state !== 'unknown') {
      throw new Error(
        `No payment is left to resolve: none with the idempotency key "${idempotencyKey}" has an unknown outcome.`,
      );
    }
    if (resolution === 'created') {
      this.#create(known.draft, idempotencyKey, known.digest);
    } else if (resolution === 'not-created') {
      this.#spend(known.draft, false);
      this.#keys.set(idempotencyKey, { state: 'not-created' });
    } else {
      throw new TypeError(`A payment is resolved as 'created' or 'not-created', not ${inspect(resolution)}.`);
    }
  }

  legal(record: PaymentRecord): Transition[] {
    return listLegalTransitions(record, this.#parts.behaviour.payments);
  }

  /** @throws IllegalTransitionError if the transition is impossible */
  move(record: PaymentRecord, transition: Transition): void {
    const to = getStatusAfter(record, transition, this.#parts.behaviour.payments);
    const { id } = record;
    this.#expiries.get(id)?.();
    this.#expiries.delete(id);
    this.#setStatus(record, to);
  }

  #keyState(idempotencyKey: string | undefined): KeyState | undefined {
    return idempotencyKey === undefined ? undefined : this.#keys.get(idempotencyKey);
  }

  #hasExternalId(body: unknown): boolean {
    const externalId = isRecord(body) ? body.externalId : undefined;
    return (
      externalId !== undefined &&
      this.#parts.ledger.records.some(
        ({ merchant, draft }) => merchant === this.#parts.merchant && draft.externalReference === externalId,
      )
    );
  }

  #spend({ upsellToken }: NewPayment, spent: boolean): void {
    if (upsellToken !== undefined) this.#upsells.spend(upsellToken, spent);
  }

  #create(draft: NewPayment, idempotencyKey: string | undefined, digest: string): PaymentRecord {
    const now = this.#parts.clock.time();
    const dueDate = draft.dueDate ?? defaultDueDate(now - this.#references.dayEndsAfter);
    const status = chooseFirstStatus(draft);
    const expiresAt = status === 'waiting_payment' ? this.#computeExpiry(draft, dueDate) : undefined;
    const record: PaymentRecord = {
      id: this.#ids.uuid(),
      merchant: this.#parts.merchant,
      idempotencyKey,
      draft,
      createdAt: this.#parts.clock.timestamp(),
      boleto:
        methodBehaviours[draft.paymentMethod].shows === 'boleto'
          ? { dueDate, digitableLine: computeDigitableLine(draft.amount, dueDate, this.#lines) }
          : undefined,
      status,
      history: [],
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
      planned: planTransition(draft, now, expiresAt),
      issued: undefined,
    };
    if (idempotencyKey !== undefined) {
      this.#keys.set(idempotencyKey, { state: 'created', digest, paymentId: record.id });
    }
    this.#spend(draft, true);
    this.#scheduleExpiry(record);
    this.#schedulePlanned(record);
    this.#setStatus(record, status);
    return record;
  }

  #scheduleExpiry(record: PaymentRecord): void {
    if (record.expiresAt === undefined) return;
    const expire = () => this.move(record, 'expire');
    this.#expiries.set(record.id, this.#parts.clock.schedule(Date.parse(record.expiresAt), expire));
  }

  #schedulePlanned(record: PaymentRecord): void {
    const { planned, status } = record;
    // A boleto that will be paid late stays in `waiting_payment` until it expires.
    if (planned === undefined || (status !== planned.from && status !== 'waiting_payment')) return;
    this.#parts.clock.schedule(Date.parse(planned.at), () => {
      const { from, transition } = planned;
      // A Pix cannot be paid late by default.
      const isLegal = this.legal(record).includes(transition);
      if (record.status === from && isLegal) this.move(record, transition);
    });
  }

  #scheduleEnd(idempotencyKey: string): void {
    const unknown = this.#keys.get(idempotencyKey);
    if (unknown?.state !== 'unknown' || unknown.endsAt === undefined) return;
    const { draft, endsAt } = unknown;
    const resolution = endOfUnknown(draft)?.by;
    this.#parts.clock.schedule(endsAt, () => {
      const known = this.#keys.get(idempotencyKey);
      // Since then, a control method can have resolved this outcome, and a later attempt's outcome can be unknown.
      const isSame = known?.state === 'unknown' && known.endsAt === endsAt;
      if (isSame && resolution !== undefined) this.resolve(idempotencyKey, resolution);
    });
  }

  /** In milliseconds since 1970. */
  #computeExpiry({ paymentMethod, pixExpiration, payer }: NewPayment, dueDate: string): number | undefined {
    const now = this.#parts.clock.time();
    if (payer?.does === 'expire') return now + payer.after;
    const { dayEndsAfter } = this.#references;
    return methodBehaviours[paymentMethod].expiry?.({ now, pixExpiration, dueDate, dayEndsAfter });
  }

  #setStatus(record: PaymentRecord, status: SandboxPaymentStatus): void {
    record.status = status;
    record.history.push({ status, at: this.#parts.clock.timestamp() });
    const { upsell, card, customer } = record.draft;
    if (status === 'paid' && upsell !== undefined && this.#parts.behaviour.upsell.issued) {
      record.issued = this.#upsells.issue({
        card: card !== undefined && 'brand' in card ? card : undefined,
        customer,
        isRefused: upsell === 'refused',
      }).token;
    }
    this.#parts.ledger.save(record);
    this.#parts.onStatus(record);
  }
}
