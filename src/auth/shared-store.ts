import { failed, late, withTimeout } from '../validation/time-limit.js';
import type { TokenStore } from './token-store.js';

/** Hashes an identifier into a key for a shared store, so that readers of the store cannot learn it. */
export async function hashedStoreKey(kind: string, about: readonly unknown[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(about));
  const digest = await globalThis.crypto.subtle.digest('SHA-256', bytes);
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${kind}:${hex}`;
}

/** Milliseconds to wait for a store to save a token. */
const storeTimeoutMs = 1_000;
/** Milliseconds during which a store is not used after a failure. */
const pauseAfterFailureMs = 5_000;

/** Wraps a merchant's store, which can throw, hang or respond late. None of these failures affects a call. */
export class SharedStore {
  readonly #store: TokenStore;
  #pausedUntil = 0;

  constructor(store: TokenStore) {
    this.#store = store;
  }

  /**
   * Reads a key's value. Undefined if the store has no value, or does not respond before `until` (monotonic
   * clock).
   */
  async get(key: string, until: number): Promise<string | undefined> {
    const found = await this.#callUnlessPaused(() => this.#store.get(key), until);
    return typeof found === 'string' ? found : undefined;
  }

  async set(key: string, value: string, ttl: number): Promise<void> {
    // A store that failed recently is also called: other processes wait for this token.
    await this.#callStore(() => this.#store.set(key, value, ttl), storeTimeoutMs);
  }

  /** Takes a lock. Resolves with the function that releases it; undefined if another holder has it. */
  async lock(
    key: string,
    ttl: number,
    until: number,
  ): Promise<(() => Promise<unknown>) | undefined | 'failed'> {
    // A lock that is granted too late is released at once.
    const lock = await this.#callUnlessPaused(
      () => this.#store.lock(key, ttl),
      until,
      (late) => this.release(late),
    );
    // A store can return null instead of undefined.
    const held = lock ?? undefined;
    return held === undefined || typeof held === 'function' ? held : 'failed';
  }

  /** Releases a lock, even after a failure. Otherwise other processes would wait until the lock expires. */
  release(release: unknown): void {
    if (typeof release === 'function') (async () => release())().catch(() => undefined);
  }

  async #callUnlessPaused<Result>(
    work: () => Promise<Result>,
    until: number,
    onLate?: (result: Result) => void,
  ): Promise<Result | typeof failed> {
    const now = performance.now();
    return now < this.#pausedUntil || now >= until ? failed : this.#callStore(work, until - now, onLate);
  }

  async #callStore<Result>(
    work: () => Promise<Result>,
    patience: number,
    onLate?: (result: Result) => void,
  ): Promise<Result | typeof failed> {
    const result = await withTimeout(work, patience, onLate);
    if (result !== late && result !== failed) return result;
    this.#pausedUntil = performance.now() + pauseAfterFailureMs;
    return failed;
  }
}
