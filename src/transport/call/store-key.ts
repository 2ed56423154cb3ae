/** Hashes an identifier into a key for a shared store, so that readers of the store cannot learn it. */
export async function storeKey(kind: string, about: readonly unknown[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(about));
  const digest = await globalThis.crypto.subtle.digest('SHA-256', bytes);
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${kind}:${hex}`;
}
