import { wait } from '../validation/time-limit.js';
import { SharedStore } from './shared-store.js';
import { Token } from './token.js';
import type { TokenStore } from './token-store.js';

interface TokenSourceOptions {
  readonly request: (signal: AbortSignal) => Promise<Token>;
  readonly store: TokenStore | undefined;
  readonly key: () => Promise<string>;
}

/**
 * Milliseconds until a crashed holder's lock expires. This is longer than a slow token request takes. The
 * length is harmless, because no call waits for a lock to expire.
 */
const lockDurationMs = 60_000;
/**
 * Maximum milliseconds that a failing or hanging store can delay a token. If a call has less than twice this
 * time left, the limit is half of its remaining time. The other half is for its own token request.
 */
const maxStoreDelayMs = 500;
/**
 * The share of the time limit during which this process polls the store for another process's token. The rest
 * of the time is for a last read of the store.
 */
const waitingShare = 0.8;
/** Each further pause is twice as long, up to the maximum. */
const initialPollDelayMs = 25;
const maxPollDelayMs = 100;
/** Maximum milliseconds to wait while another process holds the lock. A slow token request takes seconds. */
const maxLockWaitMs = 10_000;
/** Milliseconds between a failed early refresh and the next one. */
const pauseAfterFailureMs = 10_000;
/** Minimum milliseconds between two renewals that follow a rejected token. */
const pauseAfterRenewalMs = 10_000;

/** `until` is a time of the monotonic clock. */
interface StoreAccess {
  readonly store: SharedStore;
  readonly key: string;
  readonly until: number;
}

interface Refresh {
  readonly token: Promise<Token>;
  readonly controller: AbortController;
  waitingCalls: number;
  /** Calls wait for it only once the current token has expired or was rejected. */
  readonly isEarly: boolean;
}

/**
 * Concurrent calls share one token request. The token is refreshed early, while the old token is still valid.
 * If the store fails, this process requests its own token, so that no call fails. When the last waiting call
 * gives up, the refresh is aborted, unless it is an early one.
 */
export class TokenSource {
  readonly #options: TokenSourceOptions;
  readonly #store: SharedStore | undefined;
  #current: Token | undefined;
  #refresh: Refresh | undefined;
  /** The platform can reject an older token after a newer one. */
  #rejected: readonly string[] = [];
  #earlyRefreshPausedUntil = 0;
  #isReplacing = false;
  #renewalPausedUntil = 0;
  /** The last token that a refresh returned, even if it had no lifetime left. */
  #newest: string | undefined;

  constructor(parts: TokenSourceOptions) {
    this.#options = parts;
    this.#store = parts.store && new SharedStore(parts.store);
  }

  secrets(): string[] {
    return [this.#current?.value, ...this.#rejected].filter((value) => value !== undefined);
  }

  /** A caller that receives a promise must pass it to `stopWaiting`. */
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

  stopWaiting(promise: Promise<Token>): void {
    const refresh = this.#refresh;
    if (refresh?.token !== promise) return;
    refresh.waitingCalls--;
    if (refresh.waitingCalls === 0 && !refresh.isEarly) this.#abortRefresh();
  }

  /**
   * If the current token is newer, it is kept. Returns whether the call can be retried with another token.
   * Returns false for a while after a renewal (`pauseAfterRenewalMs`). Otherwise an endpoint that rejects
   * every token would cost a token request per call, and all other calls would lose their valid token.
   */
  invalidate(value: string): boolean {
    const isNewest = this.#newest === value;
    if (isNewest && performance.now() < this.#renewalPausedUntil) return false;
    this.#rejected = [value, ...this.#rejected.filter((one) => one !== value)].slice(0, 8);
    if (isNewest) {
      this.#current = undefined;
      this.#isReplacing = true;
    }
    return true;
  }

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
      // A token without a lifetime is used only by the calls that are waiting for it.
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
    let pollDelayMs = initialPollDelayMs;
    // Reads the store at least once, even if this process was busy for longer than the wait.
    do {
      const shared = await this.#readShared(access);
      if (shared !== undefined && !shared.isOld) return shared;
      const lock = await store.lock(key, lockDurationMs, access.until);
      if (lock === 'failed') break;
      if (lock !== undefined) return this.#fetch(access, signal, lock);
      // Another process is fetching the next token. Until it arrives, the stored token is used, even if it is
      // old, unless it was rejected meanwhile.
      if (shared !== undefined && this.#isUsable(shared)) return shared;
      // From here on, each read of the store must also end within `delay` milliseconds.
      end = lockEnd;
      access = { store, key, until: performance.now() + delay };
      await wait(Math.min(pollDelayMs, end - performance.now()), signal);
      pollDelayMs = Math.min(pollDelayMs * 2, maxPollDelayMs);
    } while (performance.now() < end && !signal.aborted);
    return this.#fetch(access, signal, undefined);
  }

  async #fetch(
    access: StoreAccess,
    signal: AbortSignal,
    release: (() => Promise<unknown>) | undefined,
  ): Promise<Token> {
    const { store, key } = access;
    let shared: Promise<unknown> = Promise.resolve();
    try {
      // Another process may have stored a token between the read and the lock.
      const found = await this.#readShared(access);
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

  async #readShared({ store, key, until }: StoreAccess): Promise<Token | undefined> {
    const text = await store.get(key, until);
    const token = text === undefined ? undefined : Token.read(text);
    return token !== undefined && this.#isUsable(token) ? token : undefined;
  }

  #isUsable(token: Token): boolean {
    return !this.#rejected.includes(token.value) && token.remainingMs > 0;
  }
}
