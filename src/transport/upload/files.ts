import { PathContent } from '#platform';
import type { NamedFile } from '../../contract/forms.js';
import { bytesContent, type Content, FileProblem } from '../../platform/file-content.js';
import { isInstance } from '../../validation/builtins.js';
import { isRecord } from '../../validation/record.js';
import { detectType, isContentType, safeFilename } from './file-names.js';
import { StreamContent } from './stream-content.js';
import { type AnyStream, isNodeStream, streamProblem } from './stream-reader.js';
import { readUploadedParts } from './uploaded-file.js';

interface FileAttributes {
  readonly source: unknown;
  readonly filename?: string | undefined;
  readonly contentType?: string | undefined;
  /** A type detected from the first bytes takes precedence. */
  readonly claimedType?: string | undefined;
  readonly problem?: string | undefined;
}

/** A file of a form. Its content is private, so that it is never printed. */
export class FormFile {
  readonly #content: Content;
  readonly #attributes: FileAttributes;
  #filename = '';
  #contentType = '';
  #isRead = false;
  #mayBeEmpty = true;

  constructor(content: Content, input: FileAttributes) {
    this.#content = content;
    this.#attributes = input;
  }

  /** The caller's content, to detect two fields with the same stream. */
  get source(): unknown {
    return this.#attributes.source;
  }

  get problem(): string | undefined {
    return this.#attributes.problem;
  }

  get filename(): string {
    return this.#filename;
  }

  get contentType(): string {
    return this.#contentType;
  }

  get size(): number | undefined {
    return this.#content.size;
  }

  get oneShot(): boolean {
    return this.#content.oneShot;
  }

  get isConsumed(): boolean {
    return this.#isRead && this.#content.oneShot;
  }

  /** Makes `open` and `read` reject an empty file. */
  mustHaveContent(): void {
    this.#mayBeEmpty = false;
  }

