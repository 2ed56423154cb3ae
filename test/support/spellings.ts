/** Lists spellings that programs use for a string. */
const once: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'as JSON': (text) => JSON.stringify(text),
  'with \\u escapes': (text) =>
    Array.from(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'percent-encoded': (text) => encodeURIComponent(text),
  'percent-encoded in lower case': (text) => everyByte(text, (byte) => `%${byte}`),
  'percent-encoded in upper case': (text) => everyByte(text, (byte) => `%${byte.toUpperCase()}`),
  'as a form': (text) => new URLSearchParams([['v', text]]).toString(),
  'as HTML entities': (text) => Array.from(text, (character) => `&#${character.charCodeAt(0)};`).join(''),
  'as hexadecimal HTML entities': (text) =>
    Array.from(text, (character) => `&#x${character.charCodeAt(0).toString(16)};`).join(''),
  'as HTML': (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&apos;'),
};

const everyByte = (text: string, write: (byte: string) => string) =>
  Array.from(new TextEncoder().encode(text), (byte) => write(byte.toString(16).padStart(2, '0'))).join('');

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Lists spellings of a whole secret. */
const whole: Readonly<Record<string, (text: string) => string>> = {
  'in base64': base64,
  'in base64 of a longer string': (text) => base64(`cid:${text}.`),
  'in base64 after other characters': (text) => `req-1${base64(`"${text}"`)}`,
  'in base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'in upper hexadecimal': (text) => Buffer.from(text).toString('hex').toUpperCase(),
};

/** Lists the spellings that honest programs use for a string. */
export const writings: [name: string, write: (text: string) => string][] = [
  ...Object.entries(once),
  ...Object.entries(whole),
];

/** Lists separators between a card number's groups. */
export const separators = [
  '',
  ' ',
  '  ',
  '   ',
  '-',
  ' - ',
  '.',
  '_',
  '/',
  '\\',
  '\t',
  '\n',
  '\r\n',
  '\u00a0',
  '\u2003',
  '\u2009',
  '\u202f',
  '\u200b',
  '\u2013',
  '\u2014',
  '*',
  ',',
  ':',
  '|',
];
