import { inspect } from 'node:util';
import { limits } from '../../contract/limits.js';
import type { Payment } from '../../contract/payments/types.js';
import type { Issue } from '../../input/issue.js';
import { transitions } from '../choices/values.js';
import { IllegalTransitionError } from '../control-errors.js';
import { payloadDigest } from '../payload-digest.js';
import type { Random } from '../random.js';
import type { SubAccountDirectory } from '../sellers/sub-accounts.js';
import type { Clock } from '../time/clock.js';
import { defaultDueDate, digitableLine, endOf } from './boleto.js';
import { type AcceptedPayment, type Draft, draftOf, paymentIssues, type References } from './draft.js';
import { firstStatus, type PaymentRecord, type Status, shown } from './payment-record.js';
import { UpsellTokens } from './upsell.js';
import type { Vault } from './vault.js';

/** The state of an idempotency key on payments (API document, Errors, idempotency rule 2). */
type KeyState =
  | { readonly state: 'created'; readonly digest: string; readonly record: PaymentRecord }
  /** The first attempt ended in an unknown state: the key is protected. */
  | { readonly state: 'unknown'; readonly digest: string; readonly draft: Draft }
  /** Resolved: nothing was created, and the next request is processed normally. */
  | { readonly state: 'not-created' };

/** A valid request to create a payment. */
export interface Submission {
  readonly request: AcceptedPayment;
  readonly idempotencyKey: string | undefined;
  /** Set by a fault: the acquirer does not say whether it charged. */
  readonly acquirerFails: boolean;
}

/** The result of a request to create a payment. */
export type Verdict =
  | { readonly is: 'created' | 'replayed'; readonly payment: Payment }
  | { readonly is: 'unknown' | 'protected' | 'key-reused' };

export type Transition = keyof typeof transitions;

/** The outcomes that `control.payments.resolve` can set. */
export type Resolution = 'created' | 'not-created';

const isFrom = (from: readonly Status[], status: Status) => from.includes(status);

/** The transitions that are possible now. */
export function legalTransitions({ status }: PaymentRecord): Transition[] {
  const names = Object.keys(transitions) as Transition[];
  return names.filter((name) => isFrom(transitions[name].from, status));
}

interface Parts {
  readonly clock: Clock;
  /** A seeded stream of values for one purpose. */
  readonly random: (purpose: string) => Random;
  readonly vault: Vault;
  readonly accounts: SubAccountDirectory;
  /** Cents. */
  readonly fee: number;
  readonly onCreated: (record: PaymentRecord) => void;
  /** Called for every new status, including the first. */
  readonly onStatus: (record: PaymentRecord) => void;
}

/** The payments of one merchant and their rules. Every method is synchronous. */
export class Payments {
  readonly #records = new Map<string, PaymentRecord>();
  readonly #keys = new Map<string, KeyState>();
  readonly #expiries = new Map<string, () => void>();
  readonly #clock: Clock;
  readonly #upsells: UpsellTokens;
  /** What a payment can refer to. */
  readonly #references: References;
  readonly #ids: Random;
  readonly #lines: Random;
  readonly #onCreated: (record: PaymentRecord) => void;
  readonly #onStatus: (record: PaymentRecord) => void;

  constructor({ clock, random, vault, accounts, fee, onCreated, onStatus }: Parts) {
    this.#clock = clock;
    this.#ids = random('payments');
    this.#lines = random('boletos');
    this.#upsells = new UpsellTokens(clock, random('upsell tokens'));
    this.#references = { upsells: this.#upsells, vault, accounts, fee };
    this.#onCreated = onCreated;
    this.#onStatus = onStatus;
  }

  /** The number of payments. */
  get size(): number {
    return this.#records.size;
  }

  find(id: string): PaymentRecord | undefined {
    return this.#records.get(id);
  }

