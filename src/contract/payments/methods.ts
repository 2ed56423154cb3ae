import type { SdkCheck } from '../sdk-checks.js';
import type { CreatePayment } from './types.js';

/** A payment method of the API docs. */
export type KnownPaymentMethod = CreatePayment['paymentMethod'];

interface MethodRules {
  readonly isCard: boolean;
  readonly needsCustomer: boolean;
  readonly block: string;
  /** Replaces the message of a misplaced block, if one of the SDK's own checks rejects it and not the API docs. */
  readonly ownCheck?: { readonly check: SdkCheck; readonly message: string };
}

/** The rules of each payment method (API docs, POST /v1/payments). */
export const methodRules: Readonly<Record<KnownPaymentMethod, MethodRules>> = {
  pix: {
    isCard: false,
    needsCustomer: true,
    block: 'pix',
    // The API docs reject only a misplaced `boleto` and `wallet`.
    ownCheck: {
      check: 'field.name',
      message: "is only for paymentMethod 'pix', so its expiration would have no effect. Remove it",
    },
  },
  credit_card: { isCard: true, needsCustomer: false, block: 'wallet' },
  boleto: { isCard: false, needsCustomer: false, block: 'boleto' },
};

export const paymentMethods = /* @__PURE__ */ Object.keys(methodRules) as readonly KnownPaymentMethod[];
