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
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isRecord } from '../../input/record.js';
import { Lock } from './lock.js';
import { readLines } from './read-lines.js';
import { firstLineProblem, format, notAState, type SandboxState, stateVersion } from './saved.js';
import type { State, StateListener } from './state.js';

/** Bytes of changes after which a file is written anew, if it is not longer than that at its beginning. */
const leastToCompact = 4_000_000;

/** Bytes that are written at once. */
const chunkSize = 1_000_000;

/** For its owner only: the file has secrets. */
const mode = 0o600;

/** The end of the name of a file that is being written. */
const unfinished = '.new';

type Change = readonly [part: string, key: string, json?: unknown];

/**
 * A state in a file, to which each change is appended as one line before it is acknowledged. The first line says
 * what it is; a line is a list of values, `[part, key, json]`, or `[part, key]` for what is no more. What was
 * written of a line when the process was killed is dropped. From time to time the file is written anew beside
 * itself, and takes its own place.
 */
export class StateFile implements StateListener {
  readonly #path: string;
  readonly #state: State;
  readonly #lock: Lock;
  #file: number;
  /** Bytes that were written. */
  #size = 0;
  /** Its size after it was written anew. */
  #compactSize = 0;
  /** Keys whose values changed and are not written yet, by part. */
  readonly #dirty = new Map<string, Set<string>>();
  #scheduled = false;
  #everything = false;
  #closed = false;

  /** @throws TypeError if another process has the file. */
  constructor(path: string, state: State) {
    this.#path = existsSync(path) ? realpathSync(path) : path;
    this.#state = state;
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

  /**
   * For a file whose state is forgotten.
   *
   * @throws TypeError if it is something else than a state file, of whatever version.
   */
  static refuseOther(path: string): void {
    if (!isThere(path)) return;
    const head = readLines(path).next().value?.json;
    const problem = isRecord(head) ? firstLineProblem({ ...head, version: stateVersion }) : notAState;
    if (problem !== undefined) throw new TypeError(`The file ${path} ${problem}.`);
  }

  /**
   * The state in a file; undefined if there is no such file, or an empty one.
   *
   * @throws TypeError if it is not one, of another version, or damaged.
   */
  static load(path: string): SandboxState | undefined {
    if (!isThere(path)) return undefined;
    const fail = (problem: string) => new TypeError(`The file ${path} ${problem}.`);
    const lines = readLines(path);
    const head = lines.next().value?.json;
    const problem = firstLineProblem(head);
    if (problem !== undefined) throw fail(problem);
    const parts = new Map<string, Map<string, unknown>>();
    for (const { number, json } of lines) {
      if (!Array.isArray(json) || !json.every(isChange)) throw fail(`is damaged in line ${number}`);
      for (const change of json) apply(parts, change);
    }
    const { seed } = head as SandboxState;
    return {
      format,
      version: stateVersion,
      seed,
      parts: Object.fromEntries(Array.from(parts, ([name, entries]) => [name, [...entries]])),
    };
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
   * Writes what has changed. What this cannot write, the next one writes.
   *
   * @throws Error if it cannot be written.
   */
  flush(): void {
    if (this.#dirty.size === 0 && !this.#everything) return;
    try {
      const isLong = this.#size > this.#compactSize + Math.max(this.#compactSize, leastToCompact);
      if (this.#everything) this.#replace();
      else if (!isLong || !this.#compacted()) this.#append(Buffer.from(lineOf(this.#changes())));
    } catch (cause) {
      throw new Error(`The state cannot be written to ${this.#path}: ${(cause as Error).message}`, { cause });
    }
    this.#dirty.clear();
    this.#everything = false;
  }

  /** @throws Error if what has changed cannot be written. */
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

  /** Writes at the end of this step, if nothing does before. */
  #schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      try {
        this.flush();
      } catch {
        // It is tried again before the next answer, which tells of the error.
      }
    });
  }

  #changes(): Change[] {
    return Array.from(this.#dirty).flatMap(([part, keys]) =>
      Array.from(keys, (key) => changeOf(part, key, this.#state.encoded(part, key))),
    );
  }

  /** Whether the file could be written anew. Where there is no room for that, there may be some for a line. */
  #compacted(): boolean {
    try {
      this.#replace();
      return true;
    } catch {
      this.#compactSize = this.#size;
      return false;
    }
  }

  /** The old file is closed only when the new one has its place. */
  #replace(): void {
    this.#refuseChanged();
    const old = this.#file;
    this.#file = this.#writeAnew();
    closeSync(old);
  }

  #refuseChanged(): void {
    const { size, nlink } = fstatSync(this.#file);
    if (size !== this.#size || nlink === 0) {
      throw new Error('another process has written to the file, or moved it');
    }
  }

  #append(line: Buffer): void {
    this.#refuseChanged();
    try {
      writeFully(this.#file, line);
      this.#size += line.length;
    } catch (error) {
      // A part of a line in the middle would make the whole file unreadable.
      ftruncateSync(this.#file, this.#size);
      throw error;
    }
  }

  #writeAnew(): number {
    const beside = `${this.#path}.${randomBytes(8).toString('hex')}${unfinished}`;
    const file = openSync(beside, 'wx', mode);
    try {
      let size = 0;
      let text = `${JSON.stringify({ format, version: stateVersion, seed: this.#state.seed })}\n`;
      const write = () => {
        const bytes = Buffer.from(text);
        writeFully(file, bytes);
        size += bytes.length;
        text = '';
      };
      for (const [part, key, json] of this.#state.entries()) {
        text += lineOf([changeOf(part, key, json)]);
        if (text.length > chunkSize) write();
      }
      write();
      renameSync(beside, this.#path);
      this.#size = size;
      this.#compactSize = size;
      return file;
    } catch (error) {
      closeSync(file);
      rmSync(beside, { force: true });
      throw error;
    }
  }
}

const lineOf = (changes: readonly Change[]) => `${JSON.stringify(changes)}\n`;

const changeOf = (part: string, key: string, json: unknown): Change =>
  json === undefined ? [part, key] : [part, key, json];

const isChange = (given: unknown): given is Change =>
  Array.isArray(given) && typeof given[0] === 'string' && typeof given[1] === 'string' && given.length <= 3;

function apply(parts: Map<string, Map<string, unknown>>, change: Change): void {
  const [part, key, json] = change;
  const entries = parts.get(part) ?? new Map<string, unknown>();
  parts.set(part, entries);
  if (change.length === 3) entries.set(key, json);
  else entries.delete(key);
}

function writeFully(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Whether there is a file with something in it. @throws TypeError for what is no file, such as a folder or a device. */
function isThere(path: string): boolean {
  if (!existsSync(path)) return false;
  const found = statSync(path);
  if (!found.isFile()) throw new TypeError(`${path} is not a regular file.`);
  return found.size > 0;
}

/** What a process that was killed had begun to write beside a file. */
function removeUnfinished(path: string): void {
  const begun = new RegExp(`^[0-9a-f]{16}\\${unfinished}$`);
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(`${basename(path)}.`) && begun.test(name.slice(basename(path).length + 1))) {
      rmSync(join(dirname(path), name), { force: true });
    }
  }
}
