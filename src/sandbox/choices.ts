import { limits } from '../contract/limits.js';
import { defaultMaxBody, largestText } from './http/receive.js';

/** One thing the API document leaves open, and what this sandbox does about it. */
export interface Choice {
  readonly topic: string;
  readonly choice: string;
  readonly why: string;
}

/** Statuses of answers for which the document shows none. */
export const answerStatus = Object.freeze({
  paymentCreated: 201,
  paymentReplayed: 200,
  webhookCreated: 201,
  cardTokenized: 201,
  submerchantCreated: 201,
  withdrawalCreated: 201,
  acquirerUnknown: 502,
  keyReused: 400,
  notABoleto: 400,
  unfitParameter: 404,
  notResubmittable: 400,
});

/** Waiting times before the three resends of a delivery, each counted from the failure before it. */
export const resendDelaysSeconds: readonly number[] = Object.freeze([30, 60, 120]);

/** How long, in real milliseconds, `clock.advance` waits for a receiver that does not answer. */
export const receiverPatience = 1_000;

/** Where each control takes a payment, and from where. */
export const transitions = Object.freeze({
  pay: { from: ['waiting_payment', 'in_analysis'], to: 'paid' },
  refuse: { from: ['waiting_payment', 'in_analysis'], to: 'refused' },
  refund: { from: ['paid'], to: 'refunded' },
  chargeback: { from: ['paid'], to: 'chargedback' },
  cancel: { from: ['waiting_payment', 'in_analysis'], to: 'cancelled' },
  expire: { from: ['waiting_payment'], to: 'expired' },
} as const);

/** The reason that refused payments carry. */
export const refusal = Object.freeze({
  code: 'refused_by_issuer',
  message: 'The issuer refused the payment.',
});

const transitionsInWords = Object.entries(transitions)
  .map(([action, { from, to }]) => `${action}: ${from.join(' or ')} to ${to}`)
  .join('; ');

