import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** The ids of the locks that this process holds. */
const held = new Set<string>();

/**
 * To replace the lock of a process that has ended, a starting sandbox first takes a second lock, whose file
 * name contains the first lock's id. If several sandboxes start at once, only one of them gets the second
 * lock.
 */
export class Lock {
  readonly #path: string;
  readonly #id = randomUUID();

  /** @throws TypeError if another sandbox has the file */
  constructor(path: string) {
    this.#path = `${path}.lock`;
    if (!this.#take(this.#path)) {
      const [owner] = readOwner(this.#path);
      throw new TypeError(
        `The file ${path} is in use${owner === '' ? '' : ` by the process ${owner}`}. If that process is not a sandbox, remove ${path}.lock.`,
      );
    }
    held.add(this.#id);
  }

  release(): void {
    held.delete(this.#id);
    rmSync(this.#path, { force: true });
  }

  #take(path: string): boolean {
    if (this.#create(path)) return true;
    const [owner = '', id = ''] = readOwner(path);
    if (owner === '' || held.has(id) || isRunning(owner)) return false;
    const right = `${path}.${id || owner}`;
    if (!this.#take(right)) return false;
    // Since the id was read, another process can have replaced the lock and released the second lock.
    const [ownerNow, idNow = ''] = readOwner(path);
    const isSame = ownerNow === owner && idNow === id;
    if (isSame) this.#replace(path);
    rmSync(right, { force: true });
    return isSame;
  }

  /**
   * Creates a lock together with its content. A process that is killed between the two would leave an empty
   * lock. Nothing could then show that its process has ended.
   */
  #create(path: string): boolean {
    const mine = this.#writeMine(path);
    try {
      link(mine, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(mine, { force: true });
    }
  }

  #replace(path: string): void {
    renameSync(this.#writeMine(path), path);
  }

  /** Writes the content of this lock to a file that no other sandbox uses. */
  #writeMine(path: string): string {
    const mine = `${path}.${this.#id}`;
    writeFileSync(mine, `${process.pid} ${this.#id}`, { mode: 0o600 });
    return mine;
  }
}

/** Throws EEXIST if a file with the second name exists. */
function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // Some file systems have no hard links.
    writeFileSync(to, readFileSync(from), { flag: 'wx', mode: 0o600 });
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
  if (!Number.isSafeInteger(id) || id <= 0 || id === process.pid) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // EPERM means a process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
