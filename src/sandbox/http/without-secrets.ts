import { parseJson } from '../../contract/json.js';
import { isRecord } from '../../contract/record.js';
import { modulo10 } from '../payments/boleto.js';
import { UploadedFile } from './uploaded-file.js';

/** Where a value stands. Both are plain names. */
interface Place {
  readonly name: string;
  readonly parent: string;
}

const nowhere: Place = { name: '', parent: '' };

const hidden = '***';

/** Plain names of fields whose values are secret, whatever they are. */
const secretNames = new Set(
  'cvv cvc cvc2 cvv2 cardcvv securitycode clientsecret hmacsecret accesstoken refreshtoken password token secret apikey authorization'.split(
    ' ',
  ),
);

/** Plain names of fields that carry a PAN. */
const panNames = new Set(['number', 'pan', 'cardnumber']);

/** Plain names of fields that carry a CPF or CNPJ, which may pass for a PAN. */
const taxNames = new Set(['document', 'documentnumber', 'cpf', 'cnpj', 'representativecpf']);

/** Digits of a PAN in a field of that name, and of one that may stand anywhere. */
const shortestPan = 12;
const shortestRun = 13;
const longestPan = 19;

/**
 * A copy of a body as it may be kept: secrets hidden, PANs masked to their last four characters, of a
 * file what it is without its bytes. Looks into arrays, nested objects and JSON in text.
 */
export function withoutSecrets(value: unknown, place: Place = nowhere): unknown {
  if (value === undefined || value === null) return value;
  if (secretNames.has(place.name)) return hidden;
  if (value instanceof UploadedFile) {
    const { filename } = value;
    return { ...value, filename: filename === undefined ? undefined : withoutPans(filename) };
  }
  if (typeof value === 'string' || typeof value === 'number') return withoutPan(value, place);
  if (isCardNumber(place)) return hidden;
  if (Array.isArray(value)) return value.map((entry) => withoutSecrets(entry, place));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      withoutPans(name),
      withoutSecrets(entry, placeOf(name, place)),
    ]),
  );
}

/** A path with its query, as it may be kept. What is harmless stays as it was written. */
export function pathWithoutSecrets({ pathname, search }: URL): string {
  const path = pathname.split('/').map(partWithoutPans).join('/');
  const query = search.split('&').map((parameter) => {
    const [, start = '', name = '', value] = /^(\??)([^=]*)(?:=(.*))?$/s.exec(parameter) ?? [];
    if (value === undefined) return start + partWithoutPans(name);
    const place = placeOf(decoded(name), nowhere);
    const kept = String(withoutSecrets(decoded(value), place));
    return `${start}${partWithoutPans(name)}=${kept === decoded(value) ? value : encodeURIComponent(kept)}`;
  });
  return path + query.join('&');
}

function partWithoutPans(part: string): string {
  const text = decoded(part);
  const kept = withoutPans(text);
  return kept === text ? part : encodeURIComponent(kept);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Forms write places into names: `card[number]`, `card.number`, `cards[0][number]`. */
function placeOf(name: string, { name: around, parent }: Place): Place {
  const names = name.split(/[.[\]]+/).filter((part) => !/^\d*$/.test(part));
  const [last, before] = names.map(plain).reverse();
  return last === undefined ? { name: around, parent } : { name: last, parent: before ?? around };
}

/** `client_secret`, `clientSecret` and `client-secret` are one name. */
const plain = (name: string) => name.replace(/[_-]/g, '').toLowerCase();

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Whether a field can be nothing but a PAN. `number` alone may be that of a house. */
const isCardNumber = ({ name, parent }: Place) =>
  panNames.has(name) && (name !== 'number' || parent === 'card');

function withoutPan(value: string | number, place: Place): string | number {
  const text = String(value);
  if (isTaxNumber(text, place) || isPhone(text, place)) return value;
  const isDocument = place.name === 'number' && place.parent === 'document';
  if (
    isCardNumber(place) ||
    (panNames.has(place.name) && !isDocument && digitsOf(text).length >= shortestPan)
  ) {
    return masked(text);
  }
  const kept = isJson(text) ? jsonWithoutSecrets(text, place) : withoutPans(text);
  return kept === text ? value : kept;
}

function isTaxNumber(text: string, { name, parent }: Place): boolean {
  const isNamed = taxNames.has(name) || (name === 'number' && parent === 'document');
  return isNamed && /^(\d{11}|\d{14})$/.test(text.replace(/[.\-/ ]/g, ''));
}

/** E.164 has at most 15 digits; a Brazilian number without its plus sign has 13. */
const isPhone = (text: string, { name }: Place) =>
  name === 'phone' && digitsOf(text).length <= (text.startsWith('+') ? 15 : 13);

const isJson = (text: string) => /^\s*[[{]/.test(text);

function jsonWithoutSecrets(text: string, place: Place): string {
  try {
    const value = parseJson(text);
    const kept = JSON.stringify(withoutSecrets(value, place));
    return kept === JSON.stringify(value) ? text : kept;
  } catch {
    return withoutPans(text);
  }
}

/** A UUID, whose groups may all be digits, or digits with single separators between them. */
const uuidOrRun = /(\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)|\d(?:[ .-]?\d){12,}/gi;

/** Masks what has the length of a PAN, 13 to 19 digits, and passes the Luhn check. */
function withoutPans(text: string): string {
  return text.replace(uuidOrRun, (found, uuid?: string) => uuid ?? runWithoutPans(found));
}

/** Other numbers may stand beside a PAN, such as its expiry: every row of groups is looked at. */
function runWithoutPans(run: string): string {
  const groups = Array.from(run.matchAll(/\d+/g), ({ index, 0: digits }) => ({ index, digits }));
  let kept = '';
  let at = 0;
  for (const [order, { index }] of groups.entries()) {
    const end = index < at ? undefined : endOfPan(groups.slice(order, order + longestPan));
    if (end === undefined) continue;
    kept += run.slice(at, index) + masked(run.slice(index, end));
    at = end;
  }
  return kept + run.slice(at);
}

/** Where the PAN ends that begins with the first group; undefined when there is none. */
function endOfPan(groups: readonly { index: number; digits: string }[]): number | undefined {
  let pan = '';
  for (const { index, digits } of groups) {
    pan += digits;
    if (pan.length > longestPan) return undefined;
    if (pan.length >= shortestRun && isLuhn(pan)) return index + digits.length;
  }
  return undefined;
}

const isLuhn = (digits: string) => modulo10(digits.slice(0, -1)) === digits.slice(-1);

const masked = (text: string) => `${'*'.repeat(Math.max(text.length - 4, 0))}${text.slice(-4)}`;
