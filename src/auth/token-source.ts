import { Token } from './token.js';
import type { TokenStore } from './token-store.js';

interface Parts {
  /** Makes one token request, whatever that takes. */
  readonly request: () => Promise<Token>;
  readonly store: TokenStore | undefined;
  /** What the token is kept under. */
  readonly key: () => Promise<string>;
}

/** Milliseconds after which a store that does not answer is done without. */
const storePatience = 2_000;
/** Milliseconds for which the lock is held at most: whoever holds it may crash. */
const lockTime = 15_000;
/** Milliseconds between two looks at a store while another process fetches the token. */
const firstLook = 25;
const longestLook = 500;
/** Milliseconds until a refresh ahead of time is tried again after it failed. */
const pauseAfterFailure = 10_000;

/**
 * The current token of one client: fetched once however many calls wait for it, and ahead of time while
 * the old one still serves. A store that fails costs a request, never a call.
 */
export class TokenSource {
  readonly #parts: Parts;
  #current: Token | undefined;
  #refreshing: Promise<Token> | undefined;
  #refused: string | undefined;
  #noRefreshBefore = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What must appear nowhere. */
  secrets(): string[] {
    return [this.#current?.value, this.#refused].filter((value) => value !== undefined);
  }

  /** A usable token; a promise only where there is none yet. */
  token(): Token | Promise<Token> {
    const current = this.#current;
    if (current === undefined || current.left <= 0) return this.#refresh();
    if (current.isOld && performance.now() >= this.#noRefreshBefore) {
      this.#refresh().catch(() => {
        this.#noRefreshBefore = performance.now() + pauseAfterFailure;
      });
    }
    return current;
  }

  /** The platform refused this token, and no other: one that came in the meantime stays. */
  refuse(value: string): void {
    this.#refused = value;
    if (this.#current?.value === value) this.#current = undefined;
  }

  #refresh(): Promise<Token> {
    this.#refreshing ??= this.#renew()
      .then((token) => {
        // One that lives no time serves those who wait for it, and nobody after them.
        this.#current = token.left > 0 ? token : undefined;
        return token;
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  async #renew(): Promise<Token> {
    const { store, request } = this.#parts;
    if (store === undefined) return request();
    const key = await this.#parts.key();
    const until = performance.now() + lockTime;
    for (let look = firstLook; performance.now() < until; look = Math.min(look * 2, longestLook)) {
      const shared = await this.#stored(store, key);
      if (shared !== undefined && !shared.isOld) return shared;
      const lock = await attempt(() => store.lock(key, lockTime));
      if ('failed' in lock) return shared ?? request();
      if (lock.result !== undefined) return this.#fetchAndShare(store, key, lock.result);
      // Somebody else fetches the next one: this one serves until then.
      if (shared !== undefined) return shared;
      await new Promise((resolve) => setTimeout(resolve, look));
    }
    return request();
  }

  async #fetchAndShare(store: TokenStore, key: string, release: () => Promise<unknown>): Promise<Token> {
    try {
      // Another process may have put it there between the look and the lock.
      const shared = await this.#stored(store, key);
      if (shared !== undefined && !shared.isOld) return shared;
      const token = await this.#parts.request().catch((error: unknown) => {
        if (shared === undefined) throw error;
        return shared;
      });
      if (token.left > 0) await attempt(() => store.set(key, token.write(), token.left));
      return token;
    } finally {
      await attempt(release);
    }
  }

  /** What the store has, where it can be used and is another one than was refused. */
  async #stored(store: TokenStore, key: string): Promise<Token | undefined> {
    const found = await attempt(() => store.get(key));
    if ('failed' in found || typeof found.result !== 'string') return undefined;
    const token = Token.read(found.result);
    return token !== undefined && token.value !== this.#refused && token.left > 0 ? token : undefined;
  }
}

/** What the store says, unless it fails or takes too long. */
async function attempt<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly failed: true }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<{ failed: true }>((resolve) => {
    timer = setTimeout(() => resolve({ failed: true }), storePatience);
  });
  const answer = (async () => ({ result: await work() }))().catch(() => ({ failed: true }) as const);
  try {
    return await Promise.race([answer, patience]);
  } finally {
    clearTimeout(timer);
  }
}
