import { uuidPattern } from '../../contract/patterns.js';
import { RuntimeSchema } from '../../contract/runtime-schema.js';
import { fold } from '../../redact/message-redactor.js';
import type { Issue } from '../../validation/issue.js';
import { parseJson, TooComplexError } from '../../validation/json.js';
import { isRecord } from '../../validation/record.js';
import type { CallSchemas, CallSpec } from '../call/call-spec.js';
import type { HttpResponse } from '../send/http-client.js';
import type { Settings } from '../settings.js';

interface CallToRead {
  readonly spec: CallSpec;
  readonly shapes: CallSchemas;
  readonly body?: unknown;
}

type ReadSettings = Pick<Settings, 'names' | 'checksOff'>;

export function readResult(response: HttpResponse, call: CallToRead, settings: ReadSettings): object {
  const result = readByKind(response, call, settings);
  if (!settings.checksOff.has('payment.reference')) checkEchoes(result, call.spec, call.body);
  return result;
}

function readByKind(response: HttpResponse, { spec, shapes }: CallToRead, { names }: ReadSettings): object {
  const type = response.head.header('content-type');
  switch (spec.result) {
    case 'none':
      return {};
    case 'file':
      return readFileBody(response.body, type, isFramed(response.head));
    case 'json':
      return readObjectOrList(response, spec);
    case 'unspecified':
      return readUndocumented(response);
    case 'object':
      return names.isIdentity || !(shapes.response instanceof RuntimeSchema)
        ? readObject(response.body, type)
        : names.fromWire(shapes.response, readObject(response.body, type));
  }
}

/** If a value is not an echo, the key was used for another payment, or a gateway has mixed up responses. */
function checkEchoes(result: object, { echoes = {} }: CallSpec, body: unknown): void {
  for (const [field, sent] of Object.entries(echoes)) {
    const value: unknown = Object.getOwnPropertyDescriptor(result, field)?.value;
    const expected: unknown = Object.getOwnPropertyDescriptor(Object(body), sent)?.value;
    const received = typeof value === 'number' ? String(value) : value;
    if (typeof received !== 'string' || typeof expected !== 'string' || isEcho(received, expected)) continue;
    const { id } = result as { id?: unknown };
    const named = typeof id === 'string' && uuidPattern.test(id) ? ` (id ${id})` : '';
    throw new UnreadableBodyError(
      `it is for another request${named}: its ${field} is not the ${sent} that was sent. Use an idempotency key for one order only`,
    );
  }
}

/** The platform may cut off long values. */
const minCutLength = 32;

/**
 * Checks whether a value echoes a sent value. The platform may trim a value, store it without accents or
 * capitals, replace or remove its symbols, or cut it off. A value that is cut off in the middle of a number
 * does not count, because it can belong to another order.
 */
function isEcho(value: string, sent: string): boolean {
  if (value === sent) return true;
  const hasSymbols = /[^\p{L}\p{N}\p{M}]/u.test(value.trim());
  const [received, whole] = hasSymbols ? [foldWords(value), foldWords(sent)] : [fold(value), fold(sent)];
  if (received === whole || received === '') return true;
  const isCutInNumber = /\d$/.test(received) && /^\d/.test(whole.slice(received.length));
  return received.length >= minCutLength && whole.startsWith(received) && !isCutInNumber;
}

/** Folds each word of a string, so that `order-1-23` differs from `order-12-3`. */
const foldWords = (text: string): string =>
  text
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(fold)
    .filter((word) => word !== '')
    .join(' ');

/** A bare number is rejected, because it could be the start of a truncated body. */
function readObjectOrList(response: HttpResponse, { method }: CallSpec): object {
  const { head, body } = response;
  if (body.length === 0 && (head.status === 204 || method === 'HEAD')) return {};
  const value = readJson(body, head.header('content-type'));
  if (typeof value === 'object' && value !== null) return value;
  throw new UnreadableBodyError('the body is neither an object nor a list');
}

/**
 * The body is undocumented. The 2xx status alone means that the platform executed the call, so a body of
 * another type is returned too. A page comes from a proxy, and is rejected.
 */
