import type { PaymentPlace } from '../../test/support/payment-place.js';

/** The ways of paying an order. */
const ways = ['create', 'enqueue', 'enqueue in a transaction'] as const;

/** An order in the load. */
export interface Order {
  readonly key: string;
  readonly way: (typeof ways)[number];
  /** Whether the platform accepts its payment. */
  readonly isPossible: boolean;
}

/** The options of a load process. */
export interface PaymentProcessOptions {
  readonly place: PaymentPlace;
  /** The table for the orders that transactions write. */
  readonly orders: string;
  readonly platform: { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string };
}

/** A process's report about an order. */
export interface Reply {
  readonly key: string;
  /**
   * `again`: the store failed, and the payment is possibly recorded. `failure`: the package broke a promise.
   */
  readonly outcome: 'recorded' | 'again' | { readonly failure: string };
}

/** Creates orders. The platform rejects every 25th. */
export const createOrders = (count: number, hasTransactions: boolean): Order[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `order-${index}`,
    way: ways[index % (hasTransactions ? 3 : 2)] as Order['way'],
    isPossible: index % 25 !== 24,
  }));
