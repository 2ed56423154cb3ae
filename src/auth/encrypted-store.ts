import { ConfigurationError } from '../errors/usage.js';
import type { TokenStore } from './token-store.js';

const ivLength = 12;

/**
 * Encrypts what another store keeps: AES-256-GCM, bound to the key of the entry. What cannot be
 * decrypted, because the key was changed or somebody tampered with it, counts as not there.
 *
 * @param key 32 bytes, or their base64. Several, while one replaces another: the first encrypts, all decrypt.
 * @throws ConfigurationError for a key of another length.
 */
export function encryptedTokenStore(
  store: TokenStore,
  key: string | Uint8Array | readonly (string | Uint8Array)[],
): TokenStore {
  const given: readonly (string | Uint8Array)[] =
    typeof key === 'string' || key instanceof Uint8Array ? [key] : key;
  if (given.length === 0) throw new ConfigurationError('encryptedTokenStore needs a key.');
  const raw = given.map(keyBytes);
  const { subtle } = globalThis.crypto;
  const keys = raw.map((bytes) => subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']));

  return {
    get: async (name) => {
      const value = await store.get(name);
      const sealed = typeof value === 'string' ? fromBase64(value) : undefined;
      if (sealed === undefined || sealed.length <= ivLength) return undefined;
      for (const candidate of keys) {
        const plain = await subtle
          .decrypt(parameters(sealed.subarray(0, ivLength), name), await candidate, sealed.subarray(ivLength))
          .catch(() => undefined);
        if (plain !== undefined) return new TextDecoder().decode(plain);
      }
      return undefined;
    },
    set: async (name, value, ttl) => {
      const iv = globalThis.crypto.getRandomValues(new Uint8Array(ivLength));
      const first = await (keys[0] as (typeof keys)[number]);
      const sealed = await subtle.encrypt(parameters(iv, name), first, new TextEncoder().encode(value));
      return store.set(name, toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)])), ttl);
    },
    lock: (name, ttl) => store.lock(name, ttl),
  };
}

const parameters = (iv: Uint8Array<ArrayBuffer>, name: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(name),
});

function keyBytes(key: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof key === 'string' ? fromBase64(key) : Uint8Array.from(key);
  if (bytes?.length !== 32)
    throw new ConfigurationError('encryptedTokenStore: a key has 32 bytes, given as such or as base64.');
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
