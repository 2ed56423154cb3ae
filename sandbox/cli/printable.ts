/**
 * Control characters except line breaks and tabs, marks of the text direction, and Unicode line separators.
 */
const harmful = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029\u206a-\u206f]/gu;

const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The escapes are valid in JSON, so a JSON value does not change. */
export const escapeHarmful = (text: string): string => text.replace(harmful, escaped);

export const oneLine = (text: string): string => escapeHarmful(text.replace(/\s+/g, ' '));
