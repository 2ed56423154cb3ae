import {
  type Chunks,
  type Content,
  FileProblem,
  joined,
  nameOf,
  pieces,
  problemOf,
  whole,
} from './file-content.js';
import { headLength } from './file-names.js';

/** Streams by their shape: of Node in any version, or of the web. */
export type AnyStream = object & (AsyncIterable<unknown> | ReadableStream<unknown>);

interface Known {
  readonly size?: number;
  readonly name?: string;
  /** The file that it reads as a whole: its size is known. */
  readonly file?: string;
  readonly type?: string | undefined;
}

/** A stream that is being read. */
interface Opened {
  /** What was read to look at it, and is still to be sent. */
  readonly head: readonly Uint8Array[];
  readonly rest: AsyncIterator<Uint8Array>;
}

/** A stream that was handed over, or one that a function makes for each attempt. */
export class StreamContent implements Content {
  readonly name: string | undefined;
  readonly type: string | undefined;
  readonly oneShot: boolean;
  readonly #file: string | undefined;
  readonly #make: () => AnyStream | Promise<AnyStream>;
  /** What was made so far: a function that gives the same stream again would give an empty file. */
  readonly #made = new WeakSet<object>();
  #size: number | undefined;
  #opened: Opened | undefined;
  #source: Source | undefined;
  /** Bytes of the first attempt that read it to its end. */
  #length: number | undefined;
  #isClosed = false;

  constructor(stream: AnyStream | (() => AnyStream | Promise<AnyStream>), known: Known = {}) {
    this.oneShot = typeof stream !== 'function';
    this.#make = typeof stream === 'function' ? stream : () => stream;
    this.#size = known.size;
    this.#file = known.file;
    this.name = known.name;
    this.type = known.type;
  }

  get size(): number | undefined {
    return this.#size;
  }

  async open(look: boolean): Promise<Uint8Array> {
    if (this.#file !== undefined) this.#size = await sizeOf(this.#file);
    if (!look) return new Uint8Array();
    this.#opened = await this.#start();
    return joined(this.#opened.head).subarray(0, headLength);
  }

  async #start(): Promise<Opened> {
    const stream = await explained(async () => this.#make(), 'the function');
    if (this.#made.has(stream))
      throw new FileProblem('comes from a function that gave the same stream twice', true);
    const problem = streamProblem(stream);
    if (problem !== undefined) throw new FileProblem(problem, true);
    this.#made.add(stream);
    this.#source?.close();
    this.#source = new Source(stream);
    // Made too late: the call has ended in the meantime.
    if (this.#isClosed) this.close();
    const rest = this.#source.chunks()[Symbol.asyncIterator]();
    const head: Uint8Array[] = [];
    let length = 0;
    while (length < headLength) {
      const { done, value } = await explained(() => rest.next(), 'the stream');
      if (done) break;
      head.push(value);
      length += value.length;
    }
    return { head, rest };
  }

  async *read(): Chunks {
    const { head, rest } = this.#opened ?? (await this.#start());
    this.#opened = undefined;
    let length = 0;
    for await (const chunk of whole(following(head, rest), this.#size)) {
      length += chunk.length;
      yield chunk;
    }
    if (this.#isClosed) throw new FileProblem('was closed before its end', true);
    this.#length ??= length;
    if (this.#length !== length)
      throw new FileProblem(
        `gave ${length} bytes, and ${this.#length} before: it must give the same each time`,
        true,
      );
  }

  close(): void {
    this.#isClosed = true;
    this.#source?.close();
  }
}

/** One stream, with the hold on it that ends it even while it keeps us waiting. */
class Source {
  readonly #stream: AnyStream;
  readonly #reader: ReadableStreamDefaultReader<unknown> | undefined;
  readonly #iterator: AsyncIterator<unknown>;

  constructor(stream: AnyStream) {
    this.#stream = stream;
    this.#reader = 'getReader' in stream ? stream.getReader() : undefined;
    this.#iterator = (this.#reader === undefined ? (stream as AsyncIterable<unknown>) : read(this.#reader))[
      Symbol.asyncIterator
    ]();
  }

  /** The chunks as bytes, in pieces. A stream of text would be read in an encoding nobody chose. */
  async *chunks(): Chunks {
    for await (const chunk of { [Symbol.asyncIterator]: () => this.#iterator }) {
      if (!ArrayBuffer.isView(chunk)) throw new FileProblem('is a stream of something else than bytes', true);
      yield* pieces(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    }
  }

  close(): void {
    if (this.#reader !== undefined) this.#reader.cancel().catch(() => undefined);
    else if ('destroy' in this.#stream && typeof this.#stream.destroy === 'function') this.#stream.destroy();
    else (async () => this.#iterator.return?.())().catch(() => undefined);
  }
}

/** Not every runtime lets a web stream be iterated. */
async function* read(reader: ReadableStreamDefaultReader<unknown>): AsyncIterable<unknown> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

async function* following(head: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): Chunks {
  yield* head;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
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

async function explained<Result>(work: () => Promise<Result>, what: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw problemOf(error, what);
  }
}
