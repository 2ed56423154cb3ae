import type { PaymentPlatform } from '../client.js';
import type { OnboardingRegistration } from '../contract/onboarding/types.js';
import type { CreatedWithdrawal } from '../contract/submerchants/types.js';
import { DurableOnboarding } from './durable-onboarding.js';
import { DurablePayments } from './durable-payments.js';
import type { DurableRequestOptions } from './durable-requests.js';
import { DurableWithdrawals } from './durable-withdrawals.js';
import type { DurableOptions } from './options.js';

export type { DurableErrorCode, DurableRequestErrorCode } from '../errors/base.js';
export { StoreError } from '../errors/store.js';
export { type MemoryPaymentsOptions, memoryPayments } from '../stores/memory/payments.js';
export type {
  DurableState,
  NewRow,
  PaymentRow,
  RowChange,
  RowError,
  RowState,
} from '../stores/payment-row.js';
export type { Claim, PaymentStore, RowFilter, RowId, StateCount } from '../stores/payment-store.js';
export type { PostgresJs } from '../stores/postgres/client.js';
export {
  type PostgresPaymentsOptions,
  postgresPayments,
} from '../stores/postgres/payments.js';
export { postgresPaymentsSql } from '../stores/postgres/payments-sql.js';
export type {
  DrizzleTransaction,
  KnexTransaction,
  KyselyTransaction,
  MikroTransaction,
  PostgresTransaction,
  PrismaTransaction,
  SequelizeTransaction,
} from '../stores/postgres/transactions.js';
export type { SqliteDatabase } from '../stores/sqlite/database.js';
export {
  type SqlitePaymentsOptions,
  sqlitePayments,
} from '../stores/sqlite/payments.js';
export { sqlitePaymentsSql } from '../stores/sqlite/payments-sql.js';
export { DurablePaymentError } from './durable-error.js';
export type { DurableOnboarding } from './durable-onboarding.js';
export type { DurablePayments, Observed, SettledPayment } from './durable-payments.js';
export type {
  DurableRequestOptions,
  EnqueueRequestOptions,
  RecordRequestOptions,
  SettledRequest,
} from './durable-requests.js';
export type { DurableWithdrawals } from './durable-withdrawals.js';
export type { Merchant } from './merchant-store.js';
export type {
  EnqueueOptions,
  FormerMerchant,
  ListOptions,
  ListRequestsOptions,
  ObserveOptions,
  RecordOptions,
  RefreshOptions,
  SettleDueOptions,
} from './method-options.js';
export type { DurableFailure, DurableOptions } from './options.js';
export type { OverduePayments } from './overdue.js';
export type { DurablePayment } from './payload.js';
export type { PaymentRecord } from './payment-record.js';
export type { DurableRecord } from './recorded-request.js';
export { DurableRequestError } from './request-error.js';
export type { RunOptions } from './worker.js';

/**
 * Creates payments that survive a crash: recorded before their first byte is sent, and settled even if a
 * process dies.
 *
 * @throws ConfigurationError naming the wrong options.
 * @example
 * ```ts
 * const payments = createDurablePayments(platform, { store: postgresPayments(pool) });
 * const { payment } = await payments.create(order, { key: 'order-1042' });
 * await payments.run({ signal });
 * ```
 */
export function createDurablePayments<Transaction = never, Extra extends object = object>(
  platform: Pick<PaymentPlatform, 'payments' | 'merchant'>,
  options: DurableOptions<Transaction, Extra>,
): DurablePayments<Transaction> {
  return new DurablePayments(platform, options as DurableOptions<Transaction>);
}

/**
 * Creates withdrawals that survive a crash: recorded before their first byte is sent, and left to a person if
 * their outcome is unknown.
 *
 * @throws ConfigurationError naming the wrong options.
 * @example
 * ```ts
 * const withdrawals = createDurableWithdrawals(platform, { store: postgresPayments(pool), encryptionKeys });
 * const { result } = await withdrawals.create({ amount: 5_000 }, { key: 'withdrawal-7' });
 * ```
 */
export function createDurableWithdrawals<Transaction = never>(
  platform: Pick<PaymentPlatform, 'submerchants' | 'merchant'>,
  options: DurableRequestOptions<Transaction, CreatedWithdrawal>,
): DurableWithdrawals<Transaction> {
  return new DurableWithdrawals(platform, options);
}

/**
 * Creates registrations of sellers that survive a crash: recorded with their documents before the first byte is
 * sent, and sent again with the same key.
 *
 * @throws ConfigurationError naming the wrong options.
 * @example
 * ```ts
 * const onboarding = createDurableOnboarding(platform, { store: postgresPayments(pool), encryptionKeys });
 * const key = '3f1c9b0e-6a52-4c07-9d3e-5b8f2a7c1d40'; // a UUID v4, stored with the seller
 * const form = { ...seller, documentoFrente: new Uint8Array(9), documentoVerso: new Uint8Array(9), selfie: new Uint8Array(9) };
 * const { result } = await onboarding.submitPf(form, { key });
 * ```
 */
export function createDurableOnboarding<Transaction = never>(
  platform: Pick<PaymentPlatform, 'onboarding' | 'merchant'>,
  options: DurableRequestOptions<Transaction, OnboardingRegistration>,
): DurableOnboarding<Transaction> {
  return new DurableOnboarding(platform, options);
}
