import { isKnownCoding, undoCoding } from '#platform';
import { HttpClientError, maxBodyBytes } from './http-client.js';
import { tooLargeFailure } from './http-client-error.js';

/** A body without its codings. */
interface PlainBody {
  readonly body: Uint8Array;
  /** How Content-Encoding differs from the body; undefined if it does not. */
  readonly codingProblem: string | undefined;
}

const unknownCoding = 'names an unknown coding. The SDK read the body without it.';
const wrongCoding = 'names a coding that the body does not have. The SDK read the body anyway.';

/** More codings are a mistake or an attack. fetch has the same limit. */
const maxCodings = 5;

/**
 * Undoes the content codings of a body, the last one first (RFC 9110, 8.4). If a coding is unknown or wrong, it
 * keeps bytes that are plain, and looks for gzip, zlib and raw deflate in any others.
 *
 * @param isFetched whether fetch has read the body: it undoes all codings, or none if one is unknown to it
 * @throws HttpClientError if a coding is wrong, and the bytes are cut short or compressed in another way
 */
export async function undoCodings(
  body: Uint8Array,
  header: string,
  status: number | undefined,
  isFetched: boolean,
): Promise<PlainBody> {
  const codings = header
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .slice(-maxCodings)
    .reverse();
  const areKnown = codings.every(isKnownCoding);
  const isDecoded = isFetched && areKnown;
  const untouched = { body, codingProblem: undefined };
  if (codings.length === 0 || body.length === 0 || (isDecoded && isPlain(body))) return untouched;
  let bytes = body;
  const undo = async (coding: string): Promise<boolean> => {
    const undone = await undoCoding(coding, bytes, maxBodyBytes);
    if (undone === 'too-large') throw tooLargeFailure(status);
    if (undone === 'wrong') return false;
    bytes = undone;
    return true;
  };
  let areRight = true;
  for (const coding of codings.filter(isKnownCoding)) areRight = (await undo(coding)) && areRight;
  if ((!areKnown || !areRight) && !isPlain(bytes)) {
    // A file that fetch has decoded.
    if (isDecoded) return untouched;
    if (!(await undo('detected')) && !(await undo('raw')) && !areRight)
      throw new HttpClientError('unreadable', 'the response cannot be decompressed', true, { status });
  }
  const problem = areKnown ? wrongCoding : unknownCoding;
  return { body: bytes, codingProblem: areKnown && areRight ? undefined : problem };
}

/** How many bytes show whether a body is plain. */
const looked = 512;

/** Whether bytes are text or a PDF. Compressed bytes have control characters. */
function isPlain(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, looked);
  return startsAsPdf(start) || start.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

const startsAsPdf = (bytes: Uint8Array) => '%PDF-'.split('').every((c, at) => bytes[at] === c.charCodeAt(0));
