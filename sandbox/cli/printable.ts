/**
 * Control characters but line breaks and tabs, the characters that turn the direction of text around, and the line
 * ends of Unicode.
 */
const harmful = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029\u206a-\u206f]/gu;

const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text from outside, as a terminal can show it without obeying it. In JSON the escapes mean the characters. */
export const printable = (text: string): string => text.replace(harmful, escaped);

/** Text from outside, on one line. */
export const oneLine = (text: string): string => printable(text.replace(/\s+/g, ' '));
