/**
 * Where access tokens are kept between calls, and shared between processes. Whoever can read the store
 * can act as the merchant until the token expires: keep it as secret as the client secret, or wrap it
 * in `encryptedTokenStore`.
 */
export interface TokenStore {
  /** What was set under the key and has not expired. */
  get(key: string): Promise<string | null | undefined>;
  /** Keeps a value for some milliseconds. */
  set(key: string, value: string, ttl: number): Promise<unknown>;
  /**
   * Takes the lock of a key for at most some milliseconds, without waiting. Resolves with what lets go
   * of it, or with `undefined` when somebody else holds it. With it a fleet makes one token request.
   */
  lock(key: string, ttl: number): Promise<(() => Promise<unknown>) | undefined>;
}

/** A store in this process. Give one to several clients of the same merchant, and they share their token. */
export function memoryTokenStore(): TokenStore {
  const values = new Map<string, { readonly value: string; readonly until: number }>();
  const locks = new Map<string, number>();
  return {
    get: async (key) => {
      const found = values.get(key);
      return found !== undefined && performance.now() < found.until ? found.value : undefined;
    },
    set: async (key, value, ttl) => {
      values.set(key, { value, until: performance.now() + ttl });
    },
    lock: async (key, ttl) => {
      const now = performance.now();
      if (now < (locks.get(key) ?? 0)) return undefined;
      const until = now + ttl;
      locks.set(key, until);
      return async () => {
        if (locks.get(key) === until) locks.delete(key);
      };
    },
  };
}
