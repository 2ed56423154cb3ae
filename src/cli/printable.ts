/** Control characters but line breaks and tabs, and the characters that turn the direction of text around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal must not get
const harmful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from outside, as a terminal can show it without obeying it. */
export const printable = (text: string): string =>
  text.replace(harmful, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Text from outside, on one line. */
export const oneLine = (text: string): string => printable(text.replace(/\s+/g, ' '));
