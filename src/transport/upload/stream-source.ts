import { type Chunks, FileProblem, nameOf, pieceLength, pieces } from './file-content.js';
import { headLength } from './file-names.js';

/** Streams by their shape: of Node in any version, or of the web. */
export type AnyStream = object & (AsyncIterable<unknown> | ReadableStream<unknown>);

/** Chunks of at least so many bytes are handed on as they are. */
const largeEnough = 16 * 1024;
/** After so many chunks without a byte, timers get their turn. */
const emptyInARow = 1_024;

type NodeStream = object & Record<'on' | 'off', (name: string, listener: () => void) => void>;

export const isNodeStream = (value: object): value is AnyStream & NodeStream =>
  'pipe' in value && typeof value.pipe === 'function' && 'on' in value && 'off' in value;

/**
 * While a stream is in our hands, an error of its that comes when nobody reads does not end the process.
 * Returns what takes the guard away; it also goes when the stream has closed. It stays where an error may be
 * under way for which nobody had the time to listen: until a file is open, or a destroyed stream has closed.
 */
export function guard(stream: unknown): () => void {
  if (typeof stream !== 'object' || stream === null || !isNodeStream(stream) || isDestroyed(stream))
    return () => undefined;
  const ignore = () => undefined;
  const away = () => {
    stream.off('error', ignore);
    for (const event of ['close', 'ready']) stream.off(event, away);
  };
  stream.on('error', ignore);
  stream.on('close', away);
  return () => {
    if ('pending' in stream && stream.pending === true) stream.on('ready', away);
    else if (!isDestroyed(stream)) away();
  };
}

const isDestroyed = (stream: object) => 'destroyed' in stream && stream.destroyed === true;

/** One stream that is being read, with the hold on it that ends it even while it keeps us waiting. */
export class Source {
  readonly #stream: AnyStream;
  readonly #reader: ReadableStreamDefaultReader<unknown> | undefined;
  readonly #iterator: AsyncIterator<unknown>;
  #isClosed = false;

  constructor(stream: AnyStream) {
    this.#stream = stream;
    this.#reader = 'getReader' in stream ? stream.getReader() : undefined;
    this.#iterator = (this.#reader === undefined ? (stream as AsyncIterable<unknown>) : read(this.#reader))[
      Symbol.asyncIterator
    ]();
  }

  /** Its bytes: those that tell its type as they come, and then in pieces, however small its own chunks are. */
  async *chunks(): Chunks {
    let seen = 0;
    let empty = 0;
    let small: Uint8Array | undefined;
    let filled = 0;
    for await (const chunk of { [Symbol.asyncIterator]: () => this.#iterator }) {
      const bytes = bytesOf(chunk);
      if (bytes.length === 0) {
        // One that gives nothing, without a pause, would keep every deadline from passing.
        if (++empty % emptyInARow === 0) await new Promise((resolve) => setTimeout(resolve));
        if (this.#isClosed) throw new FileProblem('was closed before its end', true);
        continue;
      }
      if (small !== undefined && filled + bytes.length > small.length) {
        yield small.subarray(0, filled);
        small = undefined;
      }
      if (small === undefined && (seen < headLength || bytes.length >= largeEnough)) yield* pieces(bytes);
      else {
        if (small === undefined) {
          small = new Uint8Array(pieceLength);
          filled = 0;
        }
        small.set(bytes, filled);
        filled += bytes.length;
      }
      seen += bytes.length;
    }
    if (small !== undefined) yield small.subarray(0, filled);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#reader !== undefined) this.#reader.cancel().catch(() => undefined);
    else if ('destroy' in this.#stream && typeof this.#stream.destroy === 'function') this.#stream.destroy();
    else (async () => this.#iterator.return?.())().catch(() => undefined);
  }
}

/** A stream of text would be read in an encoding that nobody chose. */
function bytesOf(chunk: unknown): Uint8Array {
  if (!ArrayBuffer.isView(chunk)) throw new FileProblem('is a stream of something else than bytes', true);
  return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Not every runtime lets a web stream be iterated. */
async function* read(reader: ReadableStreamDefaultReader<unknown>): AsyncIterable<unknown> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
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
