import { isRecord } from '../contract/record.js';
import {
  type AnyStream,
  blobContent,
  bytesContent,
  type Content,
  PathContent,
  StreamContent,
  streamProblem,
} from './file-content.js';
import { isContentType, safeFilename, typeOf } from './file-names.js';

/** A file of a form. Its bytes are nowhere to be printed. */
export class FormFile {
  readonly #content: Content;
  readonly #givenName: string | undefined;
  readonly #givenType: string | undefined;
  readonly #problem: string | undefined;
  #filename = '';
  #contentType = '';
  #isRead = false;

  constructor(
    content: Content,
    given: { filename?: string | undefined; contentType?: string | undefined; problem?: string | undefined },
  ) {
    this.#content = content;
    this.#givenName = given.filename;
    this.#givenType = given.contentType;
    this.#problem = given.problem;
  }

  /** What is wrong with it, as far as it shows without reading. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get filename(): string {
    return this.#filename;
  }

  get contentType(): string {
    return this.#contentType;
  }

  /** In bytes; undefined when it cannot be known. */
  get size(): number | undefined {
    return this.#content.size;
  }

  /** It can be read once only. */
  get oneShot(): boolean {
    return this.#content.oneShot;
  }

  /** It was read, and cannot be read again. */
  get isSpent(): boolean {
    return this.#isRead && this.#content.oneShot;
  }

  /**
   * Looks at the file before anything is sent.
   *
   * @throws FileProblem
   */
  async open(field: string): Promise<void> {
    const type = typeOf(await this.#content.open());
    this.#contentType =
      this.#givenType ?? type?.contentType ?? this.#content.type ?? 'application/octet-stream';
    this.#filename =
      safeFilename(this.#givenName ?? this.#content.name ?? '') ??
      (type === undefined ? field : `${field}.${type.extension}`);
  }

  /** Every byte, from the first; a chunk is good until it was handed on. @throws FileProblem */
  read(): AsyncIterable<Uint8Array> {
    this.#isRead = true;
    return this.#content.read();
  }

  close(): void {
    this.#content.close();
  }
}

const isNodeStream = (value: object): value is AnyStream & { on(name: string, listener: () => void): void } =>
  'pipe' in value && typeof value.pipe === 'function' && 'on' in value && typeof value.on === 'function';

const isWebStream = (value: object): value is ReadableStream<Uint8Array> =>
  'getReader' in value && typeof value.getReader === 'function';

const isBlob = (value: object): value is Blob =>
  'arrayBuffer' in value && typeof value.arrayBuffer === 'function' && 'size' in value && 'stream' in value;

const named = new Set(['content', 'filename', 'contentType']);

/** A file with its name and type. An object with other fields than these is data. */
const isNamed = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) &&
  'content' in value &&
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.keys(value).every((name) => named.has(name));

/** A file by what the caller gave for it; undefined when that is no file. Text is a path only where `textIsPath`. */
export function readFileInput(value: unknown, textIsPath: boolean): FormFile | undefined {
  if (isNamed(value)) {
    const { content, filename, contentType } = value;
    const inner = contentOf(content, true);
    if (inner === undefined) return undefined;
    const problems = [inner.problem];
    if (filename !== undefined && typeof filename !== 'string')
      problems.push('has a filename that is no string');
    if (contentType !== undefined && !isContentType(contentType))
      problems.push('has a contentType that is no media type, such as image/jpeg');
    return new FormFile(inner.content, {
      filename: typeof filename === 'string' ? filename : undefined,
      contentType: isContentType(contentType) ? contentType : undefined,
      problem: problems.filter((problem) => problem !== undefined).join(', and ') || undefined,
    });
  }
  const inner = contentOf(value, textIsPath);
  return inner && new FormFile(inner.content, { problem: inner.problem });
}

function contentOf(
  value: unknown,
  textIsPath: boolean,
): { content: Content; problem?: string | undefined } | undefined {
  if (typeof value === 'string') {
    if (!textIsPath) return undefined;
    const problem = value === '' || value.includes('\0') ? 'must be the path of a file' : undefined;
    return { content: new PathContent(value), problem };
  }
  if (typeof value === 'function') return { content: new StreamContent(value as () => AnyStream) };
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof URL) {
    const problem = value.protocol === 'file:' ? undefined : 'must be a file: URL, or the bytes';
    return { content: new PathContent(value), problem };
  }
  if (value instanceof ArrayBuffer) return { content: bytesContent(value) };
  if (ArrayBuffer.isView(value))
    return { content: bytesContent(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
  if (isBlob(value)) return { content: blobContent(value) };
  if (isNodeStream(value)) {
    // An error that comes before anybody reads would end the process; whoever reads is told of it.
    value.on('error', () => undefined);
    return { content: new StreamContent(value, knownOf(value)), problem: streamProblem(value) };
  }
  if (isWebStream(value)) return { content: new StreamContent(value), problem: streamProblem(value) };
  return undefined;
}

/** What a stream of Node tells of itself: an answer of HTTP its length, a file its name. */
function knownOf(stream: object): { size?: number; name?: string; file?: string } {
  const { headers, path, start, end } = stream as Readonly<Record<string, unknown>>;
  const length = isRecord(headers) ? headers['content-length'] : undefined;
  return {
    ...(typeof length === 'string' && /^\d+$/.test(length) && { size: Number(length) }),
    ...(typeof path === 'string' && { name: path }),
    ...(typeof path === 'string' &&
      start === undefined &&
      end === Number.POSITIVE_INFINITY && { file: path }),
  };
}
