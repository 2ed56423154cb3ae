import type { FileHandle } from 'node:fs/promises';
import { headLength } from './file-names.js';

/** A file that cannot be read, in words that go after the name of its field. */
export class FileProblem extends Error {}

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
  /** Looks at it before anything is sent. Returns its first bytes. @throws FileProblem */
  open(): Promise<Uint8Array>;
  /**
   * Every byte, from the first; again from the first for each attempt. A chunk is good until it was
   * handed on: whoever keeps it keeps a copy.
   *
   * @throws FileProblem
   */
  read(): AsyncIterable<Uint8Array>;
  /** Lets go of what is still open. */
  close(): void;
}

/** What is handed on at once, so that memory stays flat and progress is told. In bytes. */
const pieceLength = 64 * 1024;

/** So many chunks of a file are in memory, in turn: what is read makes no garbage, however large the file is. */
const chunksInTurn = 8;

/** Bytes, copied when the call begins: what the caller does to theirs afterwards changes no attempt. */
export function bytesContent(given: Uint8Array | ArrayBuffer): Content {
  const bytes = new Uint8Array(given instanceof ArrayBuffer ? given.slice(0) : Uint8Array.from(given));
  return {
    size: bytes.length,
    oneShot: false,
    open: async () => bytes.subarray(0, headLength),
    async *read() {
      for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
    },
    close: () => undefined,
  };
}

