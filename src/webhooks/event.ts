import type { WebhookEvent } from '../contract/events.js';
import { WebhookVerificationError } from '../errors/webhook.js';
import { parseJson } from '../input/json.js';
import { isRecord } from '../input/record.js';
import { anObject, checked, readOptions } from './options.js';
import { rawBody } from './raw-body.js';
import { rawBodyHelp } from './raw-body-help.js';
import type { Delivery, RawBody, VerifyOptions } from './types.js';

/**
 * Reads a delivery of an endpoint that has no `hmac_secret`, so that it is not signed. **Anybody who knows the
 * URL can send it**: what it says may be false. Ship nothing on its word; take it as a hint to look the payment
 * up, or better, give the endpoint a secret (`webhooks.update`) and use `verify` or `createReceiver`.
 *
 * @throws WebhookVerificationError for what is no event.
 */
export function parseUnverified(
  body: Delivery['body'],
  options: Pick<VerifyOptions, 'fieldNames'> = {},
): WebhookEvent {
  const { fieldNames } = readOptions('webhooks', options, { fieldNames: readFieldNames });
  const raw = rawBody(body);
  if (raw === undefined) throw new WebhookVerificationError('body-already-parsed', rawBodyHelp());
  return readEvent(raw, fieldNames);
}

/**
 * Parses the body of an authentic delivery, and gives the event the field names of the SDK.
 *
 * @throws WebhookVerificationError
 */
export function readEvent(body: RawBody, toSdkNames?: ToSdkNames): WebhookEvent {
  const payload = parsed(body);
  if (!isRecord(payload))
    throw new WebhookVerificationError('malformed-payload', 'The body is not a JSON object.');
  if (typeof payload.event !== 'string' || payload.event === '')
    throw new WebhookVerificationError('missing-event', 'The body has no field `event`.');
  return (toSdkNames?.(payload) ?? payload) as WebhookEvent;
}

function parsed(body: RawBody): unknown {
  try {
    return parseJson(typeof body === 'string' ? body : utf8.decode(body));
  } catch (cause) {
    throw new WebhookVerificationError('malformed-payload', 'The body is not JSON.', cause);
  }
}

/** It throws for bytes that are not UTF-8. */
const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true });

type Fields = Readonly<Record<string, unknown>>;

/** Gives a notification the names of the SDK. */
export type ToSdkNames = (payload: Fields) => object;

/** The fields of a notification whose names are assumed: the API document does not state them. */
export const assumedFields: readonly string[] = ['refusalReason', 'subMerchant', 'split'];

/** The fields of a notification whose names the API document states. */
export const documentedFields: readonly string[] =
  /* @__PURE__ */ 'event id status amount paymentMethod createdAt externalReference card customer items upsell boleto'.split(
    ' ',
  );

/** The keys of the option. It is the option of the client, which has more keys than the three of a notification. */
export const fieldKey =
  /^(payment\.(refusalReason|split|subMerchant(\.document(\.number|\.type)?)?|wallet|threeDSData|clientIp|statementDescriptor|metadata|pix|boleto)|(onboarding|certificates|webhooks|oauth|response)\.\w+)$/;

/** Where a name is used, as the client has it. */
const placeName = /^(request|query|response|notification|response-header)$/;

/** A name, or a path of names. */
const plainName = /^[A-Za-z_][\w-]{0,63}(\.[A-Za-z_][\w-]{0,63}){0,7}$/;

/** Reads the option `fieldNames`: a name, a path such as `data.split`, or an object with one as `notification`. */
export function readFieldNames(given: unknown, option: string): ToSdkNames | undefined {
  if (given === undefined) return undefined;
  const wireNames = new Map(assumedFields.map((property) => [`payment.${property}`, property]));
  for (const [key, override] of Object.entries<unknown>({ ...anObject(given, option) })) {
    const path = `${option}.${key.slice(0, 40)}`;
    checked(key, fieldKey.test(key), path, 'is an unknown key');
    for (const [place, name] of Object.entries(isRecord(override) ? override : { notification: override })) {
      const isName = name === undefined || (typeof name === 'string' && plainName.test(name));
      const rule = 'must be a plain name, or a path such as data.name';
      checked(name, isName && placeName.test(place), path, rule);
      if (place === 'notification' && name !== undefined && wireNames.has(key))
        wireNames.set(key, name as string);
    }
  }
  const taken = [...documentedFields, ...wireNames.values()];
  for (const [key, name] of wireNames) {
    const isFree = taken.indexOf(name) === taken.lastIndexOf(name);
    checked(
      name,
      isFree,
      `${option}.${key}`,
      `cannot be ${name}: another field of the notification has that name`,
    );
  }
  return (payload) => {
    const event: Record<string, unknown> = { ...payload };
    for (const name of wireNames.values()) delete event[name];
    for (const [key, path] of wireNames) {
      const value = path.split('.').reduce<unknown>(ownValue, payload);
      if (value !== undefined) event[key.slice('payment.'.length)] = value;
    }
    return event;
  };
}

const ownValue = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
