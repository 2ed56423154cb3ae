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

/** Bytes. The limit of a body that is not a form, and of what is kept of a body without valid credentials. */
export const largestText = 1024 * 1024;

/** Bytes. The default limit of a form, files included. */
export const defaultMaxBody = 64 * 1024 * 1024;

/** The default of the platform's fee for a payment, in cents. */
export const defaultFee = 0;

/** The default of the milliseconds from a submission to its approval. */
export const defaultApproval = 10 * 60_000;

/** Days that a certificate is valid: about the 25 months of Apple's. */
export const certificateDays = 760;

/** The path of Apple Pay's verification file on a domain (API document, Payment-method domain). */
export const verificationPath = '/.well-known/apple-developer-merchantid-domain-association';

/** Real milliseconds in which the whole file must arrive. */
export const verificationTimeout = 10_000;

/** Bytes. A longer file is not read to its end. */
export const longestVerificationFile = 65_536;

/** Milliseconds from the submission of an onboarding to its review. */
export const reviewAfter = 60_000;

/** The `refusalReason` of a refused payment, unless its test card has another one. */
export const refusal = Object.freeze({
  code: 'refused_by_issuer',
  message: 'The issuer refused the payment.',
});
