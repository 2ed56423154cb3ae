import type { TokenStore } from './token-store.js';

/** Milliseconds after which a store that does not keep a token or let go of a lock is done without. */
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

  /** What it has under the key, if it says so until then, on the monotonic clock. */
  async get(key: string, until: number): Promise<string | undefined> {
    const found = await this.#ask(() => this.#store.get(key), until);
    return typeof found === 'string' ? found : undefined;
  }

  async set(key: string, value: string, ttl: number): Promise<void> {
    // Also to a store that failed just now: others wait for what it keeps.
    await this.#attempt(() => this.#store.set(key, value, ttl), patience);
  }

  /** What lets go of the lock; undefined when somebody else holds it. */
  async lock(
    key: string,
    ttl: number,
    until: number,
  ): Promise<(() => Promise<unknown>) | undefined | 'failed'> {
    // One that comes too late to be used is let go of.
    const lock = await this.#ask(
      () => this.#store.lock(key, ttl),
      until,
      (late) => this.release(late),
    );
    // A store in JavaScript may say null for undefined.
    const held = lock ?? undefined;
    return held === undefined || typeof held === 'function' ? held : 'failed';
  }

  /** Tried in any case: whoever waits for the lock would wait for nobody. */
  release(release: unknown): void {
    if (typeof release === 'function') (async () => release())().catch(() => undefined);
  }

  async #ask<Result>(
    work: () => Promise<Result>,
    until: number,
    onLate?: (result: Result) => void,
  ): Promise<Result | typeof failed> {
    const now = performance.now();
    return now < this.#noUseBefore || now >= until ? failed : this.#attempt(work, until - now, onLate);
  }

  async #attempt<Result>(
    work: () => Promise<Result>,
    patience: number,
    onLate?: (result: Result) => void,
  ): Promise<Result | typeof failed> {
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
