import type { SdkCheck } from '../../contract/sdk-checks.js';
import { codeOrName } from '../../redact/cause.js';
import { isError } from '../../validation/builtins.js';
import { headBytes } from './file-names.js';

/**
 * Thrown for a file that cannot be read. The message is worded to follow the field's name, and never contains
 * the path.
 */
export class FileProblem extends Error {
  constructor(
    message: string,
    /** Whether reading the file again would fail in the same way. */
    readonly permanent = false,
    readonly code?: string,
    readonly check?: SdkCheck,
  ) {
    super(message);
  }
}

export interface Content {
  /** The size in bytes; undefined while unknown. */
  readonly size: number | undefined;
  /** The file's name, if its source has one. */
  readonly name?: string | undefined;
  /** The file's media type, if its source has one. */
  readonly type?: string | undefined;
  /** Whether the content can be read only once. */
  readonly oneShot: boolean;
  /**
   * Determines the size before anything is sent, and returns the first bytes. Reads from a stream only if
   * `look` is true, because the source of a stream may write nothing until the call continues.
   *
   * @throws FileProblem
   */
  open(look: boolean): Promise<Uint8Array>;
  /**
   * Reads all bytes from the start, once per attempt. A chunk's memory is reused once the next chunk is
   * requested, so copy a chunk to keep it.
   *
   * @throws FileProblem
   */
  read(): AsyncIterable<Uint8Array>;
  /** Closes any open file, even while it is being read. Nothing is read afterwards. */
  close(): void;
}

/** The chunk size of uploads, in bytes. Chunks keep memory use constant and let progress be reported. */
export const pieceBytes = 64 * 1024;

export type Chunks = AsyncIterable<Uint8Array>;

/** Copies bytes when the call starts, so that the caller's later changes affect no attempt. */
export function bytesContent(input: Uint8Array): Content {
  const bytes = input.slice();
  return {
    size: bytes.length,
    oneShot: false,
    open: async () => bytes.subarray(0, headBytes),
    async *read() {
      yield* pieces(bytes);
    },
    close: () => undefined,
  };
}

export function* pieces(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** Passes chunks on. Throws if they contain more or fewer bytes than expected. */
export async function* checkLength(chunks: Chunks, size: number | undefined): Chunks {
  let read = 0;
  try {
    for await (const chunk of chunks) {
      read += chunk.length;
      if (size !== undefined && read > size) throw new FileProblem(`is longer than its ${size} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw toFileProblem(error, 'its stream');
  }
  if (size !== undefined && read < size) throw new FileProblem(`ended after ${read} of its ${size} bytes`);
}

/**
 * Creates a FileProblem that names an error's code or class. The error's message is dropped, because it can
 * contain the path.
 */
export function toFileProblem(error: unknown, what: string, final = false): FileProblem {
  if (error instanceof FileProblem) return error;
  const code = errorName(error);
  return new FileProblem(`could not be read: ${what} failed (${code})`, final, code);
}

export function errorName(error: unknown): string {
  if (!isError(error)) return 'unknown error';
  return codeOrName(error);
}

export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/**
 * Checks that a string is a path.
 *
 * @throws FileProblem for a string that is a file's content
 */
export function checkPath(path: string | URL): void {
  if (typeof path === 'string' && /^data:|[\r\n]/.test(path))
    throw new FileProblem('is a string that is not a path. Pass the bytes', true);
}

export const noFileSystem = () =>
  new FileProblem('is a path, and this runtime has no file system. Pass the bytes', true);
