import type { Payment } from '../../contract/payments/types.js';
import type { Merchants } from '../merchants/merchants.js';
import type { Ledger } from './ledger.js';
import type { PaymentRecord } from './payment-record.js';
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
  /** Of all merchants, in the order of their creation. */
  list(): Payment[];
  retrieve(id: string): Payment;
  /**
   * Ends the protection of a key whose first attempt had an unknown outcome. After `created` a replay
   * returns the payment; after `not-created` the next request with the key is processed normally.
   */
  resolve(idempotencyKey: string, resolution: Resolution): void;
}

/** The controls of payments, whichever merchant's they are. */
export function paymentControl(merchants: Merchants, ledger: Ledger): PaymentControl {
  const act = (id: string, action: (payments: Payments, record: PaymentRecord) => void = () => undefined) => {
    const { owner, found } = merchants.ownerOf('payment', id, ({ payments }) => payments.find(id));
    action(owner.payments, found);
    return owner.payments.show(found);
  };
  const move = (transition: Transition) => (id: string) =>
    act(id, (payments, record) => payments.move(record, transition));
  return Object.freeze({
    pay: move('pay'),
    refuse: move('refuse'),
    refund: move('refund'),
    chargeback: move('chargeback'),
    cancel: move('cancel'),
    expire: move('expire'),
    list: () => ledger.records.map(({ id }) => act(id)),
    retrieve: (id: string) => act(id),
    resolve: (idempotencyKey: string, resolution: Resolution) => {
      const match = merchants.owning(({ payments }) => payments.isUnknown(idempotencyKey) || undefined);
      (match?.owner ?? merchants.first).payments.resolve(idempotencyKey, resolution);
    },
  });
}
