import { isRecord } from '../../input/record.js';
import { bytesContent, type Content, FileProblem } from './file-content.js';
import { isContentType, safeFilename, typeOf } from './file-names.js';
import { PathContent } from './path-content.js';
import { StreamContent } from './stream-content.js';
import { type AnyStream, isNodeStream, streamProblem } from './stream-source.js';

interface Given {
  readonly filename?: string | undefined;
  readonly contentType?: string | undefined;
  /** What is wrong with it, as far as it shows without reading. */
  readonly problem?: string | undefined;
}

/** A file of a form. Its bytes are nowhere to be printed. */
export class FormFile {
  readonly #content: Content;
  readonly #given: Given;
  #filename = '';
  #contentType = '';
  #isRead = false;
  #mayBeEmpty = true;

  constructor(content: Content, given: Given) {
    this.#content = content;
    this.#given = given;
  }

  get problem(): string | undefined {
    return this.#given.problem;
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

  /** Whether it lies on this machine, where nobody but the disk keeps whoever reads it waiting. */
  get isOnDisk(): boolean {
    return this.#content instanceof PathContent;
  }

  /** From now on 0 bytes are a problem. */
  mustHaveContent(): void {
    this.#mayBeEmpty = false;
  }

  /**
   * Looks at the file before anything is sent.
   *
   * @throws FileProblem
   */
  async open(field: string): Promise<void> {
    const looks = this.#given.contentType === undefined;
    const head = await this.#content.open(looks);
    const isEmpty = this.#content.size === 0 || (looks && head.length === 0);
    if (isEmpty && !this.#mayBeEmpty) throw new FileProblem(empty, true);
    const type = typeOf(head);
    const said = isContentType(this.#content.type) ? this.#content.type : undefined;
    this.#contentType = this.#given.contentType ?? type?.contentType ?? said ?? 'application/octet-stream';
    this.#filename =
      safeFilename(this.#given.filename ?? this.#content.name ?? '') ??
      (type === undefined ? field : `${field}.${type.extension}`);
  }

  /** Every byte, from the first; a chunk is good until it was handed on. @throws FileProblem */
  async *read(): AsyncIterable<Uint8Array> {
    this.#isRead = true;
    let isEmpty = true;
    for await (const chunk of this.#content.read()) {
      isEmpty = false;
      yield chunk;
    }
    if (isEmpty && !this.#mayBeEmpty) throw new FileProblem(empty, true);
  }

  /** Lets go of what is open. A stream that nobody has touched stays the caller's. */
  close(): void {
    this.#content.close();
  }
}

const empty = 'is empty: a file of 0 bytes is a missing file';

/** An object that is data, in any realm: not a class of its own. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const isWebStream = (value: object): value is ReadableStream<unknown> =>
  'getReader' in value && typeof value.getReader === 'function';

const isBlob = (value: object): value is Blob =>
  'stream' in value && typeof value.stream === 'function' && 'size' in value && 'type' in value;

const isBuffer = (value: object): value is ArrayBuffer =>
  Object.prototype.toString.call(value) === '[object ArrayBuffer]';

const named = ['content', 'filename', 'contentType'];

/** A file with its name and type. An object with other properties is data, where it can be. */
const isNamed = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isPlain(value) && 'content' in value && Object.keys(value).every((name) => named.includes(name));

/**
 * A file by what the caller gave for it; undefined when that is no file. Text is a path only where
 * `textIsPath`: elsewhere it may come from somebody who would like to have a file of this machine sent.
 */
export function readFileInput(value: unknown, textIsPath: boolean): FormFile | undefined {
  if (isNamed(value)) {
    const { content, filename, contentType } = value;
    const inner = contentOf(content, textIsPath);
    if (inner === undefined) return undefined;
    const problems = [inner.problem];
    if (filename !== undefined && typeof filename !== 'string')
      problems.push('has a filename that is no string');
    if (contentType !== undefined && !isContentType(contentType))
      problems.push('has a contentType that is no media type, such as image/jpeg');
    return new FormFile(inner.content, {
      ...inner,
      filename: typeof filename === 'string' ? filename : undefined,
      contentType: isContentType(contentType) ? contentType : undefined,
      problem: problems.filter((problem) => problem !== undefined).join(', and ') || undefined,
    });
  }
  const inner = contentOf(value, textIsPath);
  return inner && new FormFile(inner.content, inner);
}

/** Says why a value is no file, where the document wants one. */
export function noFile(value: unknown): string {
  const kinds = 'a path, bytes, a Blob, a stream, or { content, filename, contentType }';
  if (!isPlain(value) || !('content' in value)) return `must be a file: ${kinds}`;
  const other = Object.keys(value).filter((name) => !named.includes(name));
  return other.length > 0
    ? `has ${other.join(', ')}, which a file does not have (it has ${named.join(', ')})`
    : `has a content that is none of these: ${kinds}`;
}

function contentOf(
  value: unknown,
  textIsPath: boolean,
): (Pick<Given, 'problem'> & { content: Content }) | undefined {
  if (typeof value === 'string') {
    if (!textIsPath) return undefined;
    const problem = value === '' || value.includes('\0') ? 'must be the path of a file' : undefined;
    return { content: new PathContent(value), problem };
  }
  if (typeof value === 'function') return { content: new StreamContent(value as () => AnyStream) };
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof URL) {
    // A copy: the caller could make theirs another path.
    const url = new URL(value.href);
    const problem = url.protocol === 'file:' ? undefined : 'must be a file: URL, or the bytes';
    return { content: new PathContent(url), problem };
  }
  if (isBuffer(value) || ArrayBuffer.isView(value)) return { content: bytesContent(viewOf(value)) };
  if (isBlob(value)) return { content: blobContent(value) };
  if (isNodeStream(value)) {
    const problem = streamProblem(value);
    return { content: new StreamContent(value, knownOf(value)), problem };
  }
  if (isWebStream(value)) return { content: new StreamContent(value), problem: streamProblem(value) };
  return undefined;
}

/** One that was transferred to somebody else has no bytes any more, and cannot be looked at. */
function viewOf(given: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (given.byteLength === 0) return new Uint8Array();
  return ArrayBuffer.isView(given)
    ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
    : new Uint8Array(given);
}

/** A Blob or File never changes, and gives a new stream each time. */
function blobContent(blob: Blob): Content {
  const { name } = blob as Partial<File>;
  return new StreamContent(() => blob.stream(), {
    size: blob.size,
    type: blob.type,
    ...(typeof name === 'string' && { name }),
  });
}

/** What a stream of Node tells of itself: an answer of HTTP its length, a file its name. */
function knownOf(stream: object): { size?: number; name?: string; file?: string } {
  const { headers, path, start, end } = stream as Readonly<Record<string, unknown>>;
  const length = isRecord(headers) ? headers['content-length'] : undefined;
  const isWhole = start === undefined && end === Number.POSITIVE_INFINITY;
  return {
    ...(typeof length === 'string' && /^\d+$/.test(length) && { size: Number(length) }),
    ...(typeof path === 'string' && { name: path, ...(isWhole && { file: path }) }),
  };
}
