const intervalMs = 60_000;

/** Decides when a store deletes expired rows: at most once a minute, and a claim does not wait for it. */
export class Cleaning {
  /**
   * The first is after a minute, because the table can be new, and a short-lived process should not clean at
   * each start.
   */
  #next = performance.now() + intervalMs;

  start(clean: () => Promise<unknown>): void {
    if (performance.now() < this.#next) return;
    this.#next = performance.now() + intervalMs;
    clean().catch(() => {});
  }
}
