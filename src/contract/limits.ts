/** Numbers the API document states (Limits), in the units their names give. */
export const limits = Object.freeze({
  paymentAmountCents: Object.freeze({ min: 100, max: 15_000_000 }),
  idempotencyKeyLength: 255,
  pixExpirationSeconds: 1800,
  boletoDueDays: 30,
  upsellTokenMinutes: 15,
  webhookEndpointsPerOrganization: 3,
  webhookTimeoutSeconds: 30,
  webhookResends: 3,
  webhookToleranceSeconds: 300,
  webhookSecretLength: Object.freeze({ min: 16, max: 256 }),
});
