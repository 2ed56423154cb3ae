import { isSupportedCoding, undoCoding } from './node-zlib.js';

interface PlainBody {
  readonly body: Uint8Array;
  readonly codingProblem: string | undefined;
}

const unknownCoding = 'names an unknown coding. The SDK read the body without it.';
const wrongCoding = 'names a coding that the body does not have. The SDK read the body anyway.';

/** The maximum number of content encodings. More are a mistake or an attack. fetch has the same limit. */
const maxCodings = 5;

/**
 * Starts with the last encoding (RFC 9110, 8.4). If an encoding is unknown or wrong, a body that is already
 * plain is kept. Any other body is tried as gzip, zlib and raw deflate. fetch has decoded all encodings, or
 * none if it does not support one of them.
 */
export async function undoCodings(
  body: Uint8Array,
  header: string,
  maxBytes: number,
  isFetched: boolean,
): Promise<PlainBody | 'unreadable' | 'too-large'> {
  const codings = header
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .slice(-maxCodings)
    .reverse();
  const areKnown = codings.every(isSupportedCoding);
  const isDecoded = isFetched && areKnown;
  const untouched = { body, codingProblem: undefined };
  if (codings.length === 0 || body.length === 0 || (isDecoded && isPlain(body))) return untouched;
  let bytes = body;
  let isTooLarge = false;
  const undo = async (coding: string): Promise<boolean> => {
    const undone = isTooLarge ? 'wrong' : await undoCoding(coding, bytes, maxBytes);
    isTooLarge ||= undone === 'too-large';
    if (typeof undone === 'string') return false;
    bytes = undone;
    return true;
  };
  let areRight = true;
  for (const coding of codings.filter(isSupportedCoding)) areRight = (await undo(coding)) && areRight;
  if (!isTooLarge && (!areKnown || !areRight) && !isPlain(bytes)) {
    // fetch has already decoded the body, which is binary.
    if (isDecoded) return untouched;
    if (!(await undo('detected')) && !(await undo('raw')) && !areRight && !isTooLarge) return 'unreadable';
  }
  if (isTooLarge) return 'too-large';
  const problem = areKnown ? wrongCoding : unknownCoding;
  return { body: bytes, codingProblem: areKnown && areRight ? undefined : problem };
}

const plainCheckBytes = 512;

/** Compressed bytes contain control characters. */
function isPlain(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, plainCheckBytes);
  return startsAsPdf(start) || start.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

const startsAsPdf = (bytes: Uint8Array) => '%PDF-'.split('').every((c, at) => bytes[at] === c.charCodeAt(0));
