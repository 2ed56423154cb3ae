const maxNameLength = 120;

// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
const controlCharacters = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Matches sequences that some form parsers decode and others do not. */
const escapeLike = /%(?=22|0[ad])|&(?=#)/gi;

/**
 * Returns a file name without folders, control characters, double quotes and other parts that form parsers read
 * in different ways. Returns undefined if nothing remains.
 */
export function safeFilename(name: string): string | undefined {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const clean = base
    .normalize('NFC')
    .replace(controlCharacters, '')
    .replace(/\p{Surrogate}/gu, '_')
    .replace(/"/g, "'")
    .replace(escapeLike, '_')
    .trim();
  if (/^\.*$/.test(clean)) return undefined;
  const characters = Array.from(clean);
  if (characters.length <= maxNameLength) return clean;
  const ending = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? '';
  return characters.slice(0, maxNameLength - ending.length).join('') + ending;
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

export function detectType(head: Uint8Array): { contentType: string; extension: string } | undefined {
  return types.find(({ matches }) => matches(head));
}

export const isContentType = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w.+-]+\/[\w.+-]+( *; *[\w-]+=[\w.+-]+)*$/.test(value);
