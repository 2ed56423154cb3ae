/** A key in a shared store: a hash of what it is about, so that a reader of the store learns no identifier. */
export async function storeKey(kind: string, about: readonly unknown[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(about));
  const digest = await globalThis.crypto.subtle.digest('SHA-256', bytes);
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${kind}:${hex}`;
}
