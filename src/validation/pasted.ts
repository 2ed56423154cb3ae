/** Includes zero-width spaces, and the non-breaking space of HTML. */
const invisible = /[\p{Cc}\p{Cf}\u00a0]/u;

/** `docker --env-file`, for example, does not remove them. */
export const describeQuotes = (value: string): string | undefined =>
  /^(?:(["']).*\1|[“‘].*[”’])$/s.test(value) ? 'is in quotation marks. Remove them' : undefined;

/** With such a character, no signature would match. The description contains no other part of the secret. */
export function describePastedCharacter(secret: string): string | undefined {
  if (secret.trim() !== secret)
    return 'begins or ends with white space, as pasted from a terminal. Remove it';
  const code = invisible.exec(secret)?.[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return code === undefined
    ? describeQuotes(secret)
    : `contains the invisible character U+${code}. Remove it`;
}
