import type { Payment } from '../../src/contract/payments/types.js';
import { type CardEnd, cardOutcomes } from '../scenarios/card-outcomes.js';
import type { AcceptedPayment, NewPayment } from './new-payment.js';

/** API docs, Errors, idempotency rule 2. */
export type KeyState =
  | { readonly state: 'created'; readonly digest: string; readonly paymentId: string }
  /** The first attempt has an unknown outcome, so the idempotency key is protected. */
  | {
      readonly state: 'unknown';
      readonly digest: string;
      readonly draft: NewPayment;
      /** When the outcome resolves on its own, in milliseconds since 1970. */
      readonly endsAt?: number;
    }
  /** The outcome was resolved: nothing was created, and the next request is processed normally. */
  | { readonly state: 'not-created' };

export interface Submission {
  readonly request: AcceptedPayment;
  readonly idempotencyKey: string | undefined;
  /** Set by the fault `acquirer-unknown`: the acquirer does not respond. */
  readonly acquirerFails: boolean;
}

export type Verdict =
  | { readonly is: 'created' | 'replayed'; readonly payment: Payment }
  | { readonly is: 'unknown' | 'protected' | 'key-reused' };

/** The outcomes that `control.payments.resolve` can set. */
export type Resolution = 'created' | 'not-created';

/** Undefined if only a control method can end the outcome. */
export function endOfUnknown({ decision }: NewPayment): (CardEnd & { readonly by: Resolution }) | undefined {
  const end = decision && cardOutcomes[decision].end;
  return end !== undefined && (end.by === 'created' || end.by === 'not-created')
    ? { after: end.after, by: end.by }
    : undefined;
}
