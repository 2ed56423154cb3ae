import { isSecretName } from './secret-names.js';
import type { Range } from './spellings.js';

/** A name, as it stands before its value in JSON, a form, a header or a log: `"access_token": "`, `pin=`. */
const named = /(?<![\w.-])([A-Za-z][\w.-]{1,63})["'\\\s]{0,8}(?:=>|[:=])\s{0,8}(\\{0,8}["'])?/g;

/** Where a value ends that stands in no quotes. */
const bareEnd = /[\s"'\\,;&<>{}[\]()]|$/g;

/** Words before a credential that are none themselves. */
const scheme = /^(?:bearer|basic|digest|token)$/i;

/** A credential with its scheme, wherever it stands. */
const withScheme = /\b(?:bearer|basic)\s{1,8}([\w.~+/=-]{8,})/gi;

function endOfBare(text: string, from: number): number {
  bareEnd.lastIndex = from;
  return bareEnd.exec(text)?.index ?? text.length;
}

/** Where a quoted value ends: at the next quote of the same kind that is not escaped, or with the text. */
function endOfQuoted(text: string, from: number, quote: string): number {
  let end = text.indexOf(quote, from);
  while (end > from && text[end - 1] === '\\') end = text.indexOf(quote, end + 1);
  return end === -1 ? text.length : end;
}

/** `hmac_secret: must have 16 characters` is about a secret and holds none. */
const isProse = (value: string) => /^[A-Za-z]{1,15}$/.test(value);

/** A credential is no word of a sentence, such as "Bearer authentication". */
const isCredential = (value: string) => /\d/.test(value) || value.length >= 20;

/** Where the values stand whose names say that they are secret, also where the text was cut within them. */
export function namedSecretsIn(text: string): Range[] {
  const found: Range[] = [];
  let free = 0;
  for (const { 0: whole, 1: name = '', 2: quote, index } of text.matchAll(named)) {
    // Of a "number" in a text only its digits tell whether it is a card's.
    if (index < free || /(?:^|\.)number$/i.test(name) || !isSecretName(name)) continue;
    const start = index + whole.length;
    let end = quote === undefined ? endOfBare(text, start) : endOfQuoted(text, start, quote);
    if (quote === undefined) {
      if (scheme.test(text.slice(start, end)) && end < text.length) end = endOfBare(text, end + 1);
      else if (/\s$/.test(whole) && isProse(text.slice(start, end))) continue;
    }
    if (end > start) found.push([start, end]);
    free = end;
  }
  for (const { 0: whole, 1: value = '', index } of text.matchAll(withScheme))
    if (isCredential(value)) found.push([index + whole.length - value.length, index + whole.length]);
  return found;
}