function readUndocumented(response: HttpResponse): object {
  const { head, body } = response;
  if (body.length === 0) return {};
  const type = head.header('content-type') ?? '';
  const isText = /^text\//i.test(type);
  if (!looksLikePage(response) && type !== '' && !/json/i.test(type))
    return isText && isFramed(head) ? { value: decodeText(body, type).text } : {};
  const value = readWholeJson(body, type, isFramed(head));
  return typeof value === 'object' && value !== null ? value : { value };
}

/** Checks whether a body is HTML or XML. The platform sends neither: a gateway or proxy does. */
export function looksLikePage({ head, body }: HttpResponse): boolean {
  const type = head.header('content-type') ?? '';
  return /html/i.test(type) || /^\s*</.test(decodeText(body.subarray(0, 256), type).text);
}

/** Checks whether a body begins as an object or a list, but is not JSON: it was cut short or changed. */
export function isBrokenJson({ head, body }: HttpResponse): boolean {
  const { text } = decodeText(body, head.header('content-type'));
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    parseJson(text);
    return false;
  } catch {
    return true;
  }
}

export function headerIssues({ head, body, codingProblem }: HttpResponse, { result }: CallSpec): Issue[] {
  const isText = result !== 'file' && result !== 'none';
  const charsetProblem = isText ? decodeText(body, head.header('content-type')).charsetProblem : undefined;
  return [
    { path: 'headers.content-encoding', message: codingProblem },
    { path: 'headers.content-type', message: charsetProblem },
  ].flatMap(({ path, message }) => (message === undefined ? [] : [{ path, message }]));
}

/** Without a length or chunked encoding, the body ends when the connection closes. */
const isFramed = (head: HttpResponse['head']): boolean =>
  (head.header('content-length') ?? head.header('transfer-encoding')) !== undefined;

/** `permanent` means that a retry would return the same body. */
export class UnreadableBodyError extends Error {
  constructor(
    message: string,
    readonly permanent = false,
  ) {
    super(message);
  }
}

interface DecodedText {
  readonly text: string;
  readonly charsetProblem: string | undefined;
}

// Decoders are created when they are used, because Jest's jsdom environment lacks TextDecoder.

/** Decodes ISO-8859-1 too. Every byte is valid in this encoding. */
const decodeWindows1252 = (body: Uint8Array) => new TextDecoder('windows-1252').decode(body);

const notUtf8 = 'has bytes that are not valid UTF-8. The SDK read them as Windows-1252.';
const unknownCharset = 'names an unknown charset. The SDK read the body as UTF-8.';
const wrongCharset = 'names a charset that the body does not have. The SDK read the body as UTF-8.';

/** Undefined for UTF-8, which JSON requires (RFC 8259, 8.1). A byte order mark takes precedence. */
function findCharset([first, second]: Uint8Array, contentType: string | undefined): string | undefined {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  const [, name] = /;\s*charset\s*=\s*["']?([^"';,\s]+)/i.exec(contentType ?? '') ?? [];
  return name === undefined || /^utf-?8$/i.test(name) ? undefined : name;
}

type Decoder = InstanceType<typeof TextDecoder>;

function decoderFor(charset: string, fatal: boolean): Decoder | undefined {
  try {
    return new TextDecoder(charset, { fatal });
  } catch {
    return undefined;
  }
}

/** Never throws: a successful payment must not become an error because a name contains an accent. */
function decodeText(body: Uint8Array, contentType?: string): DecodedText {
  const charset = findCharset(body, contentType);
  const decoder = decoderFor(charset ?? 'utf-8', true);
  const text = decoder && decoded(decoder, body);
  if (text !== undefined) return { text, charsetProblem: undefined };
  const asUtf8 = charset === undefined ? undefined : decoded(new TextDecoder('utf-8', { fatal: true }), body);
  if (asUtf8 === undefined) return { text: decodeWindows1252(body), charsetProblem: notUtf8 };
  return { text: asUtf8, charsetProblem: decoder === undefined ? unknownCharset : wrongCharset };
}

function decoded(decoder: Decoder, body: Uint8Array): string | undefined {
  try {
    return decoder.decode(body);
  } catch {
    return undefined;
  }
}

/** Numbers that a double cannot represent become strings. */
export function readJson(body: Uint8Array, contentType?: string): unknown {
  if (body.length === 0) throw new UnreadableBodyError('the body is empty');
  const { text, charsetProblem } = decodeText(body, contentType);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof TooComplexError) throw new UnreadableBodyError(error.message, true);
    const what = /^\s*</.test(text) ? 'the body is HTML or XML, not JSON' : notJson;
    throw new UnreadableBodyError(charsetProblem === notUtf8 ? `${what}, and not valid UTF-8` : what);
  }
}

