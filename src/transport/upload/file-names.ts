/** In characters. Longer names are cut, and keep their ending. */
const longestName = 120;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controls = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** What some parsers of forms decode and others do not. */
const ambiguous = /%(?=22|0[ad])|&(?=#)/gi;

/**
 * The name of a file as every parser of forms reads it: without folders, control characters and
 * quotes. Undefined when nothing is left of it.
 */
export function safeFilename(name: string): string | undefined {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const clean = base
    .normalize('NFC')
    .replace(controls, '')
    .replace(/\p{Surrogate}/gu, '_')
    .replace(/"/g, "'")
    .replace(ambiguous, '_')
    .trim();
  if (/^\.*$/.test(clean)) return undefined;
  const characters = Array.from(clean);
  if (characters.length <= longestName) return clean;
  const ending = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? '';
  return characters.slice(0, longestName - ending.length).join('') + ending;
}

interface FileType {
  readonly contentType: string;
  readonly extension: string;
  readonly matches: (head: Uint8Array) => boolean;
}

const ascii = (head: Uint8Array, from: number, to: number) => String.fromCharCode(...head.subarray(from, to));

const startsWith =
  (...bytes: number[]) =>
  (head: Uint8Array) =>
    bytes.every((byte, index) => head[index] === byte);

/** The brands of the container of HEIC photos that phones make. */
const heicBrands = new Set(['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1']);

const types: readonly FileType[] = [
  { contentType: 'image/jpeg', extension: 'jpg', matches: startsWith(0xff, 0xd8, 0xff) },
  {
    contentType: 'image/png',
    extension: 'png',
    matches: startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  },
  { contentType: 'application/pdf', extension: 'pdf', matches: (head) => ascii(head, 0, 5) === '%PDF-' },
  {
    contentType: 'image/heic',
    extension: 'heic',
    matches: (head) => ascii(head, 4, 8) === 'ftyp' && heicBrands.has(ascii(head, 8, 12)),
  },
  {
    contentType: 'image/webp',
    extension: 'webp',
    matches: (head) => ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP',
  },
];

/** How many bytes of a file tell its type. */
export const headLength = 16;

/** What the first bytes of a file say that it is. */
export function typeOf(head: Uint8Array): { contentType: string; extension: string } | undefined {
  return types.find(({ matches }) => matches(head));
}

/** A media type with its parameters, as it may stand in a header. */
export const isContentType = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w.+-]+\/[\w.+-]+( *; *[\w-]+=[\w.+-]+)*$/.test(value);
