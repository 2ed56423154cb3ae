import { type DecodedText, decodeText } from './decode-text.js';
import type { Range } from './find-pans.js';

/** Plain names of secrets, by their ends or parts: `clientSecret`, `x-api-key`, `upsell_token`. */
const secretName =
  /(?:token|pwd|passwd|passphrase|apikey|accesskey|privatekey|signingkey|credential|authorization|cookie|jwt|cryptogram|cvv2?|cvc2?|securitycode)s?$|secret|password/;

/**
 * A name in lower case, with letters and digits only: `client_secret` and `client%2Dsecret` are
 * `clientsecret`.
 */
export function plainName(name: string): string {
  // A short cut for almost every name.
  if (/^[a-zA-Z]+$/.test(name)) return name.toLowerCase();
  return decodeText(name)
    .text.replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** Whether a field with this plain name is secret, whatever its value. */
export const isSecretName = (name: string) => secretName.test(name);

/** A name, a colon or equals sign, and perhaps a quote: in headers, queries and incomplete JSON. */
const assignment = /(?<![\p{L}\p{N}_-])(\p{L}[\p{L}\p{N}_-]{1,63})["'\]\s]{0,4}([:=])\s{0,4}(["']?)/gu;

/** Secrets that need no name: a bearer token, the sandbox's own secrets, the password in a URL. */
const recognizable = [
  /\bbearer\s{1,4}([\w.~+/=-]{8,})/dgi,
  /(sandbox-(?:secret|token)-not-real-[0-9a-f]+)/dgi,
  /:\/\/[^\s/?#@:]*:([^\s/?#@]+)@/dg,
];

const mayHaveSecrets = /[:=]|bearer|-not-real-/i;

/** Finds secrets in a text. Takes time proportional to its length. */
export function findSecrets(plain: DecodedText, source: string): Range[] {
  const { text } = plain;
  const found: Range[] = [];
  if (!mayHaveSecrets.test(text)) return found;
  if (/[:=]/.test(text)) {
    assignment.lastIndex = 0;
    for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
      const [, name = '', sign, quote = ''] = match;
      if (!isSecretName(plainName(name))) continue;
      const start = assignment.lastIndex;
      const end = quote === '' ? endOfValue(plain, source, start, sign === '=') : endOfQuote(plain, start);
      if (end > start) found.push({ start, end });
      assignment.lastIndex = end;
    }
  }
  for (const pattern of recognizable) {
    for (const { indices } of text.matchAll(pattern)) {
      const [start, end] = indices?.[1] ?? [0, 0];
      found.push({ start, end });
    }
  }
  return found;
}

/**
 * The end of a quoted value: the next quote that is encoded like the first one and is followed by a
 * separator; otherwise the end of the text.
 */
function endOfQuote({ text, at }: DecodedText, start: number): number {
  const quote = text.charAt(start - 1);
  const width = at(start) - at(start - 1);
  for (let end = text.indexOf(quote, start); end !== -1; end = text.indexOf(quote, end + 1)) {
    const isSame = at(end + 1) - at(end) === width;
    if (isSame && /^\s*(?:[,}\]&;)<]|$)/.test(text.slice(end + 1, end + 9))) return end;
  }
  return text.length;
}

/**
 * The end of a value without quotes: in a query the next parameter of the source, in a header the end of the
 * line.
 */
function endOfValue({ text, at }: DecodedText, source: string, start: number, isQuery: boolean): number {
  const delimiter = isQuery ? /[\s"'<>]|&(?!(?:amp;)*#)/g : /[\r\n]/g;
  delimiter.lastIndex = at(start);
  const sourceEnd = delimiter.exec(source)?.index ?? source.length;
  let end = start;
  while (end < text.length && at(end) < sourceEnd) end += 1;
  return end;
}
