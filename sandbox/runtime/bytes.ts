/** For one call of `String.fromCharCode`. */
const chunkSize = 8_192;

/** In lower case. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += chunkSize) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + chunkSize)));
  }
  return btoa(parts.join(''));
}

/** Also base64url. Drops every other character. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const digits = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/g, '');
  // A single last digit does not encode a whole byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(whole), (char) => char.charCodeAt(0));
}

export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/**
 * Safari cannot iterate over a stream itself.
 *
 * @param cancels whether to cancel the stream when its reader stops
 */
export async function* readChunks(
  stream: ReadableStream<Uint8Array>,
  cancels = true,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    if (cancels) await reader.cancel();
    else reader.releaseLock();
  }
}