const notJson = 'the body is not JSON, or it was cut short';

export function readObject(body: Uint8Array, contentType?: string): Record<string, unknown> {
  const value = readJson(body, contentType);
  if (!isRecord(value)) throw new UnreadableBodyError('the body is JSON, but not an object');
  return value;
}

/** Rejects a number unless the framing proves that it is complete: `12` could be a truncated `1234`. */
function readWholeJson(body: Uint8Array, contentType: string | undefined, isFramed: boolean): unknown {
  const value = readJson(body, contentType);
  // The bytes are checked instead of the value, because a number that a double cannot represent is returned
  // as a string.
  if (!isFramed && /^\s*-?\d/.test(decodeWindows1252(body.subarray(0, 64))))
    throw new UnreadableBodyError('the body may be cut short');
  return value;
}

interface FileBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

const isPdf = (contentType: string) => /^application\/pdf\b/i.test(contentType);
const isPage = (contentType: string) => /^(text\/html|application\/xhtml\+xml)\b/i.test(contentType);

/** Unless the framing proves the length, a connection that closed early looks like a complete response. */
export function readFileBody(body: Uint8Array, contentType: string | undefined, isFramed: boolean): FileBody {
  if (body.length === 0) throw new UnreadableBodyError('the body is empty');
  const type = contentType ?? 'application/octet-stream';
  if (/^application\/([\w.+-]+\+)?json\b/i.test(type)) readWholeJson(body, type, isFramed);
  else if (!isFramed) {
    const tail = decodeWindows1252(body.subarray(-1024));
    const isPdfToo = decodeWindows1252(body.subarray(0, 8)).includes('%PDF-');
    if ((isPdf(type) || isPdfToo) && !tail.includes('%%EOF'))
      throw new UnreadableBodyError('the PDF is incomplete');
    if (isPage(type) && !/<\/html\s*>/i.test(tail)) throw new UnreadableBodyError('the page is incomplete');
  }
  // Returns a plain Uint8Array for every HTTP client, because a Buffer behaves differently in slice() and
  // JSON.stringify().
  return { bytes: new Uint8Array(body.buffer, body.byteOffset, body.byteLength), contentType: type };
}

/** The differences are only reported, because the file can still be readable. */
export function fileIssues({ bytes, contentType }: FileBody): Issue[] {
  if (isPage(contentType)) return [{ path: 'contentType', message: 'is text/html' }];
  if (!isPdf(contentType)) return [];
  const issues: Issue[] = [];
  if (!decodeWindows1252(bytes.subarray(0, 1024)).includes('%PDF-'))
    issues.push({ path: 'bytes', message: 'do not begin as a PDF' });
  if (!/%%EOF\s*$/.test(decodeWindows1252(bytes.subarray(-1024))))
    issues.push({ path: 'bytes', message: 'do not end with the end marker of a PDF' });
  return issues;
}

/** In bytes. Longer bodies are truncated, because errors are logged. */
const maxErrorBodyBytes = 64_000;

/**
 * The body of an unreadable 2xx response is kept only if it is an HTML or XML page. Anything else could be a
 * payment, with its token and the customer's data.
 */
export function readErrorBody(status: number, body: Uint8Array, contentType?: string): unknown {
  if (body.length === 0) return undefined;
  // The decoder is not strict, because the last character can be truncated.
  const decoder = decoderFor(findCharset(body, contentType) ?? 'utf-8', false) ?? new TextDecoder();
  const text = () => decoder.decode(body.subarray(0, maxErrorBodyBytes)).trim();
  if (status >= 200 && status < 300) return text().startsWith('<') ? text() : undefined;
  if (body.length > maxErrorBodyBytes) return text();
  try {
    return readJson(body, contentType);
  } catch {
    return text();
  }
}
