import { parseJson } from '../../input/json.js';
import { isRecord } from '../../input/record.js';
import { decodeText } from './decode-text.js';
import { findPans } from './find-pans.js';
import { findSecrets, isSecretName, plainName } from './find-secrets.js';
import { UploadedFile } from './uploaded-file.js';

/** The plain names of a value's field and of the field around it. */
interface Place {
  readonly name: string;
  readonly parent: string;
}

const nowhere: Place = { name: '', parent: '' };

const hidden = '***';

/** Levels of nesting. Values below are hidden. */
const deepest = 128;

/** Plain names of fields for a PAN. */
const panNames = /^(?:number|pan|primaryaccountnumber|ccnumber)$|cardnumber$/;

/** Plain names of fields for a CPF or CNPJ, which may look like a PAN. */
const taxNames = new Set(['document', 'documentnumber', 'cpf', 'cnpj', 'representativecpf']);

/** Number of digits of a PAN in a field for one. */
const shortestPan = 12;

/**
 * A copy of a body for the journal: secrets hidden, PANs masked to their last four characters, files
 * without their bytes. Handles arrays, nested objects and JSON in text. Takes time proportional to the size
 * of the body.
 */
export function maskSecrets(value: unknown, place: Place = nowhere, depth = 0): unknown {
  if (value === undefined || value === null) return value;
  if (isSecretName(place.name)) return hidden;
  if (value instanceof UploadedFile) {
    const { filename, contentType } = value;
    return {
      ...value,
      filename: filename === undefined ? undefined : maskText(filename),
      contentType: maskText(contentType),
    };
  }
  if (typeof value === 'string' || typeof value === 'number') return maskValue(value, place, depth);
  if (typeof value !== 'object') return value;
  if (isCardNumber(place) || depth === deepest) return hidden;
  if (Array.isArray(value)) return value.map((entry) => maskSecrets(entry, place, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      maskText(name),
      maskSecrets(entry, placeOf(labelOf(name, value), place), depth + 1),
    ]),
  );
}

/** A masked body without the values of some fields, by dotted path, or without any; masked texts stay as they are. */
export function hideFields(body: unknown, secrets: 'all' | readonly string[], path = ''): unknown {
  const isHidden = secrets === 'all' || secrets.includes(path);
  if (typeof body === 'string') return isHidden && !body.includes('*') ? hidden : body;
  if (typeof body === 'number') return isHidden ? hidden : body;
  if (Array.isArray(body)) return body.map((entry) => hideFields(entry, secrets, path));
  if (!isRecord(body) || body instanceof UploadedFile) return body;
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  return Object.fromEntries(
    Object.entries(body).map(([name, entry]) => [
      name,
      hideFields(entry, isHidden ? 'all' : secrets, within(name)),
    ]),
  );
}

/** A path with its query, for the journal. Parts without secrets keep their encoding. */
export function maskPath({ pathname, search }: URL): string {
  const path = pathname.split('/').map(maskPart).join('/');
  const query = search.split('&').map((parameter) => {
    const [, start = '', name = '', value] = /^(\??)([^=]*)(?:=(.*))?$/s.exec(parameter) ?? [];
    if (value === undefined) return start + maskPart(name);
    const place = placeOf(decoded(name), nowhere);
    const kept = String(maskSecrets(decoded(value), place));
    const shown = kept === decoded(value) ? value : encodeURIComponent(kept);
    return `${start}${maskPart(name)}=${shown}`;
  });
  return path + query.join('&');
}

/** A text with secrets hidden and PANs masked. */
export function maskText(source: string): string {
  const plain = decodeText(source);
  const { text, at } = plain;
  const secrets = findSecrets(plain, source);
  const pans = findPans(text);
  if (secrets.length + pans.length === 0) return source;
  const all = [
    ...secrets.map((range) => ({ ...range, shown: hidden })),
    ...pans.map((range) => ({ ...range, shown: masked(text.slice(range.start, range.end)) })),
  ];
  let kept = '';
  let copied = 0;
  for (const { start, end, shown } of all.sort((one, other) => one.start - other.start)) {
    const from = Math.max(at(start), copied);
    if (at(end) <= from) continue;
    kept += source.slice(copied, from) + shown;
    copied = at(end);
  }
  return kept + source.slice(copied);
}

function maskPart(part: string): string {
  const text = decoded(part);
  const kept = maskText(text);
  return kept === text ? part : encodeURIComponent(kept);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** The name of a field; in a list of headers, `{ name: 'client-secret', value }`, that of the header. */
function labelOf(field: string, { name, key }: { name?: unknown; key?: unknown }): string {
  const label = name ?? key;
  return field === 'value' && typeof label === 'string' ? label : field;
}

/** Names in forms may be paths: `card[number]`, `card.number`, `cards[0][number]`. */
function placeOf(name: string, { name: around, parent }: Place): Place {
  if (/^[a-zA-Z_-]+$/.test(name)) return { name: plainName(name), parent: around };
  const names = name.split(/[.[\]]+/).filter((part) => !/^\d*$/.test(part));
  const [last, before] = names.map(plainName).reverse();
  return last === undefined ? { name: around, parent } : { name: last, parent: before ?? around };
}

const digitsOf = (text: string) => decodeText(text).text.replace(/\D/g, '');

/** Whether a field is always a PAN. `number` outside of a card may be that of a house. */
const isCardNumber = ({ name, parent }: Place) =>
  panNames.test(name) && (name !== 'number' || parent === 'card');

function maskValue(value: string | number, place: Place, depth: number): string | number {
  const text = String(value);
  if (isTaxNumber(text, place) || isPhone(text, place)) return value;
  const isDocument = place.name === 'number' && place.parent === 'document';
  if (
    isCardNumber(place) ||
    (panNames.test(place.name) && !isDocument && digitsOf(text).length >= shortestPan)
  ) {
    return masked(decodeText(text).text);
  }
  const kept = isJson(text) ? maskJson(text, place, depth) : maskText(text);
  return kept === text ? value : kept;
}

function isTaxNumber(text: string, { name, parent }: Place): boolean {
  const isNamed = taxNames.has(name) || (name === 'number' && parent === 'document');
  return isNamed && /^(\d{11}|\d{14})$/.test(text.replace(/[.\-/ ]/g, ''));
}

/** E.164 has at most 15 digits; a Brazilian number without its plus sign has 13. */
const isPhone = (text: string, { name }: Place) =>
  name === 'phone' && /^[+\d ().-]*$/.test(text) && digitsOf(text).length <= (text.startsWith('+') ? 15 : 13);

const isJson = (text: string) => /^\s*[[{]/.test(text);

/** Parsing loses some values, such as those of a repeated name; then the text itself is searched. */
function maskJson(text: string, place: Place, depth: number): string {
  try {
    const value = parseJson(text);
    const json = JSON.stringify(value);
    const kept = JSON.stringify(maskSecrets(value, place, depth + 1));
    if (kept !== json) return kept;
    return json.replace(/\s/g, '') === text.replace(/\s/g, '') ? text : maskText(text);
  } catch {
    return maskText(text);
  }
}

const masked = (text: string) => `${'*'.repeat(Math.max(text.length - 4, 0))}${text.slice(-4)}`;
