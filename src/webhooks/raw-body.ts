import type { RawBody } from './signature.js';

/** Text or bytes, of any realm; `undefined` for anything else. What another thread can write to is copied. */
export function rawBody(body: unknown): RawBody | undefined {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) {
    // Nothing, or bytes that were handed to somebody else: those cannot be read any more.
    if (body.byteLength === 0) return new Uint8Array();
    // The commonest: a Buffer. What only has the prototype of one is no view.
    if (body instanceof Uint8Array && body.buffer instanceof ArrayBuffer) return body;
    const bytes = new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
    return kindOf(body.buffer) === '[object SharedArrayBuffer]' ? bytes.slice() : bytes;
  }
  if (kindOf(body) === '[object SharedArrayBuffer]') return new Uint8Array(body as SharedArrayBuffer).slice();
  return isBuffer(body) ? new Uint8Array(body) : undefined;
}

/** In any realm: what only calls itself one has no length of its own. */
function isBuffer(body: unknown): body is ArrayBuffer {
  return typeof body === 'object' && byteLength !== undefined && byteLength.call(body) >= 0;
}

const byteLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')?.get;

const kindOf = (value: unknown) => Object.prototype.toString.call(value);

/**
 * Half of a character: no body that was received holds one, and in UTF-8 it would be the same as a
 * character that was signed, U+FFFD.
 */
export function isTorn(text: string & { isWellFormed?: () => boolean }): boolean {
  // Native where the runtime has it: a fraction of the time.
  return text.isWellFormed === undefined ? /\p{Surrogate}/u.test(text) : !text.isWellFormed();
}
