/** A text after some escape sequences were decoded, with the positions of its characters in the original. */
export interface Decoding {
  readonly text: string;
  /** The range in the original text of the characters `from` to `to` (exclusive). */
  range(from: number, to: number): Range;
}

/** From the first character to the one after the last. */
export type Range = readonly [start: number, end: number];

/** The first characters of escape sequences: JSON, URLs, HTML entities, quoted-printable. */
const escapes = ['\\', '%', '&', '='] as const;
type Escape = (typeof escapes)[number];

/** Encodings can be nested, such as JSON in JSON in a URL in HTML: how many decodings are tried, the likeliest first. */
const maxDecodings = 12;

/**
 * The text itself, and the text with the escape sequences of JSON, URLs, HTML and mails decoded: each kind
 * alone, and repeatedly for nested encodings.
 */
export function decodingsOf(text: string): Decoding[] {
  const found: Decoding[] = [{ text, range: (from, to) => [from, to] }];
  const known = new Set([text]);
  for (const outer of found) {
    for (const kind of escapes) {
      if (found.length === maxDecodings) return found;
      const inner = outer.text.includes(kind) ? decodeEscapes(outer, kind) : outer;
      if (known.has(inner.text)) continue;
      known.add(inner.text);
      found.push(inner);
    }
  }
  return found;
}

/** Decodes one kind of escape sequences, in one pass, so in time linear in the length of the text. */
function decodeEscapes(outer: Decoding, kind: Escape): Decoding {
  const { text } = outer;
  /** The position of each character of the result in the outer text, and at the end the length of the outer text. */
  const starts: number[] = [];
  const parts: string[] = [];
  const append = (characters: string, at: number, step: number) => {
    parts.push(characters);
    for (let index = 0; index < characters.length; index++) starts.push(at + index * step);
  };
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf(kind, at);
    const next = found === -1 ? text.length : found;
    append(text.slice(at, next), at, 1);
    if (next === text.length) break;
    const [characters, length] = decoders[kind](text, next);
    append(characters, next, 0);
    at = next + length;
  }
  starts.push(text.length);
  return {
    text: parts.join(''),
    range: (from, to) => {
      // The next character may come from the same escape sequence as the last one.
      let end = to;
      while (starts[end] === starts[to - 1]) end++;
      return outer.range(starts[from] as number, starts[end] as number);
    },
  };
}

/** Characters that may be inserted into a text when it is wrapped, formatted or hidden. */
const separator = /[\s\p{Cc}\p{Cf}:-]/u;

/** A text without white space, invisible characters, colons and dashes. */
export function withoutSeparators(text: string): Decoding {
  const starts: number[] = [];
  let kept = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (separator.test(character)) continue;
    kept += character;
    starts.push(at);
  }
  return { text: kept, range: (from, to) => [starts[from] as number, (starts[to - 1] as number) + 1] };
}

const jsonLetters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  sol: '/',
  bsol: '\\',
  lowbar: '_',
  hyphen: '-',
  period: '.',
  comma: ',',
  colon: ':',
  equals: '=',
  plus: '+',
  percnt: '%',
  Tab: '\t',
  NewLine: '\n',
};

const percent = /(?:%[0-9A-Fa-f]{2}){1,6}/y;
const percentUnicode = /%u([0-9A-Fa-f]{4})/y;
const unicode = /\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2}))/y;
const octal = /\\([0-3][0-7]{2})/y;
const quoted = /=(?:([0-9A-Fa-f]{2})|[ \t]{0,2}\r?\n)/y;
const entity = /&(?:#(\d{1,12})|#[xX]([0-9A-Fa-f]{1,12})|([A-Za-z]{2,8}(?=;)));?/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** What an escape sequence stands for and how long it is; the character itself if it does not begin one. */
const decoders: Record<Escape, (text: string, at: number) => [characters: string, length: number]> = {
  '%': (text, at) => {
    const found = matchAt(percent, text, at);
    if (found !== null) return percentDecoded(found[0]);
    const old = matchAt(percentUnicode, text, at);
    return old === null ? ['%', 1] : [characterOf(old[1]), 6];
  },
  '&': (text, at) => {
    const found = matchAt(entity, text, at);
    if (found === null) return ['&', 1];
    const [whole, decimal, hexadecimal, name = ''] = found;
    if (name !== '') return [entities[name] ?? whole, whole.length];
    const code = decimal === undefined ? Number.parseInt(hexadecimal as string, 16) : Number(decimal);
    return [code <= 0x10ffff ? String.fromCodePoint(code) : whole, whole.length];
  },
  '\\': (text, at) => {
    const found = matchAt(unicode, text, at);
    if (found !== null) return [characterOf(found[1] ?? found[2] ?? found[3]), found[0].length];
    const byOctal = matchAt(octal, text, at);
    if (byOctal !== null) return [String.fromCharCode(Number.parseInt(byOctal[1] as string, 8)), 4];
    const letter = text[at + 1];
    return letter === undefined ? ['\\', 1] : [jsonLetters[letter] ?? letter, 2];
  },
  '=': (text, at) => {
    const found = matchAt(quoted, text, at);
    if (found === null) return ['=', 1];
    // A soft line break stands for nothing: the line continues.
    return [found[1] === undefined ? '' : characterOf(found[1]), found[0].length];
  },
};

function characterOf(hexadecimal = ''): string {
  const code = Number.parseInt(hexadecimal, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** The first character of percent-encoded bytes: up to four in UTF-8. */
function percentDecoded(row: string): [characters: string, length: number] {
  const lead = Number.parseInt(row.slice(1, 3), 16);
  const count = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  try {
    return [decodeURIComponent(row.slice(0, count * 3)), Math.min(row.length, count * 3)];
  } catch {
    // Not UTF-8: taken as one byte of Latin-1.
    return [String.fromCharCode(lead), 3];
  }
}
