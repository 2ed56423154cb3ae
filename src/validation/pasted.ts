/** Control characters, zero-width and other format characters, and the space that HTML puts into copied text. */
const invisible = /[\p{Cc}\p{Cf}\u00a0]/u;

/**
 * What a secret has that was pasted with it and that nobody sees; undefined if there is nothing. With it no signature
 * would match. It contains no part of the secret but that character.
 */
export function pastedWith(secret: string): string | undefined {
  if (secret.trim() !== secret)
    return 'begins or ends with white space, as pasted from a terminal. Remove it';
  const code = invisible.exec(secret)?.[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return code === undefined ? undefined : `contains the invisible character U+${code}. Remove it`;
}
