import { limits } from '../../src/contract/limits.js';
import { integerReader, oneOf, validIf } from '../../src/validation/options.js';
import type { SignatureEncoding } from '../../src/webhooks/signature.js';
import { type Duration, isDuration, milliseconds } from '../time/duration.js';
import { type TimestampForm, timestampForms } from '../time/signed-timestamp.js';
import type { DefaultEntry } from './default-entry.js';
import { durationOption, type GivenOptions, Option, option } from './option.js';

/** Seconds before each of a delivery's three retries, counted from the previous failure. */
const resendDelaysSeconds = [30, 60, 120] as const;

const inWords = ([first, second, third]: typeof resendDelaysSeconds) => `${first}, ${second} and ${third}`;

/** In real milliseconds. */
const receiverPatience = 1_000;

/** The endpoints that are notified of a sub-account's payment: the merchant's, the sub-account's, or both. */
const audiences = ['both', 'merchant', 'submerchant'] as const;

/** The owners of the endpoints that are notified of a sub-account's payment. */
export type Audience = (typeof audiences)[number];

/** Whether an endpoint receives the events of its list or every transaction event. */
export type EventSubscriptions = 'listed' | 'all';

export const subscriptionsOption = option(oneOf('listed', 'all'), 'listed', {
  topic: 'Webhook subscription',
  default:
    "An endpoint receives the events in its list. If the list is empty, the endpoint receives all transaction events. With `createSandbox({ subscriptions: 'all' })`, an endpoint receives all transaction events, regardless of its list. If an event name nearly matches a documented name, the sandbox returns a 400 that suggests the documented name. The sandbox keeps any other name, but never sends an event with that name.",
  why: 'According to one section of the API docs, an endpoint receives all events. According to another section, it receives only the events in its list. The API docs also allow new event types.',
});

export const webhookOptions = {
  /**
   * The time before each of the three retries, counted from the previous failure. Default `['30s', '1m',
   * '2m']`.
   */
  resendDelays: new Option<readonly [Duration, Duration, Duration], readonly number[]>(
    validIf(
      (value) => Array.isArray(value) && value.length === 3 && value.every(isDuration),
      "must be a list of three durations, such as ['30s', '1m', '2m']",
    ),
    (value) => value?.map(milliseconds) ?? resendDelaysSeconds.map((seconds) => seconds * 1_000),
    {
      topic: 'Resends',
      default: `The sandbox resends a failed delivery up to three times: ${inWords(resendDelaysSeconds)} seconds after the previous failure. The sandbox does not follow a redirect, but counts it as a failure.`,
      why: 'Exponential backoff is documented, but the delays are not.',
    },
  ),
  /**
   * The endpoints that receive the notifications of a sub-account's payment (`subMerchant`). `both`
   * (default): the merchant's endpoints, and the sub-account's endpoints, which `webhooks.register({
   * submerchant })` registers. `merchant` or `submerchant`: only these endpoints.
   */
  audience: option(oneOf(...audiences), 'both', {
    topic: 'Audience of notifications',
    default:
      "The sandbox notifies the endpoints of the payment's merchant. If a sub-account owns the payment (`subMerchant`), the sandbox also notifies the sub-account's endpoints. In the sandbox, a sub-account has no credentials, so `webhooks.register({ submerchant })` creates its endpoints. These endpoints have their own limit and do not appear in the merchant's list of endpoints.",
    why: 'The API docs say that the platform notifies the merchant organization, the sub-account or both. They do not describe the cases.',
  }),
  /**
   * Sets an endpoint to `failed` after this number of failed deliveries in a row: an integer of at least 1. A
   * delivery has failed when its last retry has failed. Default: it stays active.
   */
  endpointFailsAfter: option(integerReader(1, 'a number of deliveries'), undefined, {
    topic: 'Webhook endpoint status',
    default:
      'However many deliveries fail, an endpoint stays active until you call `control.webhooks.setStatus`. With any other status, it receives neither deliveries nor resends, and does not get the missed ones after reactivation.',
    why: 'The transitions and the meaning of the statuses are undocumented.',
  }),
  /**
   * The handling of unknown fields in a registration or update: `refused` with 400 (default), or `ignored`.
   */
  unknownFields: option(oneOf('refused', 'ignored'), 'refused', {
    topic: 'Unknown field in a webhook endpoint',
    default:
      "The sandbox returns a 400 that names the field, so that a secret or URL sent under a different name is not lost. With `createSandbox({ webhooks: { unknownFields: 'ignored' } })`, the sandbox ignores the field. `fieldNames` changes the expected names.",
    why: 'The API docs do not describe unknown fields, and do not name the URL field for updates.',
  }),
  /** Real time that `clock.advance` waits for each attempt that gets no response. Default `'1s'`. */
  receiverPatience: durationOption(receiverPatience, {
    topic: 'Receivers and the clock',
    default: `\`clock.advance\` waits for deliveries in flight before it moves the clock. For each attempt without a response, it waits at most ${receiverPatience} ms of real time. The attempt times out once the clock has advanced by ${limits.webhookTimeoutSeconds} seconds, or after ${limits.webhookTimeoutSeconds} seconds of real time.`,
    why: 'A working receiver must not time out just because a test moved the clock.',
  }),
};

