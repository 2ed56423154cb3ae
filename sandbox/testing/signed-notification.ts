import { type TransactionEventName, transactionEvents } from '../../src/contract/events.js';
import { listIssues } from '../../src/validation/issue.js';
import { type OptionReaders, oneOf, readOptions, validIf } from '../../src/validation/options.js';
import { isRecord } from '../../src/validation/record.js';
import type { SignatureEncoding } from '../../src/webhooks/signature.js';
import { documentedHeaders } from '../defaults/webhooks.js';
import { signedTimestamp, type TimestampForm, timestampForms } from '../time/signed-timestamp.js';
import { computeSignature } from '../webhooks/signature.js';
import { samples } from './samples/samples.js';

/** Options for signing a notification. */
export interface NotificationOptions {
  /** The endpoint's `hmac_secret`. Without a secret, the notification is not signed. */
  secret?: string | undefined;
  /** The time of the signature, as a Date or in milliseconds since 1970. Default: now. */
  now?: Date | number | undefined;
  /** The encoding of the signature. Default `hex`. */
  encoding?: SignatureEncoding | undefined;
  /** The format of the signed timestamp. Default `seconds`. */
  timestamp?: TimestampForm | undefined;
  /** Additional headers, or replacements for the delivery's headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The URL of the Request. Default `https://shop.example/webhooks`. */
  url?: string | undefined;
}

/** A delivery, for a receiver in a test. */
export interface SignedNotification {
  /** The body, which is JSON. */
  readonly body: string;
  /** The headers of the delivery, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the same delivery for `receiver.fetch`, as a new Request with each call. */
  toRequest(): Request;
}

const aText = validIf<string>((value) => typeof value === 'string', 'must be a string');

const isTime = (value: unknown) => !Number.isNaN(new Date(value as Date | number).getTime());

const optionReaders: OptionReaders<NotificationOptions> = {
  secret: aText,
  now: validIf(
    (value) => (typeof value === 'number' || isRecord(value)) && isTime(value),
    'must be a Date or milliseconds since 1970',
  ),
  encoding: oneOf('hex', 'base64'),
  timestamp: oneOf(...timestampForms),
  headers: validIf(
    (input) => isRecord(input) && Object.values(input).every((value) => typeof value === 'string'),
    'must be an object of strings',
  ),
  url: validIf((value) => typeof value === 'string' && URL.canParse(value), 'must be a URL'),
};

/**
 * Creates a notification like the platform's deliveries (API docs, Events), to test a receiver without a
 * sandbox.
 *
 * @param notification an event, for a sample, or a payload to send unchanged.
 * @throws TypeError for an event that the API docs do not show, and for wrong options.
 */
export function signedNotification(
  notification: TransactionEventName | { readonly event: string; readonly [field: string]: unknown },
  options: NotificationOptions = {},
): SignedNotification {
  const { value, issues } = readOptions(options, optionReaders);
  if (value === undefined || issues.length > 0) throw new TypeError(listIssues('signedNotification', issues));
  const {
    secret,
    now,
    encoding = 'hex',
    timestamp = 'seconds',
    url = 'https://shop.example/webhooks',
  } = value;
  const body = JSON.stringify(readPayload(notification));
  const signedAt = signedTimestamp[timestamp](now === undefined ? new Date() : new Date(now));
  const signature = secret !== undefined && {
    [documentedHeaders.timestamp]: signedAt,
    [documentedHeaders.signature]: computeSignature(secret, signedAt, body, encoding),
  };
  const headers = Object.freeze({
    'content-type': 'application/json',
    'user-agent': 'Service-Webhook/1.0',
    ...signature,
    ...lowerCase(value.headers ?? {}),
  });
  return Object.freeze({
    body,
    headers,
    toRequest: () => new Request(url, { method: 'POST', headers, body }),
  });
}

function readPayload(notification: unknown): unknown {
  if (isRecord(notification) && typeof notification.event === 'string') return notification;
  if (typeof notification === 'string') return samples.notification(notification as TransactionEventName);
  throw new TypeError(
    `signedNotification: the notification must be one of ${transactionEvents.join(', ')}, or a payload with a field event.`,
  );
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
