/** A text as it may be read, and where in the text that was given each of its characters stands. */
export interface Spelling {
  readonly text: string;
  /** The range of the characters `from` to `to` (exclusive). */
  range(from: number, to: number): Range;
}

/** From the first character to the one after the last. */
export type Range = readonly [start: number, end: number];

/** What a program writes in the place of a character, by the character with which that begins. */
const escapes = ['\\', '%', '&', '='] as const;
type Escape = (typeof escapes)[number];

/** JSON in JSON in a URL in a page in a mail, in any order: so many readings are looked at, the likeliest first. */
const mostSpellings = 12;

/**
 * The text itself, and what it reads as when what JSON, URLs, HTML and mails write for a character is undone,
 * each by itself, and again and again where one was put into another.
 */
export function spellingsOf(text: string): Spelling[] {
  const found: Spelling[] = [{ text, range: (from, to) => [from, to] }];
  const known = new Set([text]);
  for (const outer of found) {
    for (const kind of escapes) {
      if (found.length === mostSpellings) return found;
      const inner = outer.text.includes(kind) ? decoded(outer, kind) : outer;
      if (known.has(inner.text)) continue;
      known.add(inner.text);
      found.push(inner);
    }
  }
  return found;
}

/** One kind of escapes undone. One pass, so its time follows the length of the text. */
function decoded(outer: Spelling, kind: Escape): Spelling {
  const { text } = outer;
  /** Where each character of the result begins in the outer text, and, last, where the outer text ends. */
  const starts: number[] = [];
  const parts: string[] = [];
  const keep = (characters: string, at: number, step: number) => {
    parts.push(characters);
    for (let index = 0; index < characters.length; index++) starts.push(at + index * step);
  };
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf(kind, at);
    const next = found === -1 ? text.length : found;
    keep(text.slice(at, next), at, 1);
    if (next === text.length) break;
    const [characters, length] = readers[kind](text, next);
    keep(characters, next, 0);
    at = next + length;
  }
  starts.push(text.length);
  return {
    text: parts.join(''),
    range: (from, to) => {
      // The character after may share its escape sequence with the last one.
      let end = to;
      while (starts[end] === starts[to - 1]) end++;
      return outer.range(starts[from] as number, starts[end] as number);
    },
  };
}

/** What is put between the characters of a text to fold or to hide it. */
const filling = /[\s\p{Cc}\p{Cf}:-]/u;

/** A text without the white space, the invisible characters, the colons and the dashes in it. */
export function squeezed(text: string): Spelling {
  const starts: number[] = [];
  let kept = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (filling.test(character)) continue;
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

/** What an escape sequence stands for, and how long it is; the character itself where it begins none. */
const readers: Record<Escape, (text: string, at: number) => [characters: string, length: number]> = {
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
    // A line that was broken where it was too long goes on without a break.
    return [found[1] === undefined ? '' : characterOf(found[1]), found[0].length];
  },
};

function characterOf(hexadecimal = ''): string {
  const code = Number.parseInt(hexadecimal, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** The first character of a row of bytes: UTF-8 has up to four for one. */
function percentDecoded(row: string): [characters: string, length: number] {
  const lead = Number.parseInt(row.slice(1, 3), 16);
  const count = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  try {
    return [decodeURIComponent(row.slice(0, count * 3)), Math.min(row.length, count * 3)];
  } catch {
    // No UTF-8: a byte of Latin-1.
    return [String.fromCharCode(lead), 3];
  }
}
