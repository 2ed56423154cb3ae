import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

/** Locks a state file by a file beside it that contains the id of this process. */
export class Lock {
  readonly #path: string;

  /** @throws TypeError if a running process has the file. */
  constructor(path: string) {
    this.#path = `${path}.lock`;
    if (this.#take()) return;
    const owner = Number(readIfThere(this.#path));
    if (owner !== process.pid && isRunning(owner)) {
      throw new TypeError(
        `The file ${path} is in use by the process ${owner}. If that is no sandbox, remove ${this.#path}.`,
      );
    }
    // The process that made the lock was killed.
    rmSync(this.#path, { force: true });
    if (!this.#take()) throw new TypeError(`The file ${path} is in use.`);
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }

  #take(): boolean {
    try {
      const file = openSync(this.#path, 'wx', 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isRunning(owner: number): boolean {
  if (!Number.isSafeInteger(owner) || owner <= 0) return false;
  try {
    process.kill(owner, 0);
    return true;
  } catch (error) {
    // A process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
