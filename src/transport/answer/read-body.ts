import { parseJson, TooComplexError } from '../../input/json.js';
import { isRecord } from '../../input/record.js';

/** Why a body cannot be read. `final` when asking again would bring the same. */
export class Unreadable extends Error {
  constructor(
    message: string,
    readonly final = false,
  ) {
    super(message);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a body, or a refusal: invalid UTF-8 would turn into other characters silently. A byte order mark is dropped. */
function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new Unreadable('the body is not valid UTF-8');
  }
}

/**
 * Parses a JSON body without loss.
 *
 * @throws Unreadable
 */
export function readJson(body: Uint8Array): unknown {
  if (body.length === 0) throw new Unreadable('the body is empty');
  const text = decode(body);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof TooComplexError) throw new Unreadable(error.message, true);
    throw new Unreadable(
      /^\s*</.test(text) ? 'the body is HTML or XML, not JSON' : 'the body is not JSON, or it was cut short',
    );
  }
}

/** @throws Unreadable when it is not an object, where the platform always sends one. */
export function readObject(body: Uint8Array): Record<string, unknown> {
  const value = readJson(body);
  if (!isRecord(value)) throw new Unreadable('the body is JSON, but not an object');
  return value;
}

/**
 * Bytes with their content type. A PDF that arrives without its end is refused: a connection that
 * closes early can look like a complete answer.
 */
export function readFile(
  body: Uint8Array,
  contentType: string | undefined,
): { bytes: Uint8Array; contentType: string } {
  if (body.length === 0) throw new Unreadable('the body is empty');
  const type = contentType ?? 'application/octet-stream';
  if (/^text\/html\b/i.test(type)) throw new Unreadable('the body is an HTML page, not a file');
  if (/^application\/pdf\b/i.test(type)) {
    const head = latin1.decode(body.subarray(0, 1024));
    const tail = latin1.decode(body.subarray(-1024));
    if (!head.includes('%PDF-') || !tail.includes('%%EOF')) throw new Unreadable('the PDF is not whole');
  } else if (/^application\/([\w.+-]+\+)?json\b/i.test(type)) readJson(body);
  // Plain bytes on every engine: a Buffer has other ideas of slice and JSON.
  return { bytes: new Uint8Array(body.buffer, body.byteOffset, body.byteLength), contentType: type };
}

const latin1 = new TextDecoder('latin1');

/** Larger error bodies are not kept whole: an error is logged. */
const largestErrorBody = 64_000;

/**
 * The body of a failed call, for the person who reads it: parsed JSON, or the beginning of its text.
 * Of a success that cannot be read only a page is shown: anything else could be a payment, with its
 * token and the payer's data.
 */
export function readErrorBody(status: number, body: Uint8Array): unknown {
  if (body.length === 0) return undefined;
  const text = () => new TextDecoder().decode(body.subarray(0, largestErrorBody)).trim();
  if (status >= 200 && status < 300) return text().startsWith('<') ? text() : undefined;
  if (body.length > largestErrorBody) return text();
  try {
    return readJson(body);
  } catch {
    return text();
  }
}
