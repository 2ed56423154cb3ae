import { createSealer, type EncryptionKeys } from './sealed-text.js';

/**
 * A store for access tokens, kept between calls and shared between processes. Anyone who can read it can act
 * as the merchant until the token expires: protect it like the client secret, or wrap it in
 * `encryptedTokenStore`.
 */
export interface TokenStore {
  /** Returns the value that was set for the key; undefined or null if there is none or it has expired. */
  get(key: string): Promise<string | null | undefined>;
  /** Stores a value for `ttl` milliseconds. */
  set(key: string, value: string, ttl: number): Promise<unknown>;
  /**
   * Locks a key for at most `ttl` milliseconds, without waiting. Resolves with a function that releases the
   * lock, or with `undefined` if another holder has it. With the lock, several processes share one token
   * request.
   */
  lock(key: string, ttl: number): Promise<(() => Promise<unknown>) | undefined>;
}

/** A token store in memory. Clients of one merchant share their token if they use the same store. */
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

/**
 * Wraps a store and encrypts its values with AES-256-GCM, bound to the name of the entry. A value that cannot
 * be decrypted, because the key was changed or the value was modified, counts as missing.
 *
 * @param key 32 bytes, as bytes or base64. Pass several during a key rotation: the first encrypts, all
 * decrypt.
 * @throws ConfigurationError if no key is passed, or if one is not 32 bytes long.
 */
export function encryptedTokenStore(
  store: TokenStore,
  key: string | Uint8Array | readonly (string | Uint8Array)[],
): TokenStore {
  const sealer = createSealer('encryptedTokenStore', key satisfies EncryptionKeys);
  return {
    get: async (name) => {
      const value = await store.get(name);
      return typeof value === 'string' ? sealer.open(name, value) : undefined;
    },
    set: async (name, value, ttl) => store.set(name, await sealer.seal(name, value), ttl),
    lock: (name, ttl) => store.lock(name, ttl),
  };
}
