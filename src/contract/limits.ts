/**
 * Groups of operations that share a rate limit (API docs, Limits): sub-account changes, onboarding
 * submissions, or vault requests. No other operation has a documented rate limit.
 */
export type RateLimitGroup = 'submerchants' | 'onboarding' | 'vault';

/** The maximum number of requests per minute, by group. */
export interface RequestsPerMinute {
  readonly submerchants: number;
  /** `'submerchants'`: onboarding requests count towards the limit of `submerchants`. */
  readonly onboarding: number | 'submerchants';
  readonly vault: number;
}

export function findCount(
  perMinute: RequestsPerMinute,
  group: RateLimitGroup,
): { readonly group: RateLimitGroup; readonly limit: number } {
  const limit = perMinute[group];
  return limit === 'submerchants' ? { group: limit, limit: perMinute.submerchants } : { group, limit };
}

// These two limits are separate constants, because a webhook verifier needs only them.
export const webhookToleranceSeconds = 300;
export const webhookSecretLength = Object.freeze({ min: 16, max: 256 });

/** The limits that the API docs state (Limits), in the units given by their names. */
export const limits = Object.freeze({
  paymentAmountCents: Object.freeze({ min: 100, max: 15_000_000 }),
  idempotencyKeyLength: 255,
  pixExpirationSeconds: 1800,
  boletoDueDays: 30,
  upsellTokenMinutes: 15,
  oauthTokenSeconds: 3600,
  domainNameLength: 255,
  /**
   * Requests a minute. `submerchants` (creation and updates) and `onboarding` count per credential, `vault`
   * counts per IP. The API docs state 10 for the first two in one row, and leave open whether they count
   * together. An earlier statement in the same row is 5, for the calls under /v1/submerchants only.
   */
  requestsPerMinute: Object.freeze({ submerchants: 10, onboarding: 10, vault: 30 }),
  /** The earlier statement in the API docs about `submerchants`, in requests a minute per credential. */
  earlierSubmerchantsPerMinute: 5,
  webhookEndpointsPerOrganization: 3,
  webhookTimeoutSeconds: 30,
  webhookResends: 3,
  webhookToleranceSeconds,
  webhookSecretLength,
});
