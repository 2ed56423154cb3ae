/**
 * The operations that share a rate limit (API document, Limits): changes to sub-accounts, or calls to the
 * vault. Other operations have no documented rate limit.
 */
export type RateLimitGroup = 'submerchants' | 'vault';

/** The numbers that the API document states (Limits), in the units given by their names. */
export const limits = Object.freeze({
  paymentAmountCents: Object.freeze({ min: 100, max: 15_000_000 }),
  idempotencyKeyLength: 255,
  pixExpirationSeconds: 1800,
  boletoDueDays: 30,
  upsellTokenMinutes: 15,
  oauthTokenSeconds: 3600,
  domainNameLength: 255,
  /**
   * Requests a minute. `submerchants` (per credential): creation, updates and onboarding. The API document
   * is inconsistent: it states 10 for all of these, and earlier 5 for those under /v1/submerchants.
   * `vault`: per IP.
   */
  requestsPerMinute: Object.freeze({ submerchants: 10, vault: 30 }),
  webhookEndpointsPerOrganization: 3,
  webhookTimeoutSeconds: 30,
  webhookResends: 3,
  webhookToleranceSeconds: 300,
  webhookSecretLength: Object.freeze({ min: 16, max: 256 }),
});
