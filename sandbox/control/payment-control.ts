import type { KnownPaymentMethod } from '../../src/contract/payments/methods.js';
import type { Payment } from '../../src/contract/payments/types.js';
import type { OptionReaders } from '../../src/validation/options.js';
import { aText, readCheckedOptions } from '../arguments/checked-options.js';
import { type ListPart, listPartReaders, takeNewest } from '../arguments/list-part.js';
import { mapTransitions, type Transition } from '../defaults/transitions.js';
import { findClientId, type MerchantReference } from '../merchants/merchant-reference.js';
import type { Merchants } from '../merchants/merchants.js';
import type { BoletoDetails } from '../payments/boleto.js';
import type { Ledger } from '../payments/ledger.js';
import { methodBehaviours } from '../payments/methods.js';
import type { Resolution } from '../payments/payment-keys.js';
import type { PaymentRecord, StatusChange } from '../payments/payment-record.js';
import type { Payments } from '../payments/payments.js';
import { createPixCode } from '../payments/pix-code.js';

/**
 * Causes payment events that happen outside the API: the customer pays, the issuer decides or charges back.
 * The API docs do not document the transitions (States and transitions); `defaults` lists the sandbox's
 * transitions. Each control throws an Error for an unknown id, or if the payment's status does not allow the
 * transition.
 */
export interface PaymentControl {
  /**
   * Marks a payment as paid: the customer paid, or the analysis approved. Also works for an expired boleto.
   */
  pay(id: string): Payment;
  /** Declines a payment, as an analysis or an issuer does. The status becomes `refused`. */
  refuse(id: string): Payment;
  /** Refunds a `paid` payment. The status becomes `refunded`. */
  refund(id: string): Payment;
  /** Charges a `paid` payment back, as an issuer does. The status becomes `chargedback`. */
  chargeback(id: string): Payment;
  /** Cancels a payment that the customer abandons: `waiting_payment` or `in_analysis` becomes `cancelled`. */
  cancel(id: string): Payment;
  /** Expires a payment. Pix and boleto also expire on their own, on the sandbox's clock. */
  expire(id: string): Payment;
  /**
   * Lists the payments of all merchants, or those that match a query, in the order of creation.
   *
   * @throws TypeError that names every problem of the query, UnknownIdError for an unknown `before`.
   */
  list(query?: PaymentQuery): Payment[];
  /** Returns a payment in the API's format. Throws an Error for an unknown id. */
  retrieve(id: string): Payment;
  /**
   * Returns a payment with its history, its idempotency key and the data to pay it. Throws an Error for an
   * unknown id.
   */
  details(id: string): PaymentDetails;
  /**
   * Decides the outcome for an idempotency key whose first attempt had an unknown outcome. After `created`, a
   * repeated request returns the payment. After `not-created`, the next request with the key is processed
   * normally. Name the merchant if several have such a key.
   *
   * @throws Error if no payment with the key has an unknown outcome, or if several merchants have one.
   */
  resolve(idempotencyKey: string, resolution: Resolution, merchant?: MerchantReference): void;
  /**
   * Lists the idempotency keys with an unknown outcome, grouped by merchant in the order of their attempts.
   */
  unresolved(): UnresolvedKey[];
}

/** Selects the payments to list. */
export interface PaymentQuery extends ListPart {
  /** Only payments with this status. */
  status?: string | undefined;
  /**
   * Selects payments that contain a string in their id, external id, idempotency key or customer. Also
   * selects payments by amount, in cents (`1990`) or as people write it (`19,90`).
   */
  search?: string | undefined;
}

const queryReaders: OptionReaders<PaymentQuery> = { ...listPartReaders, status: aText, search: aText };

/** An idempotency key that is protected, because the outcome of its first attempt is unknown. */
export interface UnresolvedKey {
  /** The key as sent. */
  readonly idempotencyKey: string;
  /** The merchant's client id. */
  readonly clientId: string;
  /** The payment's amount, in cents. */
  readonly amount: number;
  /** `pix`, `credit_card` (also for a wallet) or `boleto`. */
  readonly paymentMethod: KnownPaymentMethod;
}

