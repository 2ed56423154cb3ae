import { limits } from '../../src/contract/limits.js';
import { type KnownPaymentMethod, methodRules } from '../../src/contract/payments/methods.js';
import { testCards } from '../scenarios/test-cards.js';
import { computeEnd } from './boleto.js';

/** The sandbox's behaviour for a payment method. */
interface MethodBehaviour {
  /** The code or document that the customer pays, in the payment's responses and details. */
  readonly shows: 'pix-code' | 'boleto' | undefined;
  /**
   * Computes when an unpaid payment expires, in milliseconds since 1970; undefined if the payment does not
   * wait for its customer.
   */
  readonly expiry: ((payment: ExpiringPayment) => number) | undefined;
  /** The fields that a sample has in addition to an order's. */
  readonly sample: object;
}

interface ExpiringPayment {
  /** The sandbox's time, in milliseconds since 1970. */
  readonly now: number;
  /** In seconds; undefined if the request has none. */
  readonly pixExpiration: number | undefined;
  /** YYYY-MM-DD. */
  readonly dueDate: string;
  /** Milliseconds between the end of a due date's day in UTC and in the sandbox's time zone. */
  readonly dayEndsAfter: number;
}

/** The behaviour of each payment method. A missing method does not compile. */
export const methodBehaviours: Readonly<Record<KnownPaymentMethod, MethodBehaviour>> = {
  pix: {
    shows: 'pix-code',
    expiry: ({ now, pixExpiration = limits.pixExpirationSeconds }) => now + pixExpiration * 1_000,
    sample: {},
  },
  boleto: {
    shows: 'boleto',
    expiry: ({ dueDate, dayEndsAfter }) => computeEnd(dueDate) + dayEndsAfter,
    sample: {},
  },
  credit_card: {
    shows: undefined,
    expiry: undefined,
    sample: {
      card: {
        number: testCards.approved,
        cvv: '123',
        holderName: 'MARIA SILVA',
        expirationMonth: 12,
        expirationYear: 2_035,
      },
    },
  },
};

/** Whether an acquirer decides on a payment at once. */
export const isByCard = (method: KnownPaymentMethod): boolean => methodRules[method].isCard;
