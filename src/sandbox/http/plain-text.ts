/** A text as whoever reads it would decode it, and where each of its characters stood. */
export interface PlainText {
  readonly text: string;
  /** Where in the source a character of the text begins; of the index behind the last, where the source ends. */
  readonly at: (index: number) => number;
}

/** Encodings may lie within each other. */
const mostPasses = 3;

/** Percent-encoding, entities, escapes of JSON and JavaScript, and what is not ASCII. */
const encoded =
  /(?:%(?:25)*[0-9a-f]{2})+|&(?:amp;)*(?:#x?[0-9a-f]{1,7};?|[a-z]{2,8};)|(?<!\\)\\+(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[nrtfbv"'/])|[^\0-\x7f]/giu;

const mayBeEncoded = /[%&\\]|[^\0-\x7f]/;

const entities: Readonly<Record<string, string>> = {
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  tab: '\t',
  newline: '\n',
  shy: '-',
  dash: '-',
  ndash: '-',
  mdash: '-',
  hyphen: '-',
  minus: '-',
  lowbar: '_',
  period: '.',
  sol: '/',
  colon: ':',
  equals: '=',
  quot: '"',
  apos: "'",
  lsqb: '[',
  rsqb: ']',
  amp: '&',
};

const itself = (index: number) => index;

/** Decodes a text, digits of other scripts into those of ASCII. In time proportional to its length. */
export function plainText(source: string): PlainText {
  let plain: PlainText = { text: source, at: itself };
  if (!mayBeEncoded.test(source)) return plain;
  for (let pass = 0; pass < mostPasses; pass++) {
    const { text, at: outer } = plain;
    const next = decodedOnce(text);
    if (next === undefined) break;
    plain = { text: next.text, at: (index) => outer(next.at(index)) };
  }
  return plain;
}

/** A character, and where in its piece of the source it begins. */
type Unit = readonly [char: string, offset: number];

function decodedOnce(source: string): PlainText | undefined {
  const starts = new Uint32Array(source.length + 1);
  let text = '';
  let copied = 0;
  let isChanged = false;
  const copyUntil = (end: number) => {
    for (let index = copied; index < end; index++) starts[text.length + index - copied] = index;
    text += source.slice(copied, end);
    copied = end;
  };
  for (const { 0: piece, index } of source.matchAll(encoded)) {
    const units = unitsOf(piece);
    if (units === undefined) continue;
    isChanged = true;
    copyUntil(index);
    for (const [char, offset] of units) {
      starts[text.length] = index + offset;
      text += char;
    }
    copied = index + piece.length;
  }
  if (!isChanged) return undefined;
  copyUntil(source.length);
  starts[text.length] = source.length;
  return { text, at: (index) => starts[index] ?? source.length };
}

/** Undefined for what stays as it is. */
function unitsOf(piece: string): readonly Unit[] | undefined {
  const [first] = piece;
  if (first === '%') return fromPercent(piece);
  const char = first === '&' ? entity(piece) : first === '\\' ? escaped(piece) : piece;
  if (char === undefined) return undefined;
  const ascii = asAscii(char);
  return ascii === piece ? undefined : [[ascii, 0]];
}

function entity(piece: string): string | undefined {
  const [, hex, decimal, name = ''] = /^&(?:amp;)*(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));?$/i.exec(piece) ?? [];
  if (hex !== undefined) return fromCode(Number.parseInt(hex, 16));
  return decimal === undefined ? entities[name.toLowerCase()] : fromCode(Number(decimal));
}

function escaped(piece: string): string {
  const [, hex, letter = ''] = /^\\+(?:[ux]([0-9a-f]+)|(.))$/i.exec(piece) ?? [];
  if (hex !== undefined) return fromCode(Number.parseInt(hex, 16)) ?? piece;
  return /[nrtfbv]/i.test(letter) ? ' ' : letter;
}

const fromCode = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : undefined);

/** The bytes of a percent-encoded row are UTF-8. */
function fromPercent(piece: string): Unit[] {
  const bytes = Array.from(piece.matchAll(/%(?:25)*([0-9a-f]{2})/gi), ({ index, 1: hex = '' }) => ({
    index,
    value: Number.parseInt(hex, 16),
  }));
  const units: Unit[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { index, value: lead } = bytes[at] ?? { index: 0, value: 0 };
    const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const rest = bytes.slice(at + 1, at + length).map(({ value }) => value & 0x3f);
    const code = rest.reduce((sum, value) => sum * 64 + value, length === 1 ? lead : lead & (0x7f >> length));
    units.push([asAscii(fromCode(code) ?? '?'), index]);
    at += length;
  }
  return units;
}

/** What of a character looks like ASCII, as its ASCII; a character of two units as one. */
function asAscii(char: string): string {
  if (char <= '\x7f') return char;
  const compatible = char.normalize('NFKC');
  if (/^[!-~]$/.test(compatible)) return compatible;
  return /^\p{Nd}$/u.test(char) ? digitOf(char) : char.length === 1 ? char : '\ufffd';
}

/** The digits of a script follow one another from its zero. */
function digitOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  let zero = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}
