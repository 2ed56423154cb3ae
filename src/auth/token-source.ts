import { wait } from '../validation/time-limit.js';
import { SharedStore } from './shared-store.js';
import { Token } from './token.js';
import type { TokenStore } from './token-store.js';

interface TokenSourceOptions {
  /** Requests a token, with retries, unless the signal aborts it. */
  readonly request: (signal: AbortSignal) => Promise<Token>;
  readonly store: TokenStore | undefined;
  /** The key of the token in the store. */
  readonly key: () => Promise<string>;
}

/**
 * Milliseconds until the lock expires, in case its holder crashes. Longer than a slow token endpoint
 * takes; that is harmless, because no call waits for a lock to expire.
 */
const lockDuration = 60_000;
/**
 * Milliseconds that a store that fails or hangs can delay a token. Less for a call with less than twice
 * that time left, which needs time for its own token request.
 */
const maxStoreDelayMs = 500;
/** The part of that delay to wait while another process fetches the token. The rest is for a last look into the store. */
const waitingShare = 0.8;
/** Milliseconds between two looks into the store. */
const initialPollDelayMs = 25;
const maxPollDelayMs = 100;
/** The most milliseconds to wait while another process holds the lock: a slow token endpoint takes seconds. */
const maxLockWaitMs = 10_000;
/** Milliseconds after a failed early refresh before the next one. */
const pauseAfterFailureMs = 10_000;
/** Milliseconds after a token was renewed because the old one was rejected, before the next such renewal. */
const pauseAfterRenewalMs = 10_000;

/** The shared store, the key of the token, and until when to wait for the store. */
interface StoreAccess {
  readonly store: SharedStore;
  readonly key: string;
  readonly until: number;
}

/** One refresh, and how many calls wait for it. */
interface Refresh {
  readonly token: Promise<Token>;
  readonly controller: AbortController;
  waitingCalls: number;
  /** A background refresh before the current token expires: no call waits for it. */
  readonly isEarly: boolean;
}

/**
 * The current token of one client. It is fetched once, however many calls wait for it, and refreshed early,
 * while the old one is still valid. If the store fails, a token is requested; calls do not fail. When no
 * call waits any more, a refresh is aborted, unless it is an early one.
 */
export class TokenSource {
  readonly #options: TokenSourceOptions;
  readonly #store: SharedStore | undefined;
  #current: Token | undefined;
  #refresh: Refresh | undefined;
  /** The last few rejected tokens: an older one may be rejected after a newer one. */
  #refused: readonly string[] = [];
  #earlyRefreshPausedUntil = 0;
  /** Whether the next token replaces one that was rejected. */
  #isReplacing = false;
  #renewalPausedUntil = 0;
  /** The token that was issued last, also one without a lifetime. */
  #newest: string | undefined;

  constructor(parts: TokenSourceOptions) {
    this.#options = parts;
    this.#store = parts.store && new SharedStore(parts.store);
  }

