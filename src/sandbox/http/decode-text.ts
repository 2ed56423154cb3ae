/** A decoded text, with the position of each character in the source. */
export interface DecodedText {
  readonly text: string;
  /**
   * The index in the source at which a character of the text begins; for the length of the text, the end of
   * the source.
   */
  readonly at: (index: number) => number;
}

/** Encodings may be nested: each pass decodes one level. */
const mostPasses = 3;

/** Percent-encoding, HTML entities, escapes of JSON and JavaScript, and characters that are not ASCII. */
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

/** Decodes a text, and replaces digits of other scripts by ASCII. Takes time proportional to its length. */
export function decodeText(source: string): DecodedText {
  let plain: DecodedText = { text: source, at: itself };
  if (!mayBeEncoded.test(source)) return plain;
  for (let pass = 0; pass < mostPasses; pass++) {
    const { text, at: outer } = plain;
    const next = decodedOnce(text);
    if (next === undefined) break;
    plain = { text: next.text, at: (index) => outer(next.at(index)) };
  }
  return plain;
}

/** A character, and the offset at which it begins in its piece of the source. */
type Unit = readonly [char: string, offset: number];

function decodedOnce(source: string): DecodedText | undefined {
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

/** Undefined if the piece does not change. */
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

/** The percent-encoded bytes are read as UTF-8. */
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

/** The ASCII character that a character looks like, or the character itself; one unit of UTF-16 in any case. */
function asAscii(char: string): string {
  if (char <= '\x7f') return char;
  const compatible = char.normalize('NFKC');
  if (/^[!-~]$/.test(compatible)) return compatible;
  return /^\p{Nd}$/u.test(char) ? digitOf(char) : char.length === 1 ? char : '\ufffd';
}

/** The ten digits of a script have consecutive code points. */
function digitOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  let zero = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}
