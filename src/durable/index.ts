import type { PaymentPlatform } from '../client.js';
import { DurablePayments } from './durable-payments.js';
import type { DurableOptions } from './options.js';

export type { DurableErrorCode } from '../errors/base.js';
export { StoreError } from '../errors/store.js';
export { type MemoryPaymentsOptions, memoryPayments } from '../stores/memory/payments.js';
export type { DurableState, NewRow, PaymentRow, RowChange, RowError } from '../stores/payment-row.js';
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
export type { DurablePayments, Observed, SettledPayment } from './durable-payments.js';
export type { Merchant } from './merchant-store.js';
export type {
  EnqueueOptions,
  FormerMerchant,
  ListOptions,
  ObserveOptions,
  RecordOptions,
  RefreshOptions,
  SettleDueOptions,
} from './method-options.js';
export type { DurableFailure, DurableOptions } from './options.js';
export type { OverduePayments } from './overdue.js';
export type { DurablePayment } from './payload.js';
export type { PaymentRecord } from './payment-record.js';
export type { RunOptions } from './payment-worker.js';
export { paymentStoreChecks, type StoreCheck } from './store-checks.js';

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
