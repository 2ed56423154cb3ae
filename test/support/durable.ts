import { type ClientOptions, PaymentPlatform, type PixPayment } from 'payment-platform';
import {
  createDurablePayments,
  type DurableFailure,
  type DurableOptions,
  type DurablePayments,
  memoryPayments,
  type PaymentRecord,
} from 'payment-platform/durable';
import { createSandbox } from 'payment-platform/sandbox';
import { sandboxForTest } from '../../sandbox/test/support.js';
import { computeMerchant } from '../../src/durable/merchant-store.js';

/** An order without an externalId, so that its key becomes its externalId. */
export const order: PixPayment = {
  amount: 1990,
  paymentMethod: 'pix',
  customer: { name: 'Ana Souza' },
  items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
};

/** The merchant of the rows that `durable` records. */
export const merchant = await computeMerchant(
  new PaymentPlatform(createSandbox({ seed: 1 }).clientOptions()).merchant,
);

/** Creates durable payments over a sandbox, with a clock that the test advances and a list of hook events. */
export function durable(
  options: Partial<DurableOptions> & { readonly client?: Partial<ClientOptions> } = {},
) {
  const { client, ...others } = options;
  const sandbox = sandboxForTest({ rateLimits: false });
  const clock = { now: Date.UTC(2026, 0, 1) };
  const reported = {
    settled: [] as PaymentRecord[],
    failed: [] as PaymentRecord[],
    givenUp: [] as PaymentRecord[],
    errors: [] as [unknown, DurableFailure][],
  };
  const store = others.store ?? memoryPayments({ now: () => clock.now });
  const platform = new PaymentPlatform({ ...sandbox.clientOptions(), maxRetries: 0, ...client });
  const payments = createDurablePayments(platform, {
    onSettled: (record) => reported.settled.push(record),
    onFailed: (record) => reported.failed.push(record),
    onGivenUp: (record) => reported.givenUp.push(record),
    onError: (error, failure) => reported.errors.push([error, failure]),
    ...others,
    store,
  });
  return { sandbox, platform, payments, store, clock, reported };
}

/** Applies a notification, and returns the record of its payment, if it has one. */
export const observed = async <Transaction>(
  payments: DurablePayments<Transaction>,
  ...args: Parameters<DurablePayments<Transaction>['observe']>
) => (await payments.observe(...args)).record;

/** Returns the error of a promise that must reject. */
export async function rejection(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error('It must reject, and has not.');
}