  show(record: PaymentRecord): Payment {
    return shown(record, record.issued !== undefined && this.#upsells.isValid(record.issued));
  }

  /** Whether a key was used before. A repeat is not checked again: its upsell token is used already. */
  isRepeat(idempotencyKey: string | undefined): boolean {
    const known = this.#keyState(idempotencyKey)?.state;
    return known === 'created' || known === 'unknown';
  }

  /** Whether the outcome of a key's first attempt is unknown. */
  isUnknown(idempotencyKey: string): boolean {
    return this.#keyState(idempotencyKey)?.state === 'unknown';
  }

  /** The keys whose first attempt has an unknown outcome, in the order of the attempts. */
  unknownKeys(): { readonly idempotencyKey: string; readonly draft: Draft }[] {
    return Array.from(this.#keys).flatMap(([idempotencyKey, known]) =>
      known.state === 'unknown' ? [{ idempotencyKey, draft: known.draft }] : [],
    );
  }

  /** Problems of a body, besides the contract's rules. */
  issues(body: unknown, idempotencyKey: string | undefined): Issue[] {
    if (this.isRepeat(idempotencyKey)) return [];
    return paymentIssues(body, this.#clock.time(), this.#references);
  }

  submit({ request, idempotencyKey, acquirerFails }: Submission): Verdict {
    const digest = idempotencyKey === undefined ? '' : payloadDigest(request);
    const known = this.#keyState(idempotencyKey);
    if (known?.state === 'unknown') return { is: 'protected' };
    if (known?.state === 'created') {
      if (known.digest !== digest) return { is: 'key-reused' };
      return { is: 'replayed', payment: this.show(known.record) };
    }
    const draft = draftOf(request, this.#references);
    if (acquirerFails || (draft.decision === 'unknown' && known === undefined)) {
      if (idempotencyKey !== undefined) {
        if (draft.upsellToken !== undefined) draft.upsellToken.spent = true;
        this.#keys.set(idempotencyKey, { state: 'unknown', digest, draft });
      }
      return { is: 'unknown' };
    }
    return { is: 'created', payment: this.show(this.#create(draft, idempotencyKey, digest)) };
  }

  /** Ends the protection of a key. */
  resolve(idempotencyKey: string, resolution: Resolution): void {
    const known = this.#keys.get(idempotencyKey);
    if (known?.state !== 'unknown') {
      throw new Error(
        `There is nothing to resolve: no payment with the idempotency key "${idempotencyKey}" has an unknown outcome.`,
      );
    }
    if (resolution === 'created') {
      this.#create(known.draft, idempotencyKey, known.digest);
    } else if (resolution === 'not-created') {
      if (known.draft.upsellToken !== undefined) known.draft.upsellToken.spent = false;
      this.#keys.set(idempotencyKey, { state: 'not-created' });
    } else {
      throw new TypeError(`A payment is resolved as 'created' or 'not-created', not ${inspect(resolution)}.`);
    }
  }

  /** Moves a payment to another status. @throws IllegalTransitionError if the transition is impossible. */
  move(record: PaymentRecord, transition: Transition): void {
    const { id } = record;
    const { from, to } = transitions[transition];
    if (!isFrom(from, record.status)) {
      throw new IllegalTransitionError(
        `Payment ${id} is ${record.status}: "${transition}" takes a payment that is ${from.join(' or ')}.`,
        record.status,
        legalTransitions(record),
      );
    }
    this.#expiries.get(id)?.();
    this.#expiries.delete(id);
    this.#enter(record, to);
  }

  #keyState(idempotencyKey: string | undefined): KeyState | undefined {
    return idempotencyKey === undefined ? undefined : this.#keys.get(idempotencyKey);
  }

  #create(draft: Draft, idempotencyKey: string | undefined, digest: string): PaymentRecord {
    const now = this.#clock.time();
    const dueDate = draft.dueDate ?? defaultDueDate(now);
    const status = firstStatus(draft);
    const expiresAt = status === 'waiting_payment' ? this.#expiryOf(draft, dueDate) : undefined;
    const record: PaymentRecord = {
      id: this.#ids.uuid(),
      idempotencyKey,
      draft,
      createdAt: this.#clock.timestamp(),
      boleto:
        draft.paymentMethod === 'boleto'
          ? { dueDate, digitableLine: digitableLine(draft.amount, dueDate, this.#lines) }
          : undefined,
      status,
      history: [],
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
      issued: undefined,
    };
    this.#records.set(record.id, record);
    this.#onCreated(record);
    if (idempotencyKey !== undefined) this.#keys.set(idempotencyKey, { state: 'created', digest, record });
    if (draft.upsellToken !== undefined) draft.upsellToken.spent = true;
    if (expiresAt !== undefined) {
      this.#expiries.set(
        record.id,
        this.#clock.schedule(expiresAt, () => this.move(record, 'expire')),
      );
    }
    this.#enter(record, status);
    return record;
  }

  /** Milliseconds since 1970. */
  #expiryOf({ paymentMethod, pixExpiration }: Draft, dueDate: string): number {
    if (paymentMethod === 'boleto') return endOf(dueDate);
    return this.#clock.time() + (pixExpiration ?? limits.pixExpirationSeconds) * 1_000;
  }

  #enter(record: PaymentRecord, status: Status): void {
    record.status = status;
    record.history.push({ status, at: this.#clock.timestamp() });
    const { upsell, card, customer } = record.draft;
    if (status === 'paid' && upsell !== undefined) {
      record.issued = this.#upsells.issue({
        card: card !== undefined && 'brand' in card ? card : undefined,
        customer,
        isRefused: upsell === 'refused',
      });
    }
    this.#onStatus(record);
  }
}
