import {
  type Chunks,
  errorName,
  FileProblem,
  headBytes,
  pieceBytes,
  pieces,
} from '../../platform/file-content.js';
import { isError } from '../../validation/builtins.js';

export type AnyStream = object & (AsyncIterable<unknown> | ReadableStream<unknown>);

/** Minimum size in bytes of chunks that are passed on unchanged. Smaller chunks are combined. */
const minPassThroughBytes = 16 * 1024;
/** The number of chunks that are read before timers get a turn. */
const chunksPerTurn = 4_096;

type NodeStream = object & Record<'on' | 'off', (name: string, listener: () => void) => void>;

export const isNodeStream = (value: object): value is AnyStream & NodeStream =>
  'pipe' in value && typeof value.pipe === 'function' && 'on' in value && 'off' in value;

/**
 * Adds an error listener to a Node stream. Without a listener, an error that the stream emits before it is
 * read would end the process. Returns a function that removes the listener. If an error can still be pending,
 * the listener is removed later: when a file is open, or when a destroyed stream has closed.
 */
export function ignoreLateErrors(stream: unknown): () => void {
  if (typeof stream !== 'object' || stream === null || !isNodeStream(stream) || isDestroyed(stream))
    return () => undefined;
  const ignore = () => undefined;
  const remove = () => {
    stream.off('error', ignore);
    for (const event of ['close', 'ready']) stream.off(event, remove);
  };
  stream.on('error', ignore);
  stream.on('close', remove);
  return () => {
    if ('pending' in stream && stream.pending === true) stream.on('ready', remove);
    else if (!isDestroyed(stream)) remove();
  };
}

const isDestroyed = (stream: object) => 'destroyed' in stream && stream.destroyed === true;

/** Reads one stream, and can close it even while a read is pending. */
export class StreamReader {
  readonly #stream: AnyStream;
  readonly #reader: ReadableStreamDefaultReader<unknown> | undefined;
  readonly #iterator: AsyncIterator<unknown>;
  #isClosed = false;

  constructor(stream: AnyStream) {
    this.#stream = stream;
    this.#reader = 'getReader' in stream ? stream.getReader() : undefined;
    this.#iterator = (
      this.#reader === undefined ? (stream as AsyncIterable<unknown>) : iterate(this.#reader)
    )[Symbol.asyncIterator]();
  }

  /**
   * The first chunks, which show the file type, are passed on without waiting for more. Later chunks are
   * combined if they are small, and split if they are large.
   */
  async *chunks(): Chunks {
    let seen = 0;
    let count = 0;
    let small: Uint8Array | undefined;
    let filled = 0;
    for await (const chunk of { [Symbol.asyncIterator]: () => this.#iterator }) {
      const bytes = toBytes(chunk);
      // A stream of tiny chunks without a pause would prevent every timer from firing, including the
      // deadline.
      if (++count % chunksPerTurn === 0) await new Promise((resolve) => setTimeout(resolve));
      if (bytes.length === 0) {
        if (this.#isClosed) throw new FileProblem('was closed before its end', true);
        continue;
      }
      if (small !== undefined && filled + bytes.length > small.length) {
        yield small.subarray(0, filled);
        small = undefined;
      }
      if (small === undefined && (seen < headBytes || bytes.length >= minPassThroughBytes))
        yield* pieces(bytes);
      else {
        if (small === undefined) {
          small = new Uint8Array(pieceBytes);
          filled = 0;
        }
        small.set(bytes, filled);
        filled += bytes.length;
      }
      seen += bytes.length;
    }
    if (small !== undefined) yield small.subarray(0, filled);
    // An upload parser has ended the stream at its size limit, as if the file were complete.
    if ('truncated' in this.#stream && this.#stream.truncated === true)
      throw new FileProblem("was cut off by the upload parser's size limit", true);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#reader !== undefined) this.#reader.cancel().catch(() => undefined);
    else if ('destroy' in this.#stream && typeof this.#stream.destroy === 'function') this.#stream.destroy();
    else (async () => this.#iterator.return?.())().catch(() => undefined);
  }
}

/** Returns the bytes of a chunk. A string is rejected, because its encoding would be a guess. */
function toBytes(chunk: unknown): Uint8Array {
  if (!ArrayBuffer.isView(chunk)) throw new FileProblem('is a stream that does not contain bytes', true);
  return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Iterates over a web stream, which some runtimes cannot do natively. */
async function* iterate(reader: ReadableStreamDefaultReader<unknown>): AsyncIterable<unknown> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

export function streamProblem(stream: unknown): string | undefined {
  if (typeof stream !== 'object' || stream === null) return 'must be a stream';
  if ('getReader' in stream) {
    return (stream as ReadableStream).locked ? 'is a stream that is already being read' : undefined;
  }
  if (!(Symbol.asyncIterator in stream)) return 'must be a stream of Node or of the web';
  const { destroyed, readableDidRead, readableEnded, errored } = stream as Partial<Record<string, unknown>>;
  if (isError(errored)) return `cannot be read (${errorName(errored)})`;
  return destroyed === true || readableDidRead === true || readableEnded === true
    ? 'is a stream that has been read already'
    : undefined;
}
