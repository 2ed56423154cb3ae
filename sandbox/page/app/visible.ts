/**
 * Invisible characters, and those that change the direction of writing: they can make a string look like another.
 */
const unseen = /(?![\t\n\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const codeOf = (char: string) => (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** A text of a merchant as it is: unseen characters by their code points. */
export const visible = (text: string): string => text.replace(unseen, (char) => `⟨U+${codeOf(char)}⟩`);
