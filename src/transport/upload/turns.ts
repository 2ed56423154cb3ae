/** Lets so many at once do something, and the others in the order in which they came. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Resolves when it is one's turn, with what ends it. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}

/** Milliseconds between two tries while the process, or the machine, has no file left to open. */
const firstPause = 10;
const longestPause = 160;

/**
 * Opens something as soon as the process may have another file open: that it may not is nobody's mistake.
 * Ends with that error when it is not wanted any more.
 */
export async function whenFilesAreFree<Result>(
  open: () => Promise<Result>,
  isWanted: () => boolean,
): Promise<Result> {
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await open();
    } catch (error) {
      if (!isFull(error) || !isWanted()) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
