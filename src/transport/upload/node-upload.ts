import type http from 'node:http';
import { Readable, Writable } from 'node:stream';
import FormData from 'form-data';
import { FileProblem, pieceBytes } from '../../platform/file-content.js';
import { notify } from '../call/hooks.js';
import type { FormFile } from './files.js';
import type { Form } from './form.js';

export class NodeUpload {
  readonly headers: Readonly<Record<string, string>>;
  readonly #data = new FormData();
  readonly #total: number | undefined;
  readonly #onProgress: Form['onProgress'];
  #open: Readable | undefined;
  #isDone = false;

  constructor({ boundary, parts, onProgress }: Form) {
    this.#data.setBoundary(boundary);
    let isKnown = true;
    for (const [name, content] of parts) {
      if (typeof content === 'string') this.#data.append(name, content);
      else {
        const { filename, contentType, size } = content;
        isKnown &&= size !== undefined;
        this.#data.append(name, this.#opensLater(name, content), {
          filename,
          contentType,
          knownLength: size ?? 0,
        });
      }
    }
    this.#total = isKnown ? this.#data.getLengthSync() : undefined;
    this.#onProgress = onProgress;
    const framing: Record<string, string> =
      this.#total === undefined
        ? { 'transfer-encoding': 'chunked' }
        : { 'content-length': String(this.#total) };
    this.headers = { ...this.#data.getHeaders(), ...framing };
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  start(request: http.ClientRequest, onError: (problem: FileProblem) => void): void {
    let sentBytes = 0;
    let reportedBytes = 0;
    const reportProgress = () => {
      reportedBytes = sentBytes;
      notify(this.#onProgress, () => ({ sent: sentBytes, total: this.#total }));
    };
    this.#data.on('data', (chunk: string | Uint8Array) => {
      sentBytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
      if (sentBytes - reportedBytes >= pieceBytes) reportProgress();
    });
    this.#data.on('end', () => {
      this.#isDone = true;
      if (reportedBytes < sentBytes) reportProgress();
    });
    this.#data.on('error', (error: Error) =>
      onError(error instanceof FileProblem ? error : new FileProblem(error.message)),
    );
    // A chunk is written only after the previous chunk was flushed, because the memory of chunks is reused.
    const connection = new Writable({
      highWaterMark: 1,
      decodeStrings: false,
      write: (chunk: string | Uint8Array, _encoding, next) => request.write(chunk, () => next()),
      final: (done) => {
        request.end();
        done();
      },
    });
    this.#data.pipe(connection);
  }

  stop(): void {
    this.#open?.destroy();
  }

  #opensLater(field: string, file: FormFile): (next: (stream: Readable) => void) => void {
    return (next) => {
      this.#open = Readable.from(namedProblems(field, file), { objectMode: false });
      next(this.#open);
    };
  }
}

async function* namedProblems(field: string, file: FormFile): AsyncIterable<Uint8Array> {
  try {
    yield* file.read();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new FileProblem(`${field} ${error.message}`, error.permanent);
  }
}
