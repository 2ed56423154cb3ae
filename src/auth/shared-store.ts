import { failed, late, withTimeout } from '../validation/time-limit.js';
import type { TokenStore } from './token-store.js';

/** Hashes an identifier into a store key, so that nobody who reads the shared store learns the identifier. */
export async function hashStoreKey(kind: string, about: readonly unknown[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(about));
  const digest = await globalThis.crypto.subtle.digest('SHA-256', bytes);
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${kind}:${hex}`;
}

/** Milliseconds to wait for a store to save a token. */
const storeTimeoutMs = 1_000;
/** Milliseconds after a failure during which the store is not read or locked. */
const pauseAfterFailureMs = 5_000;

/** The merchant's store can throw, hang or respond late. None of these failures makes a call fail. */
export class SharedStore {
  readonly #store: TokenStore;
  #pausedUntil = 0;

  constructor(store: TokenStore) {
    this.#store = store;
  }

  /** `until` is a time of the monotonic clock. */
  async get(key: string, until: number): Promise<string | undefined> {
    const found = await this.#callUnlessPaused(() => this.#store.get(key), until);
    return typeof found === 'string' ? found : undefined;
  }

  async set(key: string, value: string, ttl: number): Promise<void> {
    // Unlike reads, this write is not skipped after a failure, because other processes wait for the token.
    await this.#callStore(() => this.#store.set(key, value, ttl), storeTimeoutMs);
  }

  /** `failed`: the store failed or was skipped. */
  async lock(
    key: string,
    ttl: number,
    until: number,
  ): Promise<(() => Promise<unknown>) | undefined | 'failed'> {
    // If the lock is granted after `until`, it is released at once.
    const lock = await this.#callUnlessPaused(
      () => this.#store.lock(key, ttl),
      until,
      (late) => this.release(late),
    );
    // A store can return null instead of undefined.
    const held = lock ?? undefined;
    return held === undefined || typeof held === 'function' ? held : 'failed';
  }

  /** Otherwise other processes would wait for the lock. */
  release(release: unknown): void {
    if (typeof release === 'function') (async () => release())().catch(() => undefined);
  }

  async #callUnlessPaused<Result>(
    work: () => Promise<Result>,
    until: number,
    onLate?: (result: Result) => void,
  ): Promise<Result | typeof failed> {
    const now = performance.now();
    // If this process was busy until after `until`, still waits for one millisecond, so that the response of
    // a fast store is used.
    return now < this.#pausedUntil ? failed : this.#callStore(work, Math.max(until - now, 1), onLate);
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
