import { isRecord } from '../input/record.js';
import { anObject, checked } from './options.js';

type Fields = Readonly<Record<string, unknown>>;

/** Gives a notification the names of the SDK. */
export type ToSdkNames = (payload: Fields) => object;

/** The fields of a notification whose names are assumed: the API document does not state them. */
export const assumedFields: readonly string[] = ['refusalReason', 'subMerchant', 'split'];

/** The fields of a notification whose names the API document states. */
export const documentedFields: readonly string[] =
  'event id status amount paymentMethod createdAt externalReference card customer items upsell boleto'.split(
    ' ',
  );

/** The keys of the option: it is the client's, which has more of them. */
export const fieldKey =
  /^(payment\.(refusalReason|split|subMerchant(\.document(\.number|\.type)?)?|wallet|threeDSData|clientIp|statementDescriptor|metadata|pix|boleto)|(onboarding|certificates|webhooks|oauth|response)\.\w+)$/;

/** Where a name is used, as the client has it. */
const placeName = /^(request|query|response|notification|response-header)$/;

/** A name, or a path of names. */
const plainName = /^[A-Za-z_][\w-]{0,63}(\.[A-Za-z_][\w-]{0,63}){0,7}$/;

/** Reads the option `fieldNames`: a name, a path such as `data.split`, or an object with one as `notification`. */
export function readFieldNames(given: unknown, option: string): ToSdkNames | undefined {
  if (given === undefined) return undefined;
  const wireNames = new Map(assumedFields.map((property) => [property, property]));
  for (const [key, override] of Object.entries<unknown>({ ...anObject(given, option) })) {
    const path = `${option}.${key.slice(0, 40)}`;
    const names: Fields = isRecord(override) ? override : { notification: override };
    checked(key, fieldKey.test(key), path, 'is an unknown key');
    for (const [place, each] of Object.entries(names)) {
      const isName = each === undefined || (typeof each === 'string' && plainName.test(each));
      checked(
        each,
        isName && placeName.test(place),
        path,
        'must be a plain name, or a path such as data.name',
      );
    }
    const name = names.notification;
    const property = key.slice('payment.'.length);
    if (name === undefined || !wireNames.has(property)) continue;
    wireNames.set(property, name as string);
  }
  const moved = [...wireNames];
  for (const [property, name] of moved) {
    const isTaken = moved.some(([other, taken]) => taken === name && other !== property);
    checked(
      name,
      !isTaken && !documentedFields.includes(name),
      `${option}.payment.${property}`,
      `cannot be ${name}: another field of the notification has that name`,
    );
  }
  return (payload) => renamed(payload, moved);
}

/** A copy with the names of the SDK. A name that leads into other objects leaves them as they are. */
function renamed(payload: Fields, moved: readonly (readonly [property: string, name: string])[]): object {
  const copy: Record<string, unknown> = { ...payload };
  for (const [, name] of moved) delete copy[name];
  for (const [property, name] of moved) {
    const value = valueAt(payload, name);
    if (value !== undefined) copy[property] = value;
  }
  return copy;
}

const valueAt = (payload: Fields, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      payload,
    );
