import type { Range } from './decodings.js';
import { isSecretName } from './secret-names.js';

/** A name in front of its value in JSON, a form, a header or a log: `"access_token": "`, `pin=`. */
const namedValue = /(?<![\w.-])([A-Za-z][\w.-]{1,63})["'\\\s]{0,8}(?:=>|[:=])\s{0,8}(\\{0,8}["'])?/g;

/** The end of a value without quotes. */
const unquotedEnd = /[\s"'\\,;&<>{}[\]()]|$/g;

/** The scheme in front of a credential. */
const authScheme = /^(?:bearer|basic|digest|token)$/i;

/** A credential after its scheme, anywhere in a text. */
const credentialWithScheme = /\b(?:bearer|basic)\s{1,8}([\w.~+/=-]{8,})/gi;

/** The user name and password of an address: of a proxy, for example. Up to the last `@` of its authority. */
const userInfo = /:\/\/([^\s/?#"'<>\\]{1,512})@/g;

function endOfUnquoted(text: string, from: number): number {
  unquotedEnd.lastIndex = from;
  return unquotedEnd.exec(text)?.index ?? text.length;
}

/** The end of a quoted value: the next unescaped quote of the same kind, or the end of the text. */
function endOfQuoted(text: string, from: number, quote: string): number {
  let end = text.indexOf(quote, from);
  while (end > from && text[end - 1] === '\\') end = text.indexOf(quote, end + 1);
  return end === -1 ? text.length : end;
}

/** Whether a value is a word of a sentence: `hmac_secret: must have 16 characters` contains no secret. */
const isProse = (value: string) => /^[A-Za-z]{1,15}$/.test(value);

/** Whether a text is a credential, and not a word, as in "Bearer authentication". */
const isCredential = (value: string) => /\d/.test(value) || value.length >= 20 || isUserAndPassword(value);

/** The base64 of `user:password`. */
const isUserAndPassword = (value: string) =>
  value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value) && atob(value).includes(':');

/** The ranges of values whose names say that they are secret, including a value that was cut off. */
export function namedSecretsIn(text: string): Range[] {
  const found: Range[] = [];
  let searchFrom = 0;
  for (const { 0: whole, 1: name = '', 2: quote, index } of text.matchAll(namedValue)) {
    // Whether a "number" in a text is a card's is decided by its digits (card-numbers.ts).
    if (index < searchFrom || /(?:^|\.)number$/i.test(name) || !isSecretName(name)) continue;
    const start = index + whole.length;
    let end = quote === undefined ? endOfUnquoted(text, start) : endOfQuoted(text, start, quote);
    if (quote === undefined) {
      if (authScheme.test(text.slice(start, end)) && end < text.length) end = endOfUnquoted(text, end + 1);
      else if (/\s$/.test(whole) && isProse(text.slice(start, end))) continue;
    }
    if (end > start) found.push([start, end]);
    searchFrom = end;
  }
  for (const { 0: whole, 1: value = '', index } of text.matchAll(credentialWithScheme))
    if (isCredential(value)) found.push([index + whole.length - value.length, index + whole.length]);
  for (const { 0: whole, index } of text.matchAll(userInfo))
    found.push([index + '://'.length, index + whole.length - '@'.length]);
  return found;
}
