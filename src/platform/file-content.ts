import type { SdkCheck } from '../contract/sdk-checks.js';
import { codeOrName } from '../redact/cause.js';
import { isError } from '../validation/builtins.js';

/** The message is worded to follow the field's name, and never contains the path. */
export class FileProblem extends Error {
  constructor(
    message: string,
    readonly permanent = false,
    readonly code?: string,
    readonly check?: SdkCheck,
  ) {
    super(message);
  }
}

export interface Content {
  readonly size: number | undefined;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly oneShot: boolean;
  /** Reads a stream only if `look` is true: its source may write nothing until the call continues. */
  open(look: boolean): Promise<Uint8Array>;
  /** A chunk's memory is reused once the next chunk is requested, so copy a chunk to keep it. */
  read(): AsyncIterable<Uint8Array>;
  /** Nothing is read afterwards. */
  close(): void;
}

/** The first bytes of a file, which show its type. */
export const headBytes = 16;

/** In bytes. Chunks keep memory use constant and let progress be reported. */
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

/** The error's message is dropped, because it can contain the path. */
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

export function checkPath(path: string | URL): void {
  if (typeof path === 'string' && /^data:|[\r\n]/.test(path))
    throw new FileProblem('is a string that is not a path. Pass the bytes', true);
}

export const noFileSystem = () =>
  new FileProblem('is a path, and this runtime has no file system. Pass the bytes', true);