  /** The tokens, which must not appear in messages. */
  secrets(): string[] {
    return [this.#current?.value, ...this.#refused].filter((value) => value !== undefined);
  }

  /**
   * A valid token, for a call with the given milliseconds left; a promise only if there is none yet. A caller
   * that gets a promise must call `stopWaiting` with it.
   */
  token(remainingMs: number): Token | Promise<Token> {
    const current = this.#current;
    if (current === undefined || current.remainingMs <= 0) {
      const refresh = this.#startRefresh(false, remainingMs);
      refresh.waitingCalls++;
      return refresh.token;
    }
    if (current.isOld && performance.now() >= this.#earlyRefreshPausedUntil) {
      this.#startRefresh(true, Number.POSITIVE_INFINITY).token.catch(() => {
        this.#earlyRefreshPausedUntil = performance.now() + pauseAfterFailureMs;
      });
    }
    return current;
  }

  /** Must be called when a call no longer waits for a promise from `token`, settled or not. */
  stopWaiting(promise: Promise<Token>): void {
    const refresh = this.#refresh;
    if (refresh?.token !== promise) return;
    refresh.waitingCalls--;
    if (refresh.waitingCalls === 0 && !refresh.isEarly) this.#abortRefresh();
  }

  /**
   * Reports that the platform rejected this token. A newer current token is kept. Returns whether another attempt can
   * have another token: not right after a renewal. An endpoint that rejects every token would otherwise cost a token
   * request per call, and all other calls their good token.
   */
  invalidate(value: string): boolean {
    const isNewest = this.#newest === value;
    if (isNewest && performance.now() < this.#renewalPausedUntil) return false;
    this.#refused = [value, ...this.#refused.filter((one) => one !== value)].slice(0, 8);
    if (isNewest) {
      this.#current = undefined;
      this.#isReplacing = true;
    }
    return true;
  }

  /** Aborts a refresh that no call waits for. */
  close(): void {
    if (this.#refresh?.waitingCalls === 0) this.#abortRefresh();
  }

  #abortRefresh(): void {
    this.#refresh?.controller.abort();
    this.#refresh = undefined;
  }

  #startRefresh(isEarly: boolean, remainingMs: number): Refresh {
    if (this.#refresh !== undefined) return this.#refresh;
    const controller = new AbortController();
    const token = this.#renew(controller.signal, remainingMs).then((found) => {
      // A token without a lifetime is used by the calls that wait for it, and by no others.
      this.#current = found.remainingMs > 0 ? found : undefined;
      this.#newest = found.value;
      if (this.#isReplacing) this.#renewalPausedUntil = performance.now() + pauseAfterRenewalMs;
      this.#isReplacing = false;
      return found;
    });
    const refresh: Refresh = { token, controller, waitingCalls: 0, isEarly };
    this.#refresh = refresh;
    const done = () => {
      if (this.#refresh === refresh) this.#refresh = undefined;
    };
    token.then(done, done);
    return refresh;
  }

  async #renew(signal: AbortSignal, remainingMs: number): Promise<Token> {
    const { request } = this.#options;
    const store = this.#store;
    if (store === undefined) return request(signal);
    const key = await this.#options.key();
    const now = performance.now();
    const delay = Math.min(maxStoreDelayMs, remainingMs / 2);
    const lockEnd = now + Math.min(maxLockWaitMs, remainingMs / 2) * waitingShare;
    let access = { store, key, until: now + delay };
    let end = now + delay * waitingShare;
    let pollDelay = initialPollDelayMs;
    while (performance.now() < end && !signal.aborted) {
      const shared = await this.#readShared(access);
      if (shared !== undefined && !shared.isOld) return shared;
      const lock = await store.lock(key, lockDuration, access.until);
      if (lock === 'failed') break;
      if (lock !== undefined) return this.#fetch(access, signal, lock);
      // Another process fetches the next token: this one is used until then, unless it was rejected meanwhile.
      if (shared !== undefined && this.#isUsable(shared)) return shared;
      // A store that hangs costs no more than before, at each look.
      end = lockEnd;
      access = { store, key, until: performance.now() + delay };
      await wait(Math.min(pollDelay, end - performance.now()), signal);
      pollDelay = Math.min(pollDelay * 2, maxPollDelayMs);
    }
    return this.#fetch(access, signal, undefined);
  }

  /** Requests a token and stores it, without waiting until it is stored. */
  async #fetch(
    shelf: StoreAccess,
    signal: AbortSignal,
    release: (() => Promise<unknown>) | undefined,
  ): Promise<Token> {
    const { store, key } = shelf;
    let shared: Promise<unknown> = Promise.resolve();
    try {
      // Another process may have stored one between the look and the lock.
      const found = await this.#readShared(shelf);
      if (found !== undefined && !found.isOld) return found;
      const token = await this.#options.request(signal).catch((error: unknown) => {
        if (found === undefined || !this.#isUsable(found)) throw error;
        this.#earlyRefreshPausedUntil = performance.now() + pauseAfterFailureMs;
        return found;
      });
      if (token !== found && token.remainingMs > 0) shared = store.set(key, token.write(), token.remainingMs);
      return token;
    } finally {
      if (release !== undefined) shared.then(() => store.release(release));
    }
  }

  /** The token in the store, if it is valid. */
  async #readShared({ store, key, until }: StoreAccess): Promise<Token | undefined> {
    const text = await store.get(key, until);
    const token = text === undefined ? undefined : Token.read(text);
    return token !== undefined && this.#isUsable(token) ? token : undefined;
  }

  #isUsable(token: Token): boolean {
    return !this.#refused.includes(token.value) && token.remainingMs > 0;
  }
}
