import type { Range } from './confidential-patterns.js';

/** Matches strings that can be base64, standard or URL-safe. Shorter strings contain fewer than six bytes. */
const base64Runs = /[\w+/-]{8,}/g;

/**
 * Matches six ASCII characters. Random bytes rarely contain six in a row, so ordinary request ids need no
 * further search.
 */
const readable = /[\t\n\r -~]{6}/;
const printableRuns = /(?:(?!\ufffd)[\s\P{C}]){6,}/gu;

/** A readable part of a string in base64, and the range of the base64. */
interface DecodedText {
  readonly value: string;
  readonly range: Range;
}

/** Decodes the readable parts of everything that can be base64 in a string. */
export function* decodeBase64(text: string): Generator<DecodedText> {
  for (const { 0: run, index } of text.matchAll(base64Runs)) {
    const standard = run.replaceAll('-', '+').replaceAll('_', '/');
    // Characters before the base64, such as `req-`, belong to the same run. They shift its groups of four.
    for (let shift = 0; shift < 4; shift++)
      for (const [value] of decode(standard.slice(shift)).matchAll(printableRuns))
        yield { value, range: [index, index + run.length] };
  }
}

function decode(base64: string): string {
  // A single character in the last group contains no whole byte, and `atob` rejects it.
  const bytes = atob(base64.length % 4 === 1 ? base64.slice(0, -1) : base64);
  if (!readable.test(bytes)) return '';
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}
