import { ConfigurationError } from '../errors/usage.js';
import type { TokenStore } from './token-store.js';

const ivLength = 12;

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
  const given: readonly (string | Uint8Array)[] =
    typeof key === 'string' || key instanceof Uint8Array ? [key] : key;
  if (given.length === 0) throw new ConfigurationError('encryptedTokenStore needs a key.');
  const keyBytesList = given.map(keyBytes);
  const { subtle } = globalThis.crypto;
  const keys = keyBytesList.map((bytes) =>
    subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']),
  );

  return {
    get: async (name) => {
      const value = await store.get(name);
      const encrypted = typeof value === 'string' ? fromBase64(value) : undefined;
      if (encrypted === undefined || encrypted.length <= ivLength) return undefined;
      for (const candidate of keys) {
        const decrypted = await subtle
          .decrypt(
            aesParameters(encrypted.subarray(0, ivLength), name),
            await candidate,
            encrypted.subarray(ivLength),
          )
          .catch(() => undefined);
        if (decrypted !== undefined) return new TextDecoder().decode(decrypted);
      }
      return undefined;
    },
    set: async (name, value, ttl) => {
      const iv = globalThis.crypto.getRandomValues(new Uint8Array(ivLength));
      const first = await (keys[0] as (typeof keys)[number]);
      const sealed = await subtle.encrypt(aesParameters(iv, name), first, new TextEncoder().encode(value));
      return store.set(name, toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)])), ttl);
    },
    lock: (name, ttl) => store.lock(name, ttl),
  };
}

const aesParameters = (iv: Uint8Array<ArrayBuffer>, name: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(name),
});

function keyBytes(key: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof key === 'string' ? fromBase64(key) : Uint8Array.from(key);
  if (bytes?.length !== 32)
    throw new ConfigurationError('encryptedTokenStore: a key must be 32 bytes, as bytes or base64.');
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