  async open(field: string): Promise<void> {
    const readsHead = this.#attributes.contentType === undefined;
    const head = await this.#content.open(readsHead);
    const isEmpty = this.#content.size === 0 || (readsHead && head.length === 0);
    if (isEmpty && !this.#mayBeEmpty) throw new FileProblem(emptyMessage, true, undefined, 'file.empty');
    const type = detectType(head);
    const claimed = this.#attributes.claimedType ?? this.#content.type;
    const declaredType = isContentType(claimed) ? claimed : undefined;
    this.#contentType =
      this.#attributes.contentType ?? type?.contentType ?? declaredType ?? 'application/octet-stream';
    this.#filename =
      safeFilename(this.#attributes.filename ?? this.#content.name ?? '') ??
      (type === undefined ? field : `${field}.${type.extension}`);
  }

  /** A chunk is valid only until the next chunk is requested, because its memory is reused. */
  async *read(): AsyncIterable<Uint8Array> {
    this.#isRead = true;
    let isEmpty = true;
    for await (const chunk of this.#content.read()) {
      isEmpty = false;
      yield chunk;
    }
    if (isEmpty && !this.#mayBeEmpty) throw new FileProblem(emptyMessage, true, undefined, 'file.empty');
  }

  /** An unread stream stays open for the caller. */
  close(): void {
    this.#content.close();
  }
}

const emptyMessage = 'is an empty file. Pass a file with content';

/** Checks for a plain object of any realm. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const isWebStream = (value: object): value is ReadableStream<unknown> =>
  'getReader' in value && typeof value.getReader === 'function';

const isBlob = (value: object): value is Blob =>
  'stream' in value && typeof value.stream === 'function' && 'size' in value && 'type' in value;

const isBuffer = (value: object): value is ArrayBuffer => isInstance(value, 'ArrayBuffer');

const isUrl = (value: object): value is URL => isInstance(value, 'URL');

const namedFileFields: { readonly [Name in keyof NamedFile]: true } = {
  content: true,
  filename: true,
  contentType: true,
};
const namedFileKeys = Object.keys(namedFileFields);

/** An object with any other property is data. */
const isNamedFile = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isPlainObject(value) &&
  Object.hasOwn(value, 'content') &&
  Object.keys(value).every((name) => namedFileKeys.includes(name));

/**
 * A string counts as a path only if `textIsPath` is true. In other fields, it could be user input, which must
 * not select a file on this machine.
 */
export function readFileInput(value: unknown, textIsPath: boolean): FormFile | undefined {
  if (isNamedFile(value)) {
    const { content, filename, contentType } = value;
    const inner = readContent(content, textIsPath);
    if (inner === undefined) return undefined;
    const problems = [inner.problem];
    if (filename !== undefined && typeof filename !== 'string')
      problems.push('has a filename that is not a string');
    if (contentType !== undefined && !isContentType(contentType))
      problems.push('has a contentType that is not a media type such as image/jpeg');
    return new FormFile(inner.content, {
      source: content,
      filename: typeof filename === 'string' ? filename : undefined,
      contentType: isContentType(contentType) ? contentType : undefined,
      problem: problems.filter((problem) => problem !== undefined).join(', and ') || undefined,
    });
  }
  const uploaded = readUploadedParts(value);
  if (uploaded !== undefined) {
    const { content: source, filename, type: claimedType } = uploaded;
    const inner = readContent(source, textIsPath);
    return inner && new FormFile(inner.content, { source, filename, claimedType, problem: inner.problem });
  }
  const inner = readContent(value, textIsPath);
  return inner && new FormFile(inner.content, { source: value, ...inner });
}

export function notAFile(value: unknown): string {
  const kinds =
    'a path, bytes, a Blob, a stream, { content, filename }, or a multer, formidable or @fastify/multipart file';
  if (!isPlainObject(value) || !Object.hasOwn(value, 'content')) return `must be a file. Pass ${kinds}`;
  const other = Object.keys(value).filter((name) => !namedFileKeys.includes(name));
  return other.length > 0
    ? `has ${other.join(', ')}, which a file does not have (it has ${namedFileKeys.join(', ')})`
    : `has content of an unknown kind. Pass ${kinds}`;
}

function readContent(
  value: unknown,
  textIsPath: boolean,
): (Pick<FileAttributes, 'problem'> & { content: Content }) | undefined {
  if (typeof value === 'string') {
    if (!textIsPath) return undefined;
    const problem = value === '' || value.includes('\0') ? 'must be the path of a file' : undefined;
    return { content: new PathContent(value), problem };
  }
  if (typeof value === 'function') return { content: new StreamContent(value as () => AnyStream) };
  if (typeof value !== 'object' || value === null) return undefined;
  if (isUrl(value)) {
    // The URL is copied, because the caller could change it.
    const url = new URL(value.href);
    const problem = url.protocol === 'file:' ? undefined : 'must be a file: URL, or the bytes';
    return { content: new PathContent(url), problem };
  }
  if (isBuffer(value) || ArrayBuffer.isView(value)) return { content: bytesContent(toBytes(value)) };
  if (isBlob(value)) return { content: blobContent(value) };
  if (isNodeStream(value)) {
    const problem = streamProblem(value);
    return { content: new StreamContent(value, streamProperties(value)), problem };
  }
  if (isWebStream(value)) return { content: new StreamContent(value), problem: streamProblem(value) };
  return undefined;
}

/** A detached buffer has no bytes, and creating a view of it would throw. */
function toBytes(input: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (input.byteLength === 0) return new Uint8Array();
  return ArrayBuffer.isView(input)
    ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
    : new Uint8Array(input);
}

/** The content of a Blob never changes, and each attempt gets a new stream. */
function blobContent(blob: Blob): Content {
  const { name } = blob as Partial<File>;
  return new StreamContent(() => blob.stream(), {
    size: blob.size,
    type: blob.type,
    ...(typeof name === 'string' && { name }),
  });
}

/** Such as the length of an HTTP message, or the path of a file stream. */
function streamProperties(stream: object): { size?: number; name?: string; file?: string } {
  const { headers, path, start, end } = stream as Readonly<Record<string, unknown>>;
  const length = isRecord(headers) ? headers['content-length'] : undefined;
  const isWhole = start === undefined && end === Number.POSITIVE_INFINITY;
  return {
    ...(typeof length === 'string' && /^\d+$/.test(length) && { size: Number(length) }),
    ...(typeof path === 'string' && { name: path, ...(isWhole && { file: path }) }),
  };
}
