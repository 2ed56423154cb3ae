import type { FileHandle } from 'node:fs/promises';
import { headLength } from './file-names.js';

/** A file that cannot be read, in words that go after the name of its field. Never with its path. */
export class FileProblem extends Error {
  constructor(
    message: string,
    /** Reading it again would bring the same. */
    readonly final = false,
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

/** So many chunks of a file are in memory, in turn: what is read makes no garbage, however large the file is. */
const chunksInTurn = 8;

export type Chunks = AsyncIterable<Uint8Array>;

/** Bytes, copied when the call begins: what the caller does to theirs afterwards changes no attempt. */
export function bytesContent(given: Uint8Array | ArrayBuffer): Content {
  const bytes = Uint8Array.from(given instanceof Uint8Array ? given : new Uint8Array(given));
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

/** A file on this machine. One that changes between two attempts is no longer the same request. */
export class PathContent implements Content {
  readonly oneShot = false;
  readonly #path: string | URL;
  #size: number | undefined;
  #changedAt: number | undefined;

  constructor(path: string | URL) {
    this.#path = path;
  }

  get size(): number | undefined {
    return this.#size;
  }

  get name(): string {
    return typeof this.#path === 'string' ? this.#path : decodeURIComponent(this.#path.pathname);
  }

  async open(): Promise<Uint8Array> {
    const handle = await this.#handle();
    try {
      const { size, mtimeMs } = await handle.stat();
      this.#size = size;
      this.#changedAt = mtimeMs;
      const { bytesRead, buffer } = await handle.read(new Uint8Array(headLength), 0, headLength, 0);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      throw problemOf(error, 'the file', true);
    } finally {
      await handle.close().catch(() => undefined);
    }
  }

  async *read(): Chunks {
    const handle = await this.#handle();
    try {
      const { size, mtimeMs } = await handle.stat();
      if (size !== this.#size || mtimeMs !== this.#changedAt)
        throw new FileProblem('has changed since the call began', true);
      yield* whole(chunksInTurnOf(handle), size);
    } finally {
      await handle.close().catch(() => undefined);
    }
  }

  /** Its handle is closed by whoever reads: a file never keeps anybody waiting. */
  close(): void {}

  async #handle(): Promise<FileHandle> {
    if (typeof this.#path === 'string' && /^data:|[\r\n]/.test(this.#path))
      throw new FileProblem('is text where a path is expected: pass the bytes', true);
    const fs = await import('node:fs/promises').catch(() => {
      throw new FileProblem('is a path, and this runtime has no file system: pass the bytes', true);
    });
    try {
      // A pipe would keep whoever opens it waiting for somebody to write into it.
      const stat = await fs.stat(this.#path);
      if (!stat.isFile()) throw new FileProblem('is no file, but a folder or a device', true);
      return await fs.open(this.#path);
    } catch (error) {
      const code = nameOf(error);
      if (noSuchFile.has(code)) throw new FileProblem(`is not there (${code}): ${whatTextIs}`, true);
      throw problemOf(error, 'the file', true);
    }
  }
}

const noSuchFile = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

const whatTextIs =
  "a text is a path, relative to the working directory; for base64 pass Buffer.from(text, 'base64')";

async function* chunksInTurnOf(handle: FileHandle): Chunks {
  const buffers: Uint8Array[] = [];
  for (let turn = 0; ; turn++) {
    const at = turn % chunksInTurn;
    buffers[at] ??= new Uint8Array(pieceLength);
    const { bytesRead } = await handle.read(buffers[at], 0, pieceLength);
    if (bytesRead === 0) return;
    yield buffers[at].subarray(0, bytesRead);
  }
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
  return new FileProblem(`cannot be read: ${what} failed (${nameOf(error)})`, final);
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
