/**
 * Invisible characters, and characters that change the writing direction, which can make a string look like
 * another.
 */
const unseen = /(?![\t\n\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const formatCodePoint = (char: string) =>
  (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

export const visible = (text: string): string =>
  text.replace(unseen, (char) => `⟨U+${formatCodePoint(char)}⟩`);
