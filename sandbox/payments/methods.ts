import { limits } from '../../src/contract/limits.js';
import { type KnownPaymentMethod, methodRules } from '../../src/contract/payments/methods.js';
import { testCards } from '../scenarios/test-cards.js';
import { computeEnd } from './boleto.js';

interface MethodBehaviour {
  readonly shows: 'pix-code' | 'boleto' | undefined;
  /** In milliseconds since 1970; undefined if the payment does not wait for its customer. */
  readonly expiry: ((payment: ExpiringPayment) => number) | undefined;
  /** In addition to an order's fields. */
  readonly sample: object;
}

interface ExpiringPayment {
  /** In milliseconds since 1970, on the sandbox's clock. */
  readonly now: number;
  /** In seconds; undefined if the request has none. */
  readonly pixExpiration: number | undefined;
  /** YYYY-MM-DD. */
  readonly dueDate: string;
  /** Milliseconds between the end of a due date's day in UTC and in the sandbox's time zone. */
  readonly dayEndsAfter: number;
}

/** A missing method does not compile. */
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

export const isByCard = (method: KnownPaymentMethod): boolean => methodRules[method].isCard;
