import type { TokenStore } from './token-store.js';

/** Milliseconds after which a store that does not answer is done without. */
const patience = 1_000;
/** Milliseconds for which a store that failed is not asked again. */
const pauseAfterFailure = 5_000;

/** A store of the merchant's, with nothing that it does wrong getting through: it may throw, hang, or answer late. */
export class SharedStore {
  readonly #store: TokenStore;
  #noUseBefore = 0;

  constructor(store: TokenStore) {
    this.#store = store;
  }

  async get(key: string): Promise<string | undefined> {
    const found = await this.#attempt(() => this.#store.get(key));
    return typeof found === 'string' ? found : undefined;
  }

  async set(key: string, value: string, ttl: number): Promise<void> {
    // Also to a store that failed just now: others wait for what it keeps.
    await this.#attempt(() => this.#store.set(key, value, ttl), { always: true });
  }

  /** What lets go of the lock; undefined when somebody else holds it. */
  async lock(key: string, ttl: number): Promise<(() => Promise<unknown>) | undefined | 'failed'> {
    const lock = await this.#attempt(() => this.#store.lock(key, ttl), {
      // It came too late to be used.
      onLate: (late) => this.release(late),
    });
    return lock === failed || (lock !== undefined && typeof lock !== 'function') ? 'failed' : lock;
  }

  /** Tried in any case: whoever waits for the lock would wait for nobody. */
  release(release: unknown): void {
    if (typeof release === 'function') (async () => release())().catch(() => undefined);
  }

  async #attempt<Result>(
    work: () => Promise<Result>,
    { onLate, always = false }: { onLate?: (result: Result) => void; always?: boolean } = {},
  ): Promise<Result | typeof failed> {
    if (!always && performance.now() < this.#noUseBefore) return failed;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLate = false;
    const late = new Promise<typeof failed>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        resolve(failed);
      }, patience);
    });
    const answer = (async () => {
      const result = await work();
      if (isLate) onLate?.(result);
      return result;
    })().catch((): typeof failed => failed);
    const result = await Promise.race([answer, late]);
    clearTimeout(timer);
    if (result === failed) this.#noUseBefore = performance.now() + pauseAfterFailure;
    return result;
  }
}

const failed = Symbol('failed');
