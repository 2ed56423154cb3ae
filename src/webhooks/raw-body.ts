import type { RawBody } from './types.js';

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);

/**
 * Returns a string as it is, and bytes as a copy, so that no other code changes them during the check. The bytes
 * may come from another realm or from shared memory. Returns `undefined` for any other value.
 *
 * @param isUsedAtOnce without a pause, in which other code could run: then only shared memory is copied.
 */
export function rawBody(body: unknown, isUsedAtOnce = false): RawBody | undefined {
  if (typeof body === 'string') return body;
  const isView = ArrayBuffer.isView(body);
  // An error takes longer than all the rest, so that only what looks like a buffer is tried.
  if (!isView && !tagOf(body).endsWith('ArrayBuffer]')) return undefined;
  try {
    const { buffer, byteOffset, byteLength } = isView ? body : new DataView(body as ArrayBuffer);
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    return isUsedAtOnce && buffer instanceof ArrayBuffer ? bytes : bytes.slice();
  } catch {
    // It is detached, or no buffer: a DataView can only be made of one.
    return undefined;
  }
}

/**
 * Whether a text has a lone surrogate. No received body has one, and UTF-8 would encode it as U+FFFD, so
 * that it would match a body that was signed with that character.
 */
export function hasLoneSurrogate(text: string & { isWellFormed?: () => boolean }): boolean {
  // The native method, if the runtime has it, is much faster.
  return text.isWellFormed === undefined ? /\p{Surrogate}/u.test(text) : !text.isWellFormed();
}
