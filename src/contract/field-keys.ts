import type { FieldName } from './assumptions.js';

/**
 * The keys of all assumed names, for those who know no more of them: a receiver of notifications is small.
 * The compiler compares them with the tables.
 */
const keys: Readonly<Record<FieldName, true>> = {
  'payment.subMerchant.document': true,
  'payment.subMerchant.document.number': true,
  'payment.subMerchant.document.type': true,
  'payment.split': true,
  'payment.wallet': true,
  'payment.threeDSData': true,
  'payment.clientIp': true,
  'payment.statementDescriptor': true,
  'payment.metadata': true,
  'payment.pix': true,
  'payment.boleto': true,
  'payment.refusalReason': true,
  'payment.subMerchant': true,
  'onboarding.status': true,
  'certificates.type': true,
  'webhooks.webhook_url': true,
  'oauth.grant_type': true,
  'oauth.access_token': true,
  'oauth.expires_in': true,
  'response.requestId': true,
};

export const fieldKeys: readonly string[] = Object.keys(keys);
