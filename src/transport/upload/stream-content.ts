import { fileSystem } from '#platform';
import {
  type Chunks,
  type Content,
  checkLength,
  concatBytes,
  FileProblem,
  headBytes,
  toFileProblem,
} from '../../platform/file-content.js';
import { type AnyStream, ignoreLateErrors, StreamReader, streamProblem } from './stream-reader.js';

interface StreamProperties {
  readonly size?: number;
  readonly name?: string;
  /** The path of the file, if the stream reads a whole file. The size of the stream is then known. */
  readonly file?: string;
  readonly type?: string | undefined;
}

interface OpenStream {
  /** Chunks that were read to recognise the type, and that still have to be sent. */
  readonly head: readonly Uint8Array[];
  readonly rest: AsyncIterator<Uint8Array>;
}

export class StreamContent implements Content {
  readonly name: string | undefined;
  readonly type: string | undefined;
  readonly oneShot: boolean;
  readonly #file: string | undefined;
  readonly #createStream: () => AnyStream | Promise<AnyStream>;
  /** The streams that the function has returned so far. A stream that it returns again would be empty. */
  readonly #seenStreams = new WeakSet<object>();
  #size: number | undefined;
  #openStream: OpenStream | undefined;
  #reader: StreamReader | undefined;
  #isClosed = false;
  readonly #stopIgnoringErrors: () => void;

  constructor(stream: AnyStream | (() => AnyStream | Promise<AnyStream>), known: StreamProperties = {}) {
    this.oneShot = typeof stream !== 'function';
    this.#createStream = typeof stream === 'function' ? stream : () => stream;
    this.#size = known.size;
    this.#file = known.file;
    this.#stopIgnoringErrors = typeof stream === 'function' ? () => undefined : ignoreLateErrors(stream);
    this.name = known.name;
    this.type = known.type;
  }

  get size(): number | undefined {
    return this.#size;
  }

  async open(look: boolean): Promise<Uint8Array> {
    if (this.#file !== undefined) this.#size = await findSize(this.#file);
    if (!look) return new Uint8Array();
    this.#openStream = await this.#start();
    return concatBytes(this.#openStream.head).subarray(0, headBytes);
  }

  async #start(): Promise<OpenStream> {
    const reader = await withFileProblem(
      () => this.#createReader(),
      this.oneShot ? 'the stream' : 'the function',
    );
    const rest = reader.chunks()[Symbol.asyncIterator]();
    const head: Uint8Array[] = [];
    let length = 0;
    while (length < headBytes) {
      const { done, value } = await withFileProblem(() => rest.next(), 'the stream');
      if (done) break;
      head.push(value);
      length += value.length;
    }
    return { head, rest };
  }

  async #createReader(): Promise<StreamReader> {
    if (this.oneShot && this.#isClosed)
      throw new FileProblem('was not read, because the call has ended', true);
    const stream = await this.#createStream();
    if (this.#seenStreams.has(stream))
      throw new FileProblem('comes from a function that returned the same stream twice', true);
    const problem = streamProblem(stream);
    if (problem !== undefined) throw new FileProblem(problem, true);
    if (!this.oneShot) ignoreLateErrors(stream);
    this.#seenStreams.add(stream);
    this.#reader?.close();
    this.#reader = new StreamReader(stream);
    // The call has ended while the caller's function was creating the stream.
    if (this.#isClosed) this.#reader.close();
    return this.#reader;
  }

  async *read(): Chunks {
    const { head, rest } = this.#openStream ?? (await this.#start());
    this.#openStream = undefined;
    yield* checkLength(headThenRest(head, rest), this.#size);
    if (this.#isClosed) throw new FileProblem('was closed before its end', true);
  }

  /** Closes a stream that was read. An unread stream stays open and unchanged for the caller. */
  close(): void {
    this.#isClosed = true;
    if (this.#reader === undefined) this.#stopIgnoringErrors();
    else this.#reader.close();
  }
}

async function* headThenRest(head: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): Chunks {
  yield* head;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
  }
}

/** Undefined if the file cannot be read. Reading the stream then reports the problem. */
async function findSize(path: string): Promise<number | undefined> {
  try {
    const fs = await fileSystem();
    const stat = await fs.stat(path);
    return stat.isFile() ? stat.size : undefined;
  } catch {
    return undefined;
  }
}

async function withFileProblem<Result>(work: () => Promise<Result>, what: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toFileProblem(error, what);
  }
}
