import type { RawBody } from './signature.js';

/** The body as text or bytes, of any realm; `undefined` for anything else. Shared memory is copied, because another thread can write to it. */
export function rawBody(body: unknown): RawBody | undefined {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) {
    // Empty or detached. A new array, because making a view of a detached buffer would throw.
    if (body.byteLength === 0) return new Uint8Array();
    // The usual case, a Buffer. `isView` has excluded objects that only have its prototype.
    if (body instanceof Uint8Array && body.buffer instanceof ArrayBuffer) return body;
    const bytes = new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
    return objectTag(body.buffer) === '[object SharedArrayBuffer]' ? bytes.slice() : bytes;
  }
  const tag = objectTag(body);
  if (tag === '[object SharedArrayBuffer]') return new Uint8Array(body as SharedArrayBuffer).slice();
  return tag === '[object ArrayBuffer]' && isArrayBuffer(body) ? new Uint8Array(body) : undefined;
}

/** Whether a value is an ArrayBuffer, of any realm. */
function isArrayBuffer(body: unknown): body is ArrayBuffer {
  try {
    return typeof body === 'object' && byteLengthGetter !== undefined && byteLengthGetter.call(body) >= 0;
  } catch {
    // The getter throws for an object that only pretends to be one.
    return false;
  }
}

const byteLengthGetter = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')?.get;

const objectTag = (value: unknown) => Object.prototype.toString.call(value);

/**
 * Whether a text has a lone surrogate. No received body has one, and UTF-8 would encode it as U+FFFD, so
 * that it would match a body that was signed with that character.
 */
export function hasLoneSurrogate(text: string & { isWellFormed?: () => boolean }): boolean {
  // The native method, if the runtime has it, is much faster.
  return text.isWellFormed === undefined ? /\p{Surrogate}/u.test(text) : !text.isWellFormed();
}
