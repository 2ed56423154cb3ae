/** Limits how many tasks run at once. The others wait in order. */
export class ConcurrencyLimit {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#free = max;
  }

  /** Waits for a free slot. Resolves with a function that releases it. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}

/** Milliseconds between two tries while the process, or the machine, has too many files open. */
const initialPause = 10;
const maxPause = 160;

/**
 * Tries again while the process has too many files open (EMFILE, ENFILE). Throws that error once the
 * file is not wanted any more.
 */
export async function retryWhileTooManyOpen<Result>(
  open: () => Promise<Result>,
  isWanted: () => boolean,
): Promise<Result> {
  for (let pause = initialPause; ; pause = Math.min(pause * 2, maxPause)) {
    try {
      return await open();
    } catch (error) {
      if (!isTooManyOpen(error) || !isWanted()) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function isTooManyOpen(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
