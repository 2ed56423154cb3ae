/** Characters that move a terminal's cursor or change the direction of a line, and lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A text for one line of a log: line breaks and tabs become spaces, other invisible characters U+FFFD. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => (/\s/.test(character) ? ' ' : '\ufffd'));
}
