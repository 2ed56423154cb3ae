// Values of behaviour that the API document leaves open. The other files of this folder describe them.

/** Statuses of answers whose status is undocumented. */
export const answerStatus = Object.freeze({
  paymentCreated: 201,
  paymentReplayed: 200,
  webhookCreated: 201,
  cardTokenized: 201,
  submerchantCreated: 201,
  withdrawalCreated: 201,
  acquirerUnknown: 502,
  keyReused: 400,
  paymentInvalid: 400,
  notABoleto: 400,
  unfitParameter: 404,
  notResubmittable: 400,
  domainRegistered: 201,
  domainKnown: 200,
});

/** Seconds before each of the three resends of a delivery, counted from the failure before it. */
export const resendDelaysSeconds: readonly number[] = Object.freeze([30, 60, 120]);

/** The endpoints that are notified of a payment with an owner sub-account: the merchant's, the sub-account's, or both. */
export const audiences = Object.freeze(['both', 'merchant', 'submerchant'] as const);

/** Real milliseconds that `clock.advance` waits for a receiver that does not answer. */
export const receiverPatience = 1_000;

/** Milliseconds from the submission of an onboarding to its review. */
export const reviewAfter = 60_000;

/** The `refusalReason` of a refused payment, unless its test card has another one. */
export const refusal = Object.freeze({
  code: 'refused_by_issuer',
  message: 'The issuer refused the payment.',
});
