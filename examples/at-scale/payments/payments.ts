import type { PaymentPlatform } from 'payment-platform';
import { createDurablePayments, type PaymentRecord, postgresPayments } from 'payment-platform/durable';
import type { Pool } from 'pg';
import { milliseconds } from '../settings.js';

/** Opens the durable payments. Every process of the shop does so. */
export const openPayments = (platform: PaymentPlatform, pool: Pool) =>
  createDurablePayments(platform, {
    store: postgresPayments(pool),
    timeout: milliseconds('PAYMENT_TIMEOUT', 30_000),
    retryDelay: milliseconds('RETRY_DELAY', 5_000),
    maxRetryDelay: milliseconds('MAX_RETRY_DELAY', 600_000),
    onFailed: ({ key, error }: PaymentRecord) => console.error(`${key} was not charged:`, error?.message),
    onGivenUp: ({ key }: PaymentRecord) => console.error(`${key}: somebody must look whether it was charged`),
  });
