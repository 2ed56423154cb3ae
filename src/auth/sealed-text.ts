import { ConfigurationError } from '../errors/usage.js';
import { fromBase64, toBase64 } from '../validation/base64.js';
import { isBytes } from '../validation/builtins.js';

/**
 * Keys of 32 bytes, as bytes or base64. Pass several during a key rotation: the first encrypts, all decrypt.
 */
export type EncryptionKeys = string | Uint8Array | readonly (string | Uint8Array)[];

/** Each ciphertext is bound to the name of its entry in the store. */
export interface Sealer {
  seal(name: string, text: string): Promise<string>;
  /** Undefined if the key was changed, or if the string was modified or encrypted under another name. */
  open(name: string, sealed: string): Promise<string | undefined>;
}

const ivLength = 12;

export function createSealer(who: string, key: EncryptionKeys): Sealer {
  const value: readonly unknown[] = Array.isArray(key) ? key : [key];
  if (value.length === 0) throw new ConfigurationError(`${who} needs a key.`);
  const keyBytesList = value.map((one) => keyBytes(who, one));
  const { subtle } = globalThis.crypto;
  const keys = keyBytesList.map((bytes) =>
    subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']),
  );
  return {
    seal: async (name, text) => {
      const iv = globalThis.crypto.getRandomValues(new Uint8Array(ivLength));
      const first = await (keys[0] as (typeof keys)[number]);
      const sealed = await subtle.encrypt(aesParameters(iv, name), first, new TextEncoder().encode(text));
      return toBase64(iv, new Uint8Array(sealed));
    },
    open: async (name, sealed) => {
      const encrypted = fromBase64(sealed);
      if (encrypted === undefined || encrypted.length <= ivLength) return undefined;
      const parameters = aesParameters(encrypted.subarray(0, ivLength), name);
      for (const candidate of keys) {
        const decrypted = await subtle
          .decrypt(parameters, await candidate, encrypted.subarray(ivLength))
          .catch(() => undefined);
        if (decrypted !== undefined) return new TextDecoder().decode(decrypted);
      }
      return undefined;
    },
  };
}

const aesParameters = (iv: Uint8Array<ArrayBuffer>, name: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(name),
});

function keyBytes(who: string, key: unknown): Uint8Array<ArrayBuffer> {
  const bytes = typeof key === 'string' ? fromBase64(key) : isBytes(key) ? Uint8Array.from(key) : undefined;
  if (bytes?.length !== 32)
    throw new ConfigurationError(`${who} takes keys of 32 bytes, as bytes or base64.`);
  return bytes;
}
