import { operations } from '../../src/contract/index.js';
import { limits } from '../../src/contract/limits.js';
import { durableDefaults } from '../../src/durable/options.js';
import { clientDefaults } from '../../src/options.js';
import { maxBodyBytes } from '../../src/transport/send/http-client.js';
import { receiverDefaults } from '../../src/webhooks/receiver-options.js';

const { paymentAmountCents, requestsPerMinute } = limits;

/** The numbers that pages show from the sources, by the name in the comment after the number. */
export const values: Readonly<Record<string, number>> = {
  'api.client-endpoints': operations.length - 1,
  'api.endpoints': operations.length,
  'client.timeout-seconds': clientDefaults.timeout / 1_000,
  'client.max-retries': clientDefaults.maxRetries,
  'client.max-body-mib': maxBodyBytes / 2 ** 20,
  'durable.give-up-after': durableDefaults.giveUpAfter,
  'durable.lease-seconds': (2 * durableDefaults.timeout) / 1_000,
  'durable.max-retry-delay': durableDefaults.maxRetryDelay,
  'durable.retry-delay': durableDefaults.retryDelay,
  'durable.timeout': durableDefaults.timeout,
  'limits.amount-max': paymentAmountCents.max,
  'limits.amount-min': paymentAmountCents.min,
  'limits.boleto-days': limits.boletoDueDays,
  'limits.key-length': limits.idempotencyKeyLength,
  'limits.pix-minutes': limits.pixExpirationSeconds / 60,
  'limits.token-seconds': limits.oauthTokenSeconds,
  'limits.upsell-minutes': limits.upsellTokenMinutes,
  'limits.vault-per-minute': requestsPerMinute.vault,
  'limits.webhook-resends': limits.webhookResends,
  'limits.webhook-timeout-seconds': limits.webhookTimeoutSeconds,
  'limits.webhook-tolerance-seconds': limits.webhookToleranceSeconds,
  'receiver.handler-timeout-seconds': receiverDefaults.handlerTimeout / 1_000,
  'receiver.lease-seconds': receiverDefaults.lease / 1_000,
};
