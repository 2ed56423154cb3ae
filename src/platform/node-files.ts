import type { FileHandle } from 'node:fs/promises';
import {
  type Chunks,
  type Content,
  checkLength,
  checkPath,
  errorName,
  FileProblem,
  headBytes,
  noFileSystem,
  pieceBytes,
  toFileProblem,
} from './file-content.js';

/** The buffers are reused in turn, so that memory use does not grow with the file's size. */
const bufferCount = 8;

/** The file must not change between two attempts, because both must send the same bytes. */
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

  /** `read` opens the file again when it is sent. */
  async open(): Promise<Uint8Array> {
    if (this.#isClosed) throw new FileProblem('was not read, because the call has ended', true);
    const handle = await this.#handle();
    try {
      const { size, mtimeMs } = await handle.stat();
      this.#size = size;
      this.#changedAt = mtimeMs;
      const { bytesRead, buffer } = await handle.read(new Uint8Array(headBytes), 0, headBytes, 0);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      throw toFileProblem(error, 'the file', true);
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
      yield* checkLength(readChunks(handle), size);
    } finally {
      await handle.close().catch(() => undefined);
    }
  }

  /** `read` closes the handle. */
  close(): void {
    this.#isClosed = true;
  }

  async #handle(): Promise<FileHandle> {
    checkPath(this.#path);
    const fs = await import('node:fs/promises').catch(() => {
      throw noFileSystem();
    });
    try {
      // The file type is checked before the file is opened. Opening a named pipe would wait until something
      // is written to it.
      const stat = await fs.stat(this.#path);
      if (!stat.isFile())
        throw new FileProblem(stat.isDirectory() ? 'is a folder, not a file' : 'is not a regular file', true);
      return await fs.open(this.#path);
    } catch (error) {
      const code = errorName(error);
      if (noSuchFile.has(code)) throw new FileProblem(`does not exist (${code}). ${textIsAPath}`, true);
      throw toFileProblem(error, 'the file', true);
    }
  }
}

const noSuchFile = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

const textIsAPath =
  "A string is a path, relative to the working directory. For base64 pass Buffer.from(text, 'base64')";

async function* readChunks(handle: FileHandle): Chunks {
  const buffers: Uint8Array[] = [];
  for (let turn = 0; ; turn++) {
    const at = turn % bufferCount;
    buffers[at] ??= new Uint8Array(pieceBytes);
    const { bytesRead } = await handle.read(buffers[at], 0, pieceBytes);
    if (bytesRead === 0) return;
    yield buffers[at].subarray(0, bytesRead);
  }
}
