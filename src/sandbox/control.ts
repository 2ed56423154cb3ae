import type { Payment } from '../contract/payments.js';
import type { Payments, Resolution, Transition } from './payments.js';

/**
 * What happens to payments outside the API: the payer pays, the issuer decides, somebody complains.
 * The API document shows no transitions (States and transitions); these are in `choices`.
 */
export interface PaymentControl {
  /** The payer paid, or the analysis approved. */
  pay(id: string): Payment;
  /** The analysis or the issuer refused. */
  refuse(id: string): Payment;
  refund(id: string): Payment;
  chargeback(id: string): Payment;
  cancel(id: string): Payment;
  /** Pix and boleto also expire by themselves, on the clock. */
  expire(id: string): Payment;
  /** In the order of their creation. */
  list(): Payment[];
  retrieve(id: string): Payment;
  /**
   * Ends the protection of a key whose first attempt had an unknown outcome. After `created` a replay
   * returns the payment; after `not-created` the next request with the key is processed normally.
   */
  resolve(idempotencyKey: string, resolution: Resolution): void;
}

/** The hands of the sandbox. Each throws an Error on an unknown id and on an impossible transition. */
export interface SandboxControl {
  readonly payments: PaymentControl;
}

export function controlOf(payments: Payments): SandboxControl {
  const move = (transition: Transition) => (id: string) => payments.show(payments.move(id, transition));
  return Object.freeze({
    payments: Object.freeze({
      pay: move('pay'),
      refuse: move('refuse'),
      refund: move('refund'),
      chargeback: move('chargeback'),
      cancel: move('cancel'),
      expire: move('expire'),
      list: () => Array.from(payments.records(), (record) => payments.show(record)),
      retrieve: (id: string) => payments.show(payments.get(id)),
      resolve: (idempotencyKey: string, resolution: Resolution) =>
        payments.resolve(idempotencyKey, resolution),
    }),
  });
}
