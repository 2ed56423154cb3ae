import { SharedStore } from './shared-store.js';
import { Token } from './token.js';
import type { TokenStore } from './token-store.js';

interface Parts {
  /** Makes one token request, whatever that takes, unless the signal ends it. */
  readonly request: (signal: AbortSignal) => Promise<Token>;
  readonly store: TokenStore | undefined;
  /** What the token is kept under. */
  readonly key: () => Promise<string>;
}

/**
 * Milliseconds for which the lock is held at most: whoever holds it may crash. Longer than a slow token
 * endpoint takes, since nobody waits for a lock to expire.
 */
const lockTime = 60_000;
/**
 * Milliseconds that a token may come later for there being a store, however it answers; less for a call
 * that has less than twice that: it needs time for a token request of its own.
 */
const longestDelay = 500;
/** Of that delay, the part for waiting while another process fetches the token. The rest is for a last look. */
const waitingShare = 0.8;
/** Milliseconds between two looks. */
const firstLook = 25;
const longestLook = 100;
/** Milliseconds until a refresh ahead of time is tried again after it failed. */
const pauseAfterFailure = 10_000;

/** Where the token of this client is shared, and until when the store may be waited for. */
interface Shelf {
  readonly store: SharedStore;
  readonly key: string;
  readonly until: number;
}

/** One refresh, and who waits for it. */
interface Refresh {
  readonly token: Promise<Token>;
  readonly controller: AbortController;
  waiting: number;
  /** It was begun ahead of time, for nobody yet. */
  readonly isAhead: boolean;
}

/**
 * The current token of one client: fetched once however many calls wait for it, and ahead of time while
 * the old one still serves. A store that fails costs a request, never a call. When nobody waits any
 * more, nothing is left under way.
 */
export class TokenSource {
  readonly #parts: Parts;
  readonly #store: SharedStore | undefined;
  #current: Token | undefined;
  #refresh: Refresh | undefined;
  /** The last few: an older one may be refused after a newer one. */
  #refused: readonly string[] = [];
  #noRefreshBefore = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#store = parts.store && new SharedStore(parts.store);
  }

  /** What must appear nowhere. */
  secrets(): string[] {
    return [this.#current?.value, ...this.#refused].filter((value) => value !== undefined);
  }

  /**
   * A usable token, for a call with so many milliseconds left; a promise only where there is none yet.
   * Whoever gets a promise must `leave` it.
   */
  token(remaining: number): Token | Promise<Token> {
    const current = this.#current;
    if (current === undefined || current.left <= 0) {
      const refresh = this.#begin(false, remaining);
      refresh.waiting++;
      return refresh.token;
    }
    if (current.isOld && performance.now() >= this.#noRefreshBefore) {
      this.#begin(true, Number.POSITIVE_INFINITY).token.catch(() => {
        this.#noRefreshBefore = performance.now() + pauseAfterFailure;
      });
    }
    return current;
  }

  /** A call does not wait for its token any more, whether it came or not. */
  leave(promise: Promise<Token>): void {
    const refresh = this.#refresh;
    if (refresh?.token !== promise) return;
    refresh.waiting--;
    if (refresh.waiting === 0 && !refresh.isAhead) this.#end();
  }

  /** The platform refused this token, and no other: one that came in the meantime stays. */
  refuse(value: string): void {
    this.#refused = [value, ...this.#refused.filter((one) => one !== value)].slice(0, 8);
    if (this.#current?.value === value) this.#current = undefined;
  }

  /** Ends a refresh that nobody waits for. */
  close(): void {
    if (this.#refresh?.waiting === 0) this.#end();
  }

  #end(): void {
    this.#refresh?.controller.abort();
    this.#refresh = undefined;
  }

  #begin(isAhead: boolean, remaining: number): Refresh {
    if (this.#refresh !== undefined) return this.#refresh;
    const controller = new AbortController();
    const token = this.#renew(controller.signal, remaining).then((found) => {
      // One that lives no time serves those who wait for it, and nobody after them.
      this.#current = found.left > 0 ? found : undefined;
      return found;
    });
    const refresh: Refresh = { token, controller, waiting: 0, isAhead };
    this.#refresh = refresh;
    const done = () => {
      if (this.#refresh === refresh) this.#refresh = undefined;
    };
    token.then(done, done);
    return refresh;
  }

  async #renew(signal: AbortSignal, remaining: number): Promise<Token> {
    const { request } = this.#parts;
    const store = this.#store;
    if (store === undefined) return request(signal);
    const key = await this.#parts.key();
    const now = performance.now();
    const delay = Math.min(longestDelay, remaining / 2);
    const shelf = { store, key, until: now + delay };
    const end = now + delay * waitingShare;
    let look = firstLook;
    while (performance.now() < end && !signal.aborted) {
      const shared = await this.#shared(shelf);
      if (shared !== undefined && !shared.isOld) return shared;
      const lock = await store.lock(key, lockTime, shelf.until);
      if (lock === 'failed') break;
      if (lock !== undefined) return this.#fetch(shelf, signal, lock);
      // Somebody else fetches the next one: this one serves until then, unless it was refused in the meantime.
      if (shared !== undefined && this.#isUsable(shared)) return shared;
      await pause(Math.min(look, end - performance.now()), signal);
      look = Math.min(look * 2, longestLook);
    }
    return this.#fetch(shelf, signal, undefined);
  }

  /** Fetches a token and shares it. Nobody waits until the store has it. */
  async #fetch(
    shelf: Shelf,
    signal: AbortSignal,
    release: (() => Promise<unknown>) | undefined,
  ): Promise<Token> {
    const { store, key } = shelf;
    let shared: Promise<unknown> = Promise.resolve();
    try {
      // Another process may have put it there between the look and the lock.
      const found = await this.#shared(shelf);
      if (found !== undefined && !found.isOld) return found;
      const token = await this.#parts.request(signal).catch((error: unknown) => {
        if (found === undefined || !this.#isUsable(found)) throw error;
        this.#noRefreshBefore = performance.now() + pauseAfterFailure;
        return found;
      });
      if (token !== found && token.left > 0) shared = store.set(key, token.write(), token.left);
      return token;
    } finally {
      if (release !== undefined) shared.then(() => store.release(release));
    }
  }

  /** What the store has, where it can be used. */
  async #shared({ store, key, until }: Shelf): Promise<Token | undefined> {
    const text = await store.get(key, until);
    const token = text === undefined ? undefined : Token.read(text);
    return token !== undefined && this.#isUsable(token) ? token : undefined;
  }

  #isUsable(token: Token): boolean {
    return !this.#refused.includes(token.value) && token.left > 0;
  }
}

/** Waits, or less when the signal ends it. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
