import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Change, endOfFirstPart, sealLine } from './load-file.js';
import { Lock } from './lock.js';
import { format, stateVersion } from './saved-state.js';
import type { State, StateListener } from './state.js';

export { loadFile, rejectOtherFile } from './load-file.js';

/** In bytes of changes. */
const leastToCompact = 4_000_000;

/** In bytes. */
const chunkSize = 1_000_000;

/** Only the owner can read the file, because it contains secrets. */
const mode = 0o600;

/** The suffix of an incomplete file. */
const unfinished = '.new';

/**
 * Changes are written before they are acknowledged. A line consists of a checksum and JSON. The
 * first line names the format; the others are lists of changes, and an empty list ends the first part. A line
 * that a kill truncated is dropped. From time to time the file is compacted: a new file is written next to it
 * and replaces it.
 */
export class StateFile implements StateListener {
  readonly #path: string;
  readonly #state: State;
  readonly #lock: Lock;
  #file: number;
  /** In bytes. */
  #size = 0;
  /** The last line's checksum. */
  #sum = '';
  /** The size after the last compaction. */
  #compactSize = 0;
  /** Changed keys that are not written yet, by part. */
  readonly #dirty = new Map<string, Set<string>>();
  #scheduled = false;
  #everything = false;
  #closed = false;

  /** @throws TypeError if another sandbox has the file, or its folder does not exist */
  constructor(path: string, state: State) {
    this.#path = existsSync(path) ? realpathSync(path) : path;
    this.#state = state;
    assertFolderExists(this.#path);
    this.#lock = new Lock(this.#path);
    try {
      removeUnfinished(this.#path);
      this.#file = this.#writeAnew();
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    state.listen(this);
  }

  changed(part: string, key: string): void {
    const keys = this.#dirty.get(part) ?? new Set();
    keys.add(key);
    this.#dirty.set(part, keys);
    this.#schedule();
  }

  restored(): void {
    this.#everything = true;
    this.#schedule();
  }

  /**
   * After an error, the next call tries again.
   *
   * @throws Error if the file cannot be written
   */
  flush(): void {
    if (this.#dirty.size === 0 && !this.#everything) return;
    try {
      const isLong = this.#size > this.#compactSize + Math.max(this.#compactSize, leastToCompact);
      if (this.#everything) this.#replace();
      else if (!isLong || !this.#compacted()) this.#append(this.#changes());
    } catch (cause) {
      throw new Error(`The state cannot be written to ${this.#path}: ${(cause as Error).message}`, { cause });
    }
    this.#dirty.clear();
    this.#everything = false;
  }

  /** @throws Error if changes cannot be written */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      this.flush();
    } finally {
      closeSync(this.#file);
      this.#lock.release();
    }
  }

  /** Writes in a microtask, unless a flush happens first. */
  #schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      try {
        this.flush();
      } catch {
        // The flush before the next response retries, and that response reports the error.
      }
    });
  }

  #changes(): Change[] {
    return Array.from(this.#dirty).flatMap(([part, keys]) =>
      Array.from(keys, (key) => findChange(part, key, this.#state.encoded(part, key))),
    );
  }

  /**
   * Returns false after a failure, because a line can still be appended without enough space for a new file.
   */
  #compacted(): boolean {
    try {
      this.#replace();
      return true;
    } catch {
      this.#compactSize = this.#size;
      return false;
    }
  }

  #replace(): void {
    this.#assertUnchanged();
    const old = this.#file;
    this.#file = this.#writeAnew();
    closeSync(old);
  }

  #assertUnchanged(): void {
    const { size, nlink } = fstatSync(this.#file);
    if (size !== this.#size || nlink === 0) {
      throw new Error('another process changed or removed the file');
    }
  }

  #append(changes: readonly Change[]): void {
    this.#assertUnchanged();
    const { sum, line } = sealLine(this.#sum, JSON.stringify(changes));
    const bytes = Buffer.from(line);
    try {
      writeFully(this.#file, bytes);
      this.#size += bytes.length;
      this.#sum = sum;
    } catch (error) {
      // Removes a partial line. In the middle, it would make the whole file unreadable.
      ftruncateSync(this.#file, this.#size);
      throw error;
    }
  }

  #writeAnew(): number {
    const beside = `${this.#path}.${randomBytes(8).toString('hex')}${unfinished}`;
    const file = openSync(beside, 'wx', mode);
    try {
      let size = 0;
      let text = '';
      let last = '';
      const add = (value: unknown) => {
        const { sum, line } = sealLine(last, JSON.stringify(value));
        last = sum;
        text += line;
      };
      const write = () => {
        const bytes = Buffer.from(text);
        writeFully(file, bytes);
        size += bytes.length;
        text = '';
      };
      add({ format, version: stateVersion, seed: this.#state.seed });
      for (const [part, key, json] of this.#state.entries()) {
        add([findChange(part, key, json)]);
        if (text.length > chunkSize) write();
      }
      add(endOfFirstPart);
      write();
      renameSync(beside, this.#path);
      this.#size = size;
      this.#compactSize = size;
      this.#sum = last;
      return file;
    } catch (error) {
      closeSync(file);
      rmSync(beside, { force: true });
      throw error;
    }
  }
}

const findChange = (part: string, key: string, json: unknown): Change =>
  json === undefined ? [part, key] : [part, key, json];

function assertFolderExists(path: string): void {
  if (existsSync(dirname(path))) return;
  throw new TypeError(
    `The file ${path} cannot be created, because its folder does not exist. Create the folder first.`,
  );
}

function writeFully(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function removeUnfinished(path: string): void {
  const begun = new RegExp(`^[0-9a-f]{16}\\${unfinished}$`);
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(`${basename(path)}.`) && begun.test(name.slice(basename(path).length + 1))) {
      rmSync(join(dirname(path), name), { force: true });
    }
  }
}
