import { isPaymentPlatformError, PaymentPlatform } from 'payment-platform';
import { createDurablePayments, type DurablePayment, DurablePaymentError } from 'payment-platform/durable';
import { openPlace, type PaymentPlace } from '../../test/support/payment-place.js';
import { pix } from '../../test/support/payments.js';

/** An order in the load. */
export interface Order {
  readonly key: string;
  /** The way of paying it. */
  readonly way: 'create' | 'enqueue' | 'enqueue in a transaction';
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

interface Queries {
  query(text: string, values: string[]): Promise<unknown>;
}

/** Runs one process of a shop. It accepts orders and settles due payments until it is killed. */
const { place, orders, platform } = JSON.parse(process.argv[2] ?? '') as PaymentProcessOptions;

const opened = openPlace(place);
const client = new PaymentPlatform(platform);
const options = {
  store: opened.store,
  timeout: 1_000,
  lease: 1_500,
  retryDelay: 50,
  maxRetryDelay: 500,
  // The store fails on purpose.
  onError: () => undefined,
};
const payments = createDurablePayments(client, options);
/**
 * Settles the orders that the platform rejects. If an earlier attempt has an unknown outcome, the rejection
 * proves nothing about that attempt, and the payment is retried until `giveUpAfter` is over.
 */
const rejectedPayments = createDurablePayments(client, { ...options, giveUpAfter: 4_000 });

const unknownCard: DurablePayment = {
  amount: pix.amount,
  items: pix.items,
  paymentMethod: 'credit_card',
  card: { cardTokenId: '99999999-9999-4999-8999-999999999999' },
};

async function take({ key, way, isPossible }: Order): Promise<void> {
  const [own, payment] = isPossible ? [payments, pix] : [rejectedPayments, unknownCard];
  if (way === 'create') await own.create(payment, { key });
  else if (way === 'enqueue') await own.enqueue(payment, { key });
  else
    await opened.inTransaction(async (client) => {
      await own.enqueue(payment, { key, client });
      await (client as Queries).query(`INSERT INTO ${orders} VALUES ($1) ON CONFLICT DO NOTHING`, [key]);
    });
}

function toOutcome(error: unknown): Reply['outcome'] {
  if (error instanceof DurablePaymentError) return error.record === undefined ? 'again' : 'recorded';
  return isPaymentPlatformError(error) ? { failure: String(error) } : 'again';
}

process.on('disconnect', () => process.exit());
process.on('message', async (order: Order) => {
  const outcome = await take(order).then(() => 'recorded' as const, toOutcome);
  process.send?.({ key: order.key, outcome } satisfies Reply);
});
process.send?.('ready');
await payments.run({ concurrency: 8, pollInterval: 50 });
