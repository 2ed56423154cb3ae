import type { FileHandle } from 'node:fs/promises';
import {
  type Chunks,
  type Content,
  FileProblem,
  nameOf,
  pieceLength,
  problemOf,
  whole,
} from './file-content.js';
import { headLength } from './file-names.js';
import { Turns, whenFilesAreFree } from './turns.js';

/** So many chunks of a file are in memory, in turn: what is read makes no garbage, however large the file is. */
const chunksInTurn = 8;

/** So many files are looked at in the same moment, however many uploads begin in it: a process may have few files open. */
const looks = new Turns(16);

/** A file on this machine. One that changes between two attempts is no longer the same request. */
export class PathContent implements Content {
  readonly oneShot = false;
  readonly #path: string | URL;
  #size: number | undefined;
  #changedAt: number | undefined;
  #isClosed = false;

  constructor(path: string | URL) {
    this.#path = path;
  }

  get size(): number | undefined {
    return this.#size;
  }

  get name(): string {
    return typeof this.#path === 'string' ? this.#path : decodeURIComponent(this.#path.pathname);
  }

  /** It is closed again afterwards, and opened to be read when its turn comes. */
  async open(): Promise<Uint8Array> {
    const done = await looks.take();
    try {
      if (this.#isClosed) throw new FileProblem('was not read: the call has ended', true);
      return await this.#look();
    } finally {
      done();
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
  close(): void {
    this.#isClosed = true;
  }

  async #look(): Promise<Uint8Array> {
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
      return await whenFilesAreFree(
        () => fs.open(this.#path),
        () => !this.#isClosed,
      );
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
