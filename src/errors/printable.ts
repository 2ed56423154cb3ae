/** What moves a terminal's cursor, turns the direction of a line around, or is half of a character. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text for a line of a log: white space as spaces, and what cannot be seen as the replacement character. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => (/\s/.test(character) ? ' ' : '\ufffd'));
}