export const deliveryOptions = {
  /**
   * The maximum number of first attempts in flight to one endpoint: an integer of at least 1. Default 1: the
   * next notification is sent when the previous one's first attempt has ended.
   */
  concurrency: option(integerReader(1, 'a number of deliveries'), 1, {
    topic: 'Order of deliveries',
    default:
      'The sandbox sends the first attempts to an endpoint one after another, in the order of the events. Resends do not wait for first attempts. With `createSandbox({ deliveries: { concurrency: 20 } })`, up to 20 first attempts to an endpoint are in flight at once and can overtake each other.',
    why: 'The order is undocumented. A fixed order makes runs repeatable.',
  }),
};

/** The maximum number of concurrent first attempts per endpoint. */
export type DeliveryRules = GivenOptions<typeof deliveryOptions>;

/** Options for delivering notifications, for behaviour that the API docs leave open. */
export type WebhookRules = GivenOptions<typeof webhookOptions>;

/** Headers that every delivery has, or that frame the request. */
const reservedHeader =
  /^(content-(type|length|encoding)|user-agent|host|connection|transfer-encoding|expect|te|trailer|upgrade)$/i;

const aHeaderName = validIf<string>(
  (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value) && !reservedHeader.test(value),
  'must be the name of a header of your platform, such as x-service-signature',
);

/** API docs, Events, Signature. */
export const documentedHeaders = { timestamp: 'x-service-timestamp', signature: 'x-service-signature' };

const aFormat = validIf<string>(
  (value) => typeof value === 'string' && value.includes('{signature}') && !/[\r\n]/.test(value),
  'must have {signature}, such as t={timestamp},v1={signature}',
);

export const signatureOptions = {
  /** The encoding of the signature. Default `hex`. */
  encoding: option<SignatureEncoding, SignatureEncoding>(oneOf('hex', 'base64'), 'hex'),
  /** Format of the signature header, such as `t={timestamp},v1={signature}`. Default `{signature}`. */
  format: option<string, string>(aFormat, '{signature}'),
  /** The format of the signed timestamp. Default `seconds`. */
  timestamp: option<TimestampForm, TimestampForm>(oneOf(...timestampForms), 'seconds'),
  /**
   * The names of the two headers, if your platform's names differ from the API docs. `verify` has the same
   * option.
   */
  headerNames: {
    /** Default `x-service-timestamp`. */
    timestamp: option<string, string>(aHeaderName, documentedHeaders.timestamp),
    /** Default `x-service-signature`. */
    signature: option<string, string>(aHeaderName, documentedHeaders.signature),
  },
};

/** Options for signing notifications. The API docs leave the details of signing open. */
export type SignatureOptions = GivenOptions<typeof signatureOptions>;

export const webhookDefaults: readonly DefaultEntry[] = [
  {
    topic: 'Webhook endpoint limits',
    default: 'The sandbox returns 400 for a fourth endpoint and for a URL that is already registered.',
    why: 'The limit is documented, but the response is not. In the sandbox, a merchant or sub-account cannot have two endpoints with the same URL.',
    fixed: 'The limit is documented, and the API docs list 400 for invalid data.',
  },
  subscriptionsOption,
  webhookOptions.endpointFailsAfter,
  {
    topic: 'Webhook endpoint update',
    default:
      'The sandbox returns 200 with the endpoint. Omitted fields stay unchanged, and the URL must follow the same rules as at registration. Later attempts, including resends, go to the new URL and are signed with the new secret.',
    why: 'Only the rules for `hmac_secret` are documented.',
    fixed:
      'With this default, pending resends reach the new URL. To sign with the old secret, add a fault to `webhooks.faults`.',
  },
  webhookOptions.unknownFields,
  webhookOptions.audience,
  {
    topic: 'Notification payload',
    default:
      'The payload is `{ event, ...payment, notificationId }` without the upsell token. For a boleto, it also has `boleto.digitableLine`.',
    why: 'Only `event` and `boleto.digitableLine` are documented.',
    option: 'fieldNames',
  },
  {
    topic: 'notificationId',
    default:
      "For each status change, the sandbox derives a UUID from the seed and uses it as the `notificationId`. The specific and the generic event have the same id, at every endpoint and in every resend. The payment's next status change has a different id.",
    why: "Receivers must deduplicate by stable identifiers in the payload. The only identifier that the API docs imply is the payment's ID, and the specific and the generic event differ only by name.",
    option: 'fieldNames',
  },
  {
    topic: 'Signature',
    default:
      'The signature is hexadecimal and covers a timestamp in seconds. `createSandbox({ signature })` selects other encodings and units. Every attempt gets a new signature.',
    why: 'The encoding and the unit are undocumented.',
    option: 'signature',
  },
  webhookOptions.resendDelays,
  deliveryOptions.concurrency,
  {
    topic: 'Requests that arrive late',
    default: `An attempt times out ${limits.webhookTimeoutSeconds} seconds after it starts, even if a fault in \`webhooks.faults\` delays its request. The request arrives anyway, with its original timestamp, and the sandbox ignores the response.`,
    why: 'The API docs do not say how the platform treats a response that arrives after the timeout.',
    fixed: 'The timeout is documented, and the faults `delay` and `reorder` select which requests are late.',
  },
  webhookOptions.receiverPatience,
];
