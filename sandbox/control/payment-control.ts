import type { Payment } from '../../src/contract/payments/types.js';
import type { OptionReaders } from '../../src/validation/options.js';
import { aText, checkedOptions } from '../arguments/checked-options.js';
import { type ListPart, listPartReaders, takeNewest } from '../arguments/list-part.js';
import { forEachTransition, type Transition } from '../defaults/transitions.js';
import type { Merchants } from '../merchants/merchants.js';
import type { BoletoDetails } from '../payments/boleto.js';
import type { Ledger } from '../payments/ledger.js';
import type { Resolution } from '../payments/payment-keys.js';
import type { PaymentRecord, StatusChange } from '../payments/payment-record.js';
import type { Payments } from '../payments/payments.js';
import { pixCode } from '../payments/pix-code.js';
import { paymentMatcher } from './payment-search.js';

/**
 * Causes payment events that happen outside the API: the customer pays, the issuer decides or charges back.
 * Transitions are undocumented (API docs, States and transitions); `defaults` lists the sandbox's. Each control
 * throws an Error for an unknown id and for a status without that transition.
 */
export interface PaymentControl {
  /** The payer paid, or the analysis approved: `paid`. A boleto also after it expired. */
  pay(id: string): Payment;
  /** The analysis or the issuer refused: `refused`. */
  refuse(id: string): Payment;
  /** The merchant pays back: a `paid` payment becomes `refunded`. */
  refund(id: string): Payment;
  /** The issuer takes the money back: a `paid` payment becomes `chargedback`. */
  chargeback(id: string): Payment;
  /** The customer abandons the payment: `waiting_payment` or `in_analysis` becomes `cancelled`. */
  cancel(id: string): Payment;
  /** Pix and boleto also expire on their own, on the sandbox's clock. */
  expire(id: string): Payment;
  /**
   * The payments of all merchants in the order of their creation, or those that a query selects.
   *
   * @throws TypeError that names every problem of the query, UnknownIdError for an unknown `before`.
   */
  list(query?: PaymentQuery): Payment[];
  /** The payment as the API shows it. Throws an Error for an unknown id. */
  retrieve(id: string): Payment;
  /** Returns a payment with its history, its key and the data to pay it. Throws an Error for an unknown id. */
  details(id: string): PaymentDetails;
  /**
   * Resolves an idempotency key whose first attempt had an unknown outcome. After `created` a replay
   * returns the payment; after `not-created` the next request with the key is processed normally.
   *
   * @throws Error if no payment with the key has an unknown outcome.
   */
  resolve(idempotencyKey: string, resolution: Resolution): void;
  /** The idempotency keys whose outcome is unknown, by merchant in the order of their attempts. */
  unresolved(): UnresolvedKey[];
}

/** Which payments are listed. */
export interface PaymentQuery extends ListPart {
  /** Only payments with this status. */
  status?: string | undefined;
  /**
   * Only payments whose id, external id, idempotency key or customer contains this text, or whose amount it is: cents
   * (`1990`), or as people write it (`19,90`).
   */
  search?: string | undefined;
}

const queryReaders: OptionReaders<PaymentQuery> = { ...listPartReaders, status: aText, search: aText };

/** An idempotency key that is protected, because the outcome of its first attempt is unknown. */
export interface UnresolvedKey {
  /** As it was sent. */
  readonly idempotencyKey: string;
  /** The client id of its merchant. */
  readonly clientId: string;
  /** Cents. */
  readonly amount: number;
  /** `pix`, `credit_card` (for a wallet too) or `boleto`. */
  readonly paymentMethod: 'pix' | 'credit_card' | 'boleto';
}

/** A payment with facts that the API does not show. */
export interface PaymentDetails {
  /** As the API shows it. */
  readonly payment: Payment;
  /** The client id of its merchant. */
  readonly clientId: string;
  /** The idempotency key of its request; undefined if it had none. */
  readonly idempotencyKey: string | undefined;
  /** Every status, in the order of time; the last is the present one. */
  readonly history: readonly StatusChange[];
  /** The controls that are possible now. */
  readonly transitions: readonly Transition[];
  /** When a pending payment expires on its own: ISO 8601, UTC. */
  readonly expiresAt: string | undefined;
  /** The text of a Pix that the payer copies or scans. No bank can pay it. */
  readonly pix: { readonly copyAndPaste: string } | undefined;
  /** The due date and the digitable line of a boleto. */
  readonly boleto: BoletoDetails | undefined;
}

/** The controls of the payments of all merchants. */
export function paymentControl(merchants: Merchants, ledger: Ledger): PaymentControl {
  const act = (id: string, action: (payments: Payments, record: PaymentRecord) => void = () => undefined) => {
    const { owner, found } = merchants.getOwner('payment', id, ({ payments }) => payments.find(id));
    action(owner.payments, found);
    return owner.payments.show(found);
  };
  const move = (transition: Transition) => (id: string) =>
    act(id, (payments, record) => payments.move(record, transition));
  return Object.freeze({
    ...forEachTransition(move),
    list: (query: PaymentQuery = {}) => {
      const { status, search = '', ...part } = checkedOptions('control.payments.list', query, queryReaders);
      const isFound = paymentMatcher(search);
      const matches = (record: PaymentRecord) =>
        (status === undefined || record.status === status) && isFound(record);
      const records = takeNewest(ledger.records, part, { noun: 'payment', idOf: ({ id }) => id, matches });
      return records.map(({ id }) => act(id));
    },
    retrieve: (id: string) => act(id),
    details: (id: string) => {
      const { owner, found } = merchants.getOwner('payment', id, ({ payments }) => payments.find(id));
      return buildDetails(
        merchants.mainClientId(owner),
        found,
        owner.payments.show(found),
        owner.payments.legal(found),
      );
    },
    resolve: (idempotencyKey: string, resolution: Resolution) => {
      const match = merchants.findOwner(({ payments }) => payments.isUnknown(idempotencyKey) || undefined);
      (match?.owner ?? merchants.first).payments.resolve(idempotencyKey, resolution);
    },
    unresolved: () =>
      merchants.list().flatMap((merchant) =>
        merchant.payments.unknownKeys().map(({ idempotencyKey, draft: { amount, paymentMethod } }) => ({
          idempotencyKey,
          clientId: merchants.mainClientId(merchant),
          amount,
          paymentMethod,
        })),
      ),
  });
}

function buildDetails(
  clientId: string,
  record: PaymentRecord,
  payment: Payment,
  legal: readonly Transition[],
): PaymentDetails {
  const { idempotencyKey, history, expiresAt, boleto, draft } = record;
  return Object.freeze({
    payment,
    clientId,
    idempotencyKey,
    history: Object.freeze([...history]),
    transitions: Object.freeze(legal),
    expiresAt,
    pix: draft.paymentMethod === 'pix' ? { copyAndPaste: pixCode(record.id, draft.amount) } : undefined,
    boleto,
  });
}
