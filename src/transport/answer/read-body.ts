import type { Issue } from '../../input/issue.js';
import { parseJson, TooComplexError } from '../../input/json.js';
import { isRecord } from '../../input/record.js';

/** A body that cannot be read. `permanent`: another request would get the same body. */
export class UnreadableBodyError extends Error {
  constructor(
    message: string,
    readonly permanent = false,
  ) {
    super(message);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 and drops a byte order mark. Throws on invalid UTF-8, which would otherwise be replaced silently. */
export function decodeText(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new UnreadableBodyError('the body is not valid UTF-8');
  }
}

/**
 * Parses a JSON body. Numbers that a double cannot hold become strings.
 *
 * @throws UnreadableBodyError
 */
export function readJson(body: Uint8Array): unknown {
  if (body.length === 0) throw new UnreadableBodyError('the body is empty');
  const text = decodeText(body);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof TooComplexError) throw new UnreadableBodyError(error.message, true);
    throw new UnreadableBodyError(
      /^\s*</.test(text) ? 'the body is HTML or XML, not JSON' : 'the body is not JSON, or it was cut short',
    );
  }
}

/** Parses a JSON object. @throws UnreadableBodyError for any other JSON value. */
export function readObject(body: Uint8Array): Record<string, unknown> {
  const value = readJson(body);
  if (!isRecord(value)) throw new UnreadableBodyError('the body is JSON, but not an object');
  return value;
}

/** As `readJson`. A number is refused where the framing does not prove that it is whole: `12` may be a cut `1234`. */
export function readWholeJson(body: Uint8Array, isFramed: boolean): unknown {
  const value = readJson(body);
  // A number that a double cannot hold comes as its text.
  if (!isFramed && /^\s*-?\d/.test(latin1.decode(body.subarray(0, 64))))
    throw new UnreadableBodyError('the body may be cut short');
  return value;
}

/** A file of an answer. */
interface AnsweredFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

const isPdf = (contentType: string) => /^application\/pdf\b/i.test(contentType);
const isPage = (contentType: string) => /^(text\/html|application\/xhtml\+xml)\b/i.test(contentType);

/**
 * The bytes of a file with their content type, as they came. Where the framing does not prove that it is
 * whole, a connection that closed early can look like a complete answer: a PDF or a page without its end
 * marker is refused then.
 */
export function readFile(body: Uint8Array, contentType: string | undefined, isFramed: boolean): AnsweredFile {
  if (body.length === 0) throw new UnreadableBodyError('the body is empty');
  const type = contentType ?? 'application/octet-stream';
  if (/^application\/([\w.+-]+\+)?json\b/i.test(type)) readWholeJson(body, isFramed);
  else if (!isFramed) {
    const tail = latin1.decode(body.subarray(-1024));
    const isPdfToo = latin1.decode(body.subarray(0, 8)).includes('%PDF-');
    if ((isPdf(type) || isPdfToo) && !tail.includes('%%EOF'))
      throw new UnreadableBodyError('the PDF is incomplete');
    if (isPage(type) && !/<\/html\s*>/i.test(tail)) throw new UnreadableBodyError('the page is incomplete');
  }
  // A plain Uint8Array on every engine: a Buffer behaves differently in slice() and JSON.stringify().
  return { bytes: new Uint8Array(body.buffer, body.byteOffset, body.byteLength), contentType: type };
}

const latin1 = new TextDecoder('latin1');

/** Where a file differs from what a file is. The merchant judges it: it may be readable all the same. */
export function fileIssues({ bytes, contentType }: AnsweredFile): Issue[] {
  if (isPage(contentType)) return [{ path: 'contentType', message: 'is that of an HTML page' }];
  if (!isPdf(contentType)) return [];
  const issues: Issue[] = [];
  if (!latin1.decode(bytes.subarray(0, 1024)).includes('%PDF-'))
    issues.push({ path: 'bytes', message: 'do not begin as a PDF' });
  if (!/%%EOF\s*$/.test(latin1.decode(bytes.subarray(-1024))))
    issues.push({ path: 'bytes', message: 'do not end with the end marker of a PDF' });
  return issues;
}

/** A larger error body is cut, because errors are logged. In bytes. */
const maxErrorBodyBytes = 64_000;

/**
 * The body of a failed call, for its error: parsed JSON, or the beginning of its text. The body of an
 * unreadable 2xx answer is kept only if it is an HTML or XML page: anything else could be a payment,
 * with its token and the payer's data.
 */
export function readErrorBody(status: number, body: Uint8Array): unknown {
  if (body.length === 0) return undefined;
  const text = () => new TextDecoder().decode(body.subarray(0, maxErrorBodyBytes)).trim();
  if (status >= 200 && status < 300) return text().startsWith('<') ? text() : undefined;
  if (body.length > maxErrorBodyBytes) return text();
  try {
    return readJson(body);
  } catch {
    return text();
  }
}
