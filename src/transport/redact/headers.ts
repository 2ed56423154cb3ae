import { uuidForm } from '../../contract/patterns.js';
import { redacted, type ShownText } from './shown-text.js';
import { isKnownWord } from './vocabulary.js';

/** Whether all words of a value are harmless, as those of a media type are. */
const isHarmless = (value: string, shown: ShownText) => shown.text(value) === value;
const isNumber = (value: string) => /^\d{1,10}$/.test(value);
/** A date as RFC 9110 writes it: of other letters and digits none is made. */
const isDate = (value: string) => new Date(value).toUTCString() === value;
const isTrace = (value: string) => /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(value);

/** The form that the value of a header has where it is shown. */
const forms: ReadonlyMap<string, (value: string, shown: ShownText) => boolean> = new Map([
  ...['accept', 'cache-control', 'connection', 'content-encoding', 'content-type', 'transfer-encoding'].map(
    (name) => [name, isHarmless] as const,
  ),
  ...['age', 'content-length'].map((name) => [name, isNumber] as const),
  ['date', isDate],
  ['retry-after', (value) => isNumber(value) || isDate(value)],
  ['traceparent', isTrace],
]);

/** A caller sent them: they are its own, and neither secret nor personal. */
const ownHeaders = new Set(['client-id', 'user-agent', 'x-idempotency-key']);

/** The headers of a request, for a hook. */
export function shownRequestHeaders(
  headers: Readonly<Record<string, string>>,
  shown: ShownText,
): Record<string, string> {
  return shownHeaders(headers, shown, (name) => ownHeaders.has(name));
}

/** The headers of an answer, for a hook. Those whose names are made of unknown words are left out. */
export function shownAnswerHeaders(
  headers: Readonly<Record<string, string>>,
  requestIdHeader: string,
  shown: ShownText,
): Record<string, string> {
  const { [requestIdHeader]: requestId, ...others } = headers;
  const named = Object.entries(others).filter(([name]) => shown.isName(name));
  const id = shownRequestId(requestId, shown);
  return {
    ...shownHeaders(Object.fromEntries(named), shown, () => false),
    ...(requestId !== undefined && { [requestIdHeader]: id ?? redacted }),
  };
}

function shownHeaders(
  headers: Readonly<Record<string, string>>,
  shown: ShownText,
  isOwn: (name: string) => boolean,
): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const isLimit = name.startsWith('x-ratelimit-') && isNumber(value);
    const hasForm = isLimit || forms.get(name)?.(value, shown) === true;
    // The digits of a number or a date may be some that the call sent.
    const isShown = isOwn(name) || (hasForm && !shown.repeatsHidden(value));
    all[name] = isShown ? value : redacted;
  }
  return all;
}

/** A UUID, a ULID, a trace id, or a known word with a number: `req_1042`, `req_9f8e7d6c5b4a`. */
const requestIds: readonly RegExp[] = [
  uuidForm,
  /^[0-9A-HJKMNP-TV-Z]{26}$/,
  // A card number has no letters.
  /^(?=.*[a-f])(?:[\da-f]{16}|[\da-f]{32})$/,
  /^\d{1,6}$/,
];
const namedId = /^([a-z]{1,12})[-_](?:\d{1,6}|(?=[\da-f]*[a-f])[\da-f]{8,24})$/;

const isRequestId = (value: string) =>
  requestIds.some((form) => form.test(value)) || isKnownWord(namedId.exec(value)?.[1] ?? '');

/** The platform's identifier of a request, unless it has the form of none or repeats what the call sent. */
export function shownRequestId(value: string | undefined, shown: ShownText): string | undefined {
  return value !== undefined && isRequestId(value) && !shown.repeatsHidden(value) ? value : undefined;
}
