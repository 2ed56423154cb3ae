import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/** The ids of the locks that this process holds. A file can have several paths. */
const held = new Set<string>();

/**
 * A file with the ids of a process and of its lock. The lock of a process that has ended is replaced. If two
 * sandboxes replace it in the same moment, a write of one of them fails, because the other has changed the state file.
 */
export class Lock {
  readonly #path: string;
  readonly #id = randomUUID();

  /** @throws TypeError if another sandbox has the file */
  constructor(path: string) {
    this.#path = `${path}.lock`;
    if (!this.#create()) {
      const [owner = '', id = ''] = readOwner(this.#path);
      // Without an owner, the lock is just being created or removed.
      const isInUse = owner === '' || held.has(id) || isRunning(owner);
      if (!isInUse) rmSync(this.#path, { force: true });
      if (isInUse || !this.#create()) {
        throw new TypeError(
          `The file ${path} is in use${owner === '' ? '' : ` by the process ${owner}`}. If that process is not a sandbox, remove ${path}.lock.`,
        );
      }
    }
    held.add(this.#id);
  }

  release(): void {
    held.delete(this.#id);
    rmSync(this.#path, { force: true });
  }

  #create(): boolean {
    try {
      writeFileSync(this.#path, `${process.pid} ${this.#id}`, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }
}

/** The owner is empty for a lock that is just being created or removed. */
function readOwner(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split(' ');
  } catch {
    return [''];
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
