import { limits } from '../../contract/limits.js';
import type { Choice } from './choice.js';
import { receiverPatience, resendDelaysSeconds } from './values.js';

/** What the API document leaves open about webhook endpoints and deliveries. */
export const webhookChoices: readonly Choice[] = [
  {
    topic: 'Webhook endpoint limits',
    choice: '400 for a fourth endpoint and for a URL that is already registered.',
    why: 'The limit is documented and its answer is not; the list has one item per URL.',
    fixed: 'The limit is documented, and the document has 400 for invalid data.',
  },
  {
    topic: 'Webhook subscription',
    choice:
      "An endpoint receives the events of its list; an empty list means all transaction events. createSandbox({ subscriptions: 'all' }) sends every transaction event, whatever the list. Any other event name is accepted and kept, and nothing is ever sent for it.",
    why: 'The document has every endpoint subscribed to everything in one place and to some events in another, and allows new types.',
    option: 'subscriptions',
  },
  {
    topic: 'Webhook endpoint status',
    choice:
      'An endpoint stays active, however many deliveries fail, until control.webhooks.setStatus. With any other status it receives nothing, not even resends, and nothing is sent later in their place.',
    why: 'The transitions and the meaning of the statuses are undocumented.',
    option: 'webhooks.endpointFailsAfter',
  },
  {
    topic: 'Webhook endpoint update',
    choice:
      'Answers 200 with the endpoint. A field that is left out stays as it is; the URL rules are those of the registration. Later attempts, resends included, go to the new URL with the new secret.',
    why: 'Only the rules of hmac_secret are documented.',
    fixed: 'The reading in which nothing is lost; both secrets can be had with a fault of webhooks.faults.',
  },
  {
    topic: 'Audience of notifications',
    choice:
      "The endpoints of the payment's merchant. Of a payment that a sub-account owns (subMerchant), also those of the sub-account, which webhooks.register({ submerchant }) makes: a sub-account has no credentials in the sandbox. They count for a limit of their own, and the merchant's calls do not show them.",
    why: 'The document has notifications of the merchant organization, of the sub-account involved, or of both, without saying when.',
    option: 'webhooks.audience',
  },
  {
    topic: 'Notification payload',
    choice: '{ event, ...payment, notificationId }, and for a boleto also boleto.digitableLine.',
    why: 'Only event and boleto.digitableLine are documented.',
    option: 'fieldNames',
  },
  {
    topic: 'notificationId',
    choice:
      'A seeded UUID for each change of status: the same in the specific and the generic event, at every endpoint and in every resend. The next change of the payment has another one.',
    why: 'Receivers must be idempotent by stable identifiers of the payload. Only the id of the payment is implied, and the two events differ in nothing but their name.',
    option: 'fieldNames',
  },
  {
    topic: 'Signature',
    choice:
      'Hexadecimal, over a timestamp in seconds; createSandbox({ signature }) selects the other encodings and units. Every attempt is signed anew.',
    why: 'Encoding and unit are undocumented.',
    option: 'signature',
  },
  {
    topic: 'Resends',
    choice: `${resendDelaysSeconds.join(', ')} seconds after the failure before. Redirects are failures and are not followed.`,
    why: 'Exponential backoff is documented, the delays are not.',
    option: 'webhooks.resendDelays',
  },
  {
    topic: 'Order of deliveries',
    choice:
      'First attempts to one endpoint follow one another in the order of the events; resends do not wait for them.',
    why: 'Undocumented; a fixed order makes a run repeatable.',
    fixed: 'A fixed order makes a run repeatable; the faults reorder and delay give others.',
  },
  {
    topic: 'Requests that arrive late',
    choice: `An attempt has failed ${limits.webhookTimeoutSeconds} seconds after it began, also where a fault of webhooks.faults keeps its request on the way. The request still arrives, with the timestamp of its beginning, and its answer has no effect.`,
    why: 'What the platform does with an answer after its timeout is undocumented.',
    fixed: 'The time is documented; the faults delay and reorder select which requests are late.',
  },
  {
    topic: 'Receivers and the clock',
    choice: `clock.advance waits for deliveries in flight before it moves. It waits at most ${receiverPatience} ms of real time for a receiver that does not answer; the attempt times out when the clock has moved by ${limits.webhookTimeoutSeconds} seconds, or after as many seconds of real time.`,
    why: 'A healthy receiver must not time out only because a test moved the clock.',
    option: 'webhooks.receiverPatience',
  },
];