/** About payments, webhooks and what all operations have in common. */
export const paymentChoices: readonly Choice[] = [
  {
    topic: 'Names that are not shown',
    choice:
      'The defaults of the SDK, all of them in its `assumptions`; `fieldNames` of a client does not change them here.',
    why: 'Client and sandbox read the same list of assumed names.',
  },
  {
    topic: 'Error bodies',
    choice:
      '{ error: { code, message, issues: [{ path, message }] } }. Every problem of a body is in issues, and the message names the first of them.',
    why: 'The shape is not shown; a list saves a round trip for each mistake, and the message is what clients show.',
  },
  {
    topic: 'Success statuses',
    choice: `${answerStatus.paymentCreated} for what is created: payments, webhook endpoints, sub-accounts, withdrawals, card tokens, domains. ${answerStatus.paymentReplayed} for a replayed payment, a domain that is registered already, and everything else but onboarding, whose 202 is shown. A replayed creation of a sub-account has the status of the first.`,
    why: 'Not shown, but for onboarding; a replayed payment creates nothing, and a sub-account has the same response.',
  },
  {
    topic: 'Request identifiers',
    choice:
      'Every answer of the platform carries a seeded x-request-id; one that a fault puts in its place does not, nor does a refusal before the platform: 400, 403, 413, 421.',
    why: 'No header is shown; this is the one the SDK assumes.',
  },
  {
    topic: 'Unknown paths and methods',
    choice: '404, before the credentials are looked at. HEAD is answered as GET, without the body.',
    why: 'Only the 404 of withdrawals is shown.',
  },
  {
    topic: 'Hosts and origins',
    choice:
      'A server answers 421 to a Host that is neither its own (the addresses it listens on; on loopback and on every interface also 127.0.0.1, localhost and [::1], each with its port) nor in listen({ allowedHosts }); 400 without a Host, with more than one, and to a path with "." or ".."; 403 to an Origin that is not its own and to what a browser calls cross-site or same-site. Nothing is carried out or written to the journal, and no CORS header is sent. In process there is nothing to check.',
    why: 'A web page must not reach a sandbox on loopback, neither across origins nor by DNS rebinding.',
  },
  {
    topic: 'Bodies that are too large',
    choice: `413, before they are read in full: beyond ${largestText} bytes, for multipart/form-data beyond ${defaultMaxBody} or createSandbox({ maxBody }). A form without valid credentials is read and answered 401; of more than ${largestText} bytes nothing is kept. The journal has no entry for a 413.`,
    why: 'Size limits are not shown; a caller without credentials must not fill the memory, and one whose token has expired must be told.',
  },
  {
    topic: 'Bodies that cannot be read',
    choice:
      '400 for another content type, for an empty body, for JSON that is invalid, not UTF-8 or nests too deep, and for multipart/form-data that is malformed or has a text of more than 1 MB. A body where none is expected is passed over.',
    why: 'The document shows 400 for invalid data and no other status of this kind.',
  },
  {
    topic: 'x-idempotency-key out of bounds',
    choice:
      '400 when it is empty or longer than 255 characters; where it is required, when it is missing or no UUID v4. Where the document shows no key it is passed over.',
    why: 'The rules are stated, the answer is not.',
  },
  {
    topic: 'A key reused with another payload, on payments',
    choice: `${answerStatus.keyReused}, code idempotency_key_reused. The payload is compared as JSON; the order of its keys is irrelevant.`,
    why: 'The 409 of the document is for sub-accounts; on payments a 409 means an unknown outcome.',
  },
  {
    topic: 'First attempt with an unknown outcome',
    choice: `${answerStatus.acquirerUnknown}, then 409 for every valid request with the key, whatever its payload, until control.payments.resolve. Without a key nothing is charged and nothing can be resolved.`,
    why: 'The document states the 409 and not the first answer.',
  },
  {
    topic: 'Resolving an unknown outcome',
    choice:
      "'created' creates the payment at that moment, approved where the card is the unknown one. 'not-created' frees the key: the next request with it is processed normally, and the unknown card is approved.",
    why: 'Reconciliation is named and not described.',
  },
  {
    topic: 'Payment transitions',
    choice: `${transitionsInWords}. Anything else is an error of the control.`,
    why: 'Not shown; these are the ones the names of the events imply.',
  },
  {
    topic: 'Statuses after a chargeback, a cancellation and an expiry',
    choice: 'chargedback, cancelled and expired are payment statuses.',
    why: 'Events of these names exist; whether the payments API returns them is not shown.',
  },
  {
    topic: 'First status',
    choice:
      'Pix and boleto wait for payment. A card is decided by its number, sent or in the vault (testCards, testCardTokens), and any other number is approved. A wallet is decided by a text of testWalletTokens anywhere in its block, and any other is approved. An upsell charge is approved, unless the card of its origin was testCards.upsellRefused.',
    why: 'A test decides the outcome by what it sends.',
  },
  {
    topic: 'Vault tokens',
    choice: `POST /v1/vault/tokenize takes the fields of an open card, of which number is required (12 to 19 digits), and answers ${answerStatus.cardTokenized} { cardTokenId, brand, last4 }, without brand and last4 when the prefix belongs to no known brand. A payment takes what its merchant's vault issued, and testCardTokens; any other cardTokenId answers 400.`,
    why: 'Its shape is not shown; these are the names that payments use.',
  },
  {
    topic: 'Card in the answer',
    choice:
      'brand (lower case, from the prefix) and last4; absent when the prefix belongs to no known brand. A wallet payment has only wallet.type, an upsell payment the card of its origin.',
    why: 'The document gives both fields or none, says wallet payments omit them, and shows wallet.type.',
  },
  {
    topic: 'Customer in the answer',
    choice:
      'Name, email and document as sent, null for the rest. An upsell payment shows the customer of its origin; any other that sends none shows none.',
    why: 'It is present when available.',
  },
  {
    topic: 'refusalReason',
    choice: `{ code: '${refusal.code}', message }.`,
    why: 'Its shape is not shown.',
  },
  {
    topic: 'Upsell token',
    choice:
      'A UUID, issued when the payment becomes paid, also after analysis; never for testCards.withoutUpsell. It is shown while it is valid, unused and the payment is paid.',
    why: 'The document says 15 minutes, one use and best effort; it does not say what a replay shows after them.',
  },
  {
    topic: 'Unusable upsell token',
    choice:
      "400 when it is unknown, another merchant's, expired, used, or held by a charge with an unknown outcome.",
    why: 'Not shown; the charge cannot be made.',
  },
  {
    topic: 'externalId',
    choice: 'It may repeat.',
    why: "It is the merchant's unique identifier; that the platform insists is not shown.",
  },
  {
    topic: 'Pix expiration',
    choice: 'At least 1 second. The charge expires by itself on the clock.',
    why: 'Only the unit and the default are stated.',
  },
  {
    topic: 'Boleto due date',
    choice:
      'YYYY-MM-DD or an ISO 8601 timestamp, not in the past, otherwise 400. The boleto expires at the end of that day, UTC.',
    why: 'The format is not shown; the timestamps of the document are UTC.',
  },
  {
    topic: 'digitableLine',
    choice:
      '47 digits with valid check digits, of a bank that does not exist (999); in notifications and on the PDF only.',
    why: 'Its format is not shown; receivers may check the digits.',
  },
  {
    topic: 'Boleto PDF of another payment method',
    choice: `${answerStatus.notABoleto}, code not_a_boleto; 404 for an unknown payment.`,
    why: 'Neither is shown.',
  },
  {
    topic: 'Webhook endpoint limits',
    choice: '400 for a fourth endpoint and for a URL that is registered already.',
    why: 'The limit is stated and its answer is not; the list has one item per URL.',
  },
  {
    topic: 'Webhook subscription',
    choice:
      "The events of the list are honoured; an empty list means all transaction events. createSandbox({ subscriptions: 'all' }) sends every transaction event, whatever the list. Any other name is accepted and kept, and nothing is ever sent for it.",
    why: 'The document says both that everything is subscribed and that an endpoint may be subscribed to some, and that new types can be added.',
  },
  {
    topic: 'Webhook endpoint status',
    choice:
      'An endpoint is active and stays active, however many deliveries fail, until control.webhooks.setStatus. Any other status receives nothing, resends included, and nothing is made up for later.',
    why: 'The transitions are not shown, nor what the statuses mean.',
  },
  {
    topic: 'Webhook endpoint update',
    choice:
      'Answers 200 with the endpoint. Every field may be left out and then stays as it is; the URL rules are those of the registration. Attempts that follow, resends included, go to the new URL with the new secret.',
    why: 'The document states the rules of hmac_secret and nothing else.',
  },
  {
    topic: 'Audience of notifications',
    choice: "The endpoints of the payment's merchant, and nobody else's.",
    why: 'The platform rules are named and not shown, and a sub-account has no credentials here.',
  },
  {
    topic: 'Notification payload',
    choice: '{ event, ...payment, notificationId }, and for a boleto also boleto.digitableLine.',
    why: 'Only event and boleto.digitableLine are shown.',
  },
  {
    topic: 'notificationId',
    choice:
      'A seeded UUID for each change of status: the same in the specific event and its generic twin, at every endpoint and in every resend; the next change of the payment has another one.',
    why: 'Receivers must be idempotent by stable identifiers of the payload, and none but the id of the payment is implied; the twins differ in nothing but event.',
  },
  {
    topic: 'Signature',
    choice:
      'Hexadecimal, over a timestamp in seconds; createSandbox({ signature }) selects the other encodings and units. Every attempt is signed anew.',
    why: 'Neither the encoding nor the unit is shown.',
  },
  {
    topic: 'Resends',
    choice: `${resendDelaysSeconds.join(', ')} seconds after the failure before. Redirects are failures and are not followed.`,
    why: 'Exponential backoff is stated, the delays are not.',
  },
  {
    topic: 'Order of deliveries',
    choice:
      'First attempts to one endpoint go one after the other in the order of the events; resends do not wait for them.',
    why: 'Not shown; a fixed order makes a run repeatable.',
  },
  {
    topic: 'Receivers and the clock',
    choice: `clock.advance lets deliveries in flight finish before it moves; a receiver that has not answered after ${receiverPatience} ms of real time is left behind, and times out when the clock has moved by ${limits.webhookTimeoutSeconds} seconds, or after as many of real time.`,
    why: 'A healthy receiver never times out only because a test moved the clock.',
  },
];
