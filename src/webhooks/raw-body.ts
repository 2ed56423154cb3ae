import type { RawBody } from './types.js';

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);

/** The body as text or bytes, of any realm; `undefined` for anything else. Shared memory is copied, because another thread can write to it. */
export function rawBody(body: unknown): RawBody | undefined {
  if (typeof body === 'string') return body;
  const isView = ArrayBuffer.isView(body);
  // Empty or detached. A view of a detached buffer cannot be made.
  if (isView && body.byteLength === 0) return new Uint8Array();
  // The usual case, a Buffer. `isView` has excluded objects that only have its prototype.
  if (isView && body instanceof Uint8Array && body.buffer instanceof ArrayBuffer) return body;
  // An error takes longer than all the rest, so that only what looks like a buffer is tried.
  if (!isView && !tagOf(body).endsWith('ArrayBuffer]')) return undefined;
  try {
    const { buffer, byteOffset, byteLength } = isView ? body : new DataView(body as ArrayBuffer);
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    return tagOf(buffer) === '[object SharedArrayBuffer]' ? bytes.slice() : bytes;
  } catch {
    // A DataView can only be made of a buffer.
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