/** A Blob or File: it never changes. */
export function blobContent(blob: Blob): Content {
  const { name } = blob as Partial<File>;
  return {
    size: blob.size,
    name: typeof name === 'string' ? name : undefined,
    type: blob.type === '' ? undefined : blob.type,
    oneShot: false,
    open: async () =>
      new Uint8Array(await explained(() => blob.slice(0, headLength).arrayBuffer(), 'the Blob')),
    read: () => whole(chunksOf(blob.stream()), blob.size),
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

  open(): Promise<Uint8Array> {
    return this.#opened(async (handle) => {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new FileProblem('is no file, but a folder or a device');
      this.#size = stat.size;
      this.#changedAt = stat.mtimeMs;
      const { bytesRead, buffer } = await handle.read(new Uint8Array(headLength), 0, headLength, 0);
      return buffer.subarray(0, bytesRead);
    });
  }

  async *read(): AsyncIterable<Uint8Array> {
    const handle = await this.#handle();
    try {
      const { size, mtimeMs } = await handle.stat();
      if (size !== this.#size || mtimeMs !== this.#changedAt)
        throw new FileProblem('has changed since the call began');
      yield* whole(chunksInTurnOf(handle), size);
    } finally {
      await handle.close().catch(() => undefined);
    }
  }

  close(): void {}

  async #opened<Result>(use: (handle: FileHandle) => Promise<Result>): Promise<Result> {
    const handle = await this.#handle();
    try {
      return await explained(() => use(handle), 'the file');
    } finally {
      await handle.close().catch(() => undefined);
    }
  }

  async #handle(): Promise<FileHandle> {
    if (typeof this.#path === 'string' && /^data:|[\r\n]/.test(this.#path))
      throw new FileProblem('is text where a path is expected: pass the bytes');
    const fs = await import('node:fs/promises').catch(() => {
      throw new FileProblem('is a path, and this runtime has no file system: pass the bytes');
    });
    return explained(() => fs.open(this.#path), 'the file');
  }
}

type Chunks = AsyncIterable<Uint8Array>;

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

/** Streams by their shape: of Node in any version, or of the web. */
export type AnyStream = (AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>) & object;

interface Opened {
  readonly head: readonly Uint8Array[];
  readonly rest: AsyncIterator<Uint8Array>;
}

/** A stream that was handed over, or one that a function makes for each attempt. */
export class StreamContent implements Content {
  readonly name: string | undefined;
  readonly oneShot: boolean;
  readonly #file: string | undefined;
  #size: number | undefined;
  readonly #make: () => AnyStream | Promise<AnyStream>;
  /** What was read to look at it, and is still to be sent. */
  #opened: Opened | undefined;

  constructor(
    stream: AnyStream | (() => AnyStream | Promise<AnyStream>),
    known: {
      size?: number;
      name?: string;
      /** The file that it reads as a whole: its size is known. */
      file?: string;
    } = {},
  ) {
    this.oneShot = typeof stream !== 'function';
    this.#make = typeof stream === 'function' ? stream : () => stream;
    this.#size = known.size;
    this.#file = known.file;
    this.name = known.name;
  }

  get size(): number | undefined {
    return this.#size;
  }

  async open(): Promise<Uint8Array> {
    const stream = await explained(async () => this.#make(), 'the function');
    const problem = streamProblem(stream);
    if (problem !== undefined) throw new FileProblem(problem);
    if (this.#file !== undefined) this.#size = await sizeOf(this.#file);
    const rest = chunksOf(stream)[Symbol.asyncIterator]();
    const head: Uint8Array[] = [];
    this.#opened = { rest, head };
    let length = 0;
    while (length < headLength) {
      const { done, value } = await explained(() => rest.next(), 'the stream');
      if (done) break;
      head.push(value);
      length += value.length;
    }
    return joined(head).subarray(0, headLength);
  }

  async *read(): AsyncIterable<Uint8Array> {
    if (this.#opened === undefined) await this.open();
    const { head, rest } = this.#opened as Opened;
    this.#opened = undefined;
    yield* whole(following(head, rest), this.size);
  }

  close(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    opened?.rest.return?.().catch(() => undefined);
  }
}

/** Undefined where it cannot be told: the stream itself will say what is wrong. */
async function sizeOf(path: string): Promise<number | undefined> {
  const fs = await import('node:fs/promises');
  return fs.stat(path).then(
    (stat) => (stat.isFile() ? stat.size : undefined),
    () => undefined,
  );
}

async function* following(head: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): Chunks {
  try {
    yield* head;
    for (;;) {
      const { done, value } = await rest.next();
      if (done) return;
      yield value;
    }
  } finally {
    await rest.return?.().catch(() => undefined);
  }
}

/** Says why something cannot be read as a stream. */
export function streamProblem(stream: unknown): string | undefined {
  if (typeof stream !== 'object' || stream === null) return 'must be a stream';
  if ('getReader' in stream) {
    return (stream as ReadableStream).locked ? 'is a stream that is being read already' : undefined;
  }
  if (!(Symbol.asyncIterator in stream)) return 'must be a stream of Node or of the web';
  const { destroyed, readableDidRead, readableEnded, errored } = stream as Partial<Record<string, unknown>>;
  if (errored instanceof Error) return `cannot be read: ${nameOf(errored)}`;
  return destroyed === true || readableDidRead === true || readableEnded === true
    ? 'is a stream that has been read already'
    : undefined;
}

/** The chunks of a stream as bytes, in pieces. A stream of text would be read in an encoding nobody chose. */
async function* chunksOf(stream: AnyStream): Chunks {
  const chunks: AsyncIterable<unknown> =
    Symbol.asyncIterator in stream ? (stream as Chunks) : webChunks(stream as ReadableStream<Uint8Array>);
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new FileProblem('is a stream of something else than bytes');
    for (let at = 0; at < chunk.length; at += pieceLength) yield chunk.subarray(at, at + pieceLength);
  }
}

/** Not every runtime lets a web stream be iterated. */
async function* webChunks(stream: ReadableStream<Uint8Array>): AsyncIterable<unknown> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The same bytes, or an error where they are more or fewer than they should be. */
async function* whole(chunks: Chunks, size: number | undefined): Chunks {
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

async function explained<Result>(work: () => Promise<Result>, what: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw problemOf(error, what);
  }
}

function problemOf(error: unknown, what: string): FileProblem {
  if (error instanceof FileProblem) return error;
  return new FileProblem(`cannot be read: ${what} failed (${nameOf(error)})`, { cause: error });
}

/** The system's code, or the kind of the error; not its message, which shows the path. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
