import { type Chunks, type Content, FileProblem, joined, problemOf, whole } from './file-content.js';
import { headLength } from './file-names.js';
import { type AnyStream, guard, Source, streamProblem } from './stream-source.js';
import { whenFilesAreFree } from './turns.js';

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
  /** The streams so far: a function that gives the same one again would give an empty file. */
  readonly #given = new WeakSet<object>();
  #size: number | undefined;
  #opened: Opened | undefined;
  #source: Source | undefined;
  /** Bytes of the first attempt that read it to its end. */
  #length: number | undefined;
  #isClosed = false;
  /** Leaves a stream of the caller's as it was. */
  readonly #unguard: () => void;

  constructor(stream: AnyStream | (() => AnyStream | Promise<AnyStream>), known: Known = {}) {
    this.oneShot = typeof stream !== 'function';
    this.#make = typeof stream === 'function' ? stream : () => stream;
    this.#size = known.size;
    this.#file = known.file;
    this.#unguard = typeof stream === 'function' ? () => undefined : guard(stream);
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

  /** Begins at the first byte. A function that cannot open its file now is called again. */
  #start(): Promise<Opened> {
    if (this.oneShot) return this.#begin();
    return whenFilesAreFree(
      () => this.#begin(),
      () => !this.#isClosed,
    );
  }

  async #begin(): Promise<Opened> {
    const source = await explained(() => this.#made(), this.oneShot ? 'the stream' : 'the function');
    const rest = source.chunks()[Symbol.asyncIterator]();
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

  async #made(): Promise<Source> {
    if (this.oneShot && this.#isClosed) throw new FileProblem('was not read: the call has ended', true);
    const stream = await this.#make();
    if (this.#given.has(stream))
      throw new FileProblem('comes from a function that gave the same stream twice', true);
    const problem = streamProblem(stream);
    if (problem !== undefined) throw new FileProblem(problem, true);
    if (!this.oneShot) guard(stream);
    this.#given.add(stream);
    this.#source?.close();
    this.#source = new Source(stream);
    // Made too late: the call has ended in the meantime.
    if (this.#isClosed) this.#source.close();
    return this.#source;
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

  /** A stream that was not touched stays the caller's, as it was. Of one that was, it is known that it closes. */
  close(): void {
    this.#isClosed = true;
    if (this.#source === undefined) this.#unguard();
    else this.#source.close();
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

async function explained<Result>(work: () => Promise<Result>, what: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw problemOf(error, what);
  }
}
