import { headLength } from './file-names.js';

/** A file that cannot be read, in words that go after the name of its field. Never with its path. */
export class FileProblem extends Error {
  constructor(
    message: string,
    /** Reading it again would bring the same. */
    readonly final = false,
    /** The system's own word for it. */
    readonly code?: string,
  ) {
    super(message);
  }
}

/** The bytes of a file. */
export interface Content {
  /** In bytes; undefined while it is not known. */
  readonly size: number | undefined;
  /** What it is called where it comes from. */
  readonly name?: string | undefined;
  /** What it is said to be where it comes from. */
  readonly type?: string | undefined;
  /** It can be read once only. */
  readonly oneShot: boolean;
  /**
   * Measures it before anything is sent, and looks at its first bytes, which it returns. A stream is
   * measured only, unless `look`: its first bytes may come from somebody who waits for us.
   *
   * @throws FileProblem
   */
  open(look: boolean): Promise<Uint8Array>;
  /**
   * Every byte, from the first; again from the first for each attempt. A chunk is good until it was
   * handed on: whoever keeps it keeps a copy.
   *
   * @throws FileProblem
   */
  read(): AsyncIterable<Uint8Array>;
  /** Lets go of what is open, also in the middle of reading. Nothing is read afterwards. */
  close(): void;
}

/** What is handed on at once, so that memory stays flat and progress is told. In bytes. */
export const pieceLength = 64 * 1024;

export type Chunks = AsyncIterable<Uint8Array>;

/** Bytes, copied when the call begins: what the caller does to theirs afterwards changes no attempt. */
export function bytesContent(given: Uint8Array): Content {
  const bytes = given.slice();
  return {
    size: bytes.length,
    oneShot: false,
    open: async () => bytes.subarray(0, headLength),
    async *read() {
      yield* pieces(bytes);
    },
    close: () => undefined,
  };
}

export function* pieces(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}

/** The same bytes, or an error where they are more or fewer than they should be. */
export async function* whole(chunks: Chunks, size: number | undefined): Chunks {
  let read = 0;
  try {
    for await (const chunk of chunks) {
      read += chunk.length;
      if (size !== undefined && read > size) throw new FileProblem(`is longer than its ${size} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw problemOf(error, 'it');
  }
  if (size !== undefined && read < size) throw new FileProblem(`ended after ${read} of its ${size} bytes`);
}

/** Says what failed by the system's code or the kind of the error: its message may show the path. */
export function problemOf(error: unknown, what: string, final = false): FileProblem {
  if (error instanceof FileProblem) return error;
  const code = nameOf(error);
  return new FileProblem(`cannot be read: ${what} failed (${code})`, final, code);
}

export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
