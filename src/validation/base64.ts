/** A loop, because `Uint8Array.from` with a function takes seconds for some megabytes. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  let decoded: string;
  try {
    decoded = atob(text);
  } catch {
    return undefined;
  }
  const bytes = new Uint8Array(decoded.length);
  for (let at = 0; at < decoded.length; at++) bytes[at] = decoded.charCodeAt(at);
  return bytes;
}

/** Encodes bytes as base64. Works in chunks, because a function accepts a limited number of arguments. */
export function toBase64(...parts: readonly Uint8Array[]): string {
  let text = '';
  for (const part of parts)
    for (let at = 0; at < part.length; at += 8_192)
      text += String.fromCharCode(...part.subarray(at, at + 8_192));
  return btoa(text);
}