/** A payment with facts that the API does not show. */
export interface PaymentDetails {
  /** The payment as the API returns it. */
  readonly payment: Payment;
  /** The merchant's client id. */
  readonly clientId: string;
  /** The idempotency key of its request; undefined if it had none. */
  readonly idempotencyKey: string | undefined;
  /** Every status in chronological order. The last one is the current status. */
  readonly history: readonly StatusChange[];
  /** The controls that are possible now. */
  readonly transitions: readonly Transition[];
  /** The time when a pending payment expires on its own: ISO 8601, UTC. */
  readonly expiresAt: string | undefined;
  /** The Pix string that the customer copies or scans. No bank can pay it. */
  readonly pix: { readonly copyAndPaste: string } | undefined;
  /** The due date and the digitable line of a boleto. */
  readonly boleto: BoletoDetails | undefined;
}

export function createPaymentControl(merchants: Merchants, ledger: Ledger): PaymentControl {
  const act = (id: string, action: (payments: Payments, record: PaymentRecord) => void = () => undefined) => {
    const { owner, found } = merchants.getOwner('payment', id, ({ payments }) => payments.find(id));
    action(owner.payments, found);
    return owner.payments.show(found);
  };
  const move = (transition: Transition) => (id: string) =>
    act(id, (payments, record) => payments.move(record, transition));
  return Object.freeze({
    ...mapTransitions(move),
    list: (query: PaymentQuery = {}) => {
      const {
        status,
        search = '',
        ...part
      } = readCheckedOptions('control.payments.list', query, queryReaders);
      const isFound = createPaymentMatcher(search);
      const matches = (record: PaymentRecord) =>
        (status === undefined || record.status === status) && isFound(record);
      const records = takeNewest(ledger.records, part, { noun: 'payment', getId: ({ id }) => id, matches });
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
    resolve: (idempotencyKey: string, resolution: Resolution, merchant?: MerchantReference) => {
      const owners =
        merchant === undefined
          ? merchants.list().filter(({ payments }) => payments.isUnknown(idempotencyKey))
          : [merchants.get(findClientId(merchant))];
      const [owner = merchants.first, ...others] = owners;
      if (others.length > 0)
        throw new Error(
          `${owners.length} merchants have an unknown outcome with the idempotency key "${idempotencyKey}". Name one by its client id: ${owners.map((one) => merchants.mainClientId(one)).join(', ')}.`,
        );
      owner.payments.resolve(idempotencyKey, resolution);
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
    pix:
      methodBehaviours[draft.paymentMethod].shows === 'pix-code'
        ? { copyAndPaste: createPixCode(record.id, draft.amount) }
        : undefined,
    boleto,
  });
}

/** An amount can be in cents or in reais: `1990`, `19.90`, `19,90`, `R$ 1.234,56`. */
function createPaymentMatcher(search: string): (record: PaymentRecord) => boolean {
  const text = folded(search);
  if (text === '') return () => true;
  const amounts = parseAmounts(text);
  const digits = /^[\d.\-/ ]+$/.test(text) ? text.replace(/\D/g, '') : '';
  return ({ id, idempotencyKey = '', draft: { amount, externalReference = '', customer } }) =>
    amounts.includes(amount) ||
    [id, externalReference, idempotencyKey, ...textsIn(customer)].some((one) => {
      const candidate = folded(one);
      return candidate.includes(text) || (digits.length > 2 && candidate.includes(digits));
    });
}

/** `joão` finds `Joao`. */
const folded = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');

/** In cents. */
function parseAmounts(text: string): number[] {
  const number = text.replace(/^r\$\s*/, '');
  if (!/^\d[\d.,]*$/.test(number)) return [];
  const cents = /[.,](\d{2})$/.test(number) ? [Number(number.replace(/[.,]/g, ''))] : [];
  const whole = Number(number.replace(/[.,]/g, ''));
  return cents.length > 0 ? cents : [whole, whole * 100];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
