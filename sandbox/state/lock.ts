import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/** The locks that this process holds. */
const held = new Set<string>();

/**
 * A file with the id of the process that uses the state file. The lock of a process that has ended is replaced. If
 * two sandboxes replace it in the same moment, the first one's next write fails, because its file was replaced.
 */
export class Lock {
  readonly #path: string;

  /** @throws TypeError if another sandbox has the file */
  constructor(path: string) {
    this.#path = `${path}.lock`;
    if (!this.#create()) {
      const owner = readOwner(this.#path);
      // Without an owner, the lock is just being created or removed.
      const isInUse = owner === '' || held.has(this.#path) || isRunning(owner);
      if (!isInUse) rmSync(this.#path, { force: true });
      if (isInUse || !this.#create()) {
        throw new TypeError(
          `The file ${path} is in use${owner === '' ? '' : ` by the process ${owner}`}. If that process is not a sandbox, remove ${path}.lock.`,
        );
      }
    }
    held.add(this.#path);
  }

  release(): void {
    held.delete(this.#path);
    rmSync(this.#path, { force: true });
  }

  #create(): boolean {
    try {
      writeFileSync(this.#path, String(process.pid), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }
}

/** Version 1.0.0-rc.1 also wrote an id after the process id. */
function readOwner(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/ .*/, '');
  } catch {
    return '';
  }
}

function isRunning(owner: string): boolean {
  const id = Number(owner);
  // Containers reuse process ids: a process that has ended can have had the id of this one.
  if (!Number.isSafeInteger(id) || id <= 0 || id === process.pid) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // EPERM means a process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
