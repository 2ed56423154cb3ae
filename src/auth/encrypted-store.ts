import { type EncryptionKeys, sealerOf } from './sealed-text.js';
import type { TokenStore } from './token-store.js';

/**
 * Wraps a store and encrypts its values with AES-256-GCM, bound to the name of the entry. A value that
 * cannot be decrypted, because the key was changed or the value was modified, counts as missing.
 *
 * @param key 32 bytes, as bytes or base64. Give several while one key replaces another: the first encrypts, all decrypt.
 * @throws ConfigurationError for a key of another length.
 */
export function encryptedTokenStore(
  store: TokenStore,
  key: string | Uint8Array | readonly (string | Uint8Array)[],
): TokenStore {
  const sealer = sealerOf('encryptedTokenStore', key satisfies EncryptionKeys);
  return {
    get: async (name) => {
      const value = await store.get(name);
      return typeof value === 'string' ? sealer.open(name, value) : undefined;
    },
    set: async (name, value, ttl) => store.set(name, await sealer.seal(name, value), ttl),
    lock: (name, ttl) => store.lock(name, ttl),
  };
}
