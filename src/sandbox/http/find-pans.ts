/** A part of a text: `start` is included, `end` is not. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Number of digits of a PAN in any text. */
const shortestRun = 13;
const longestPan = 19;

/** Characters between groups of digits that may be one number. */
const widestGap = 8;

/** Separators within a number: spaces, dashes, dots and similar signs, and invisible characters. */
const gap = /^[\s\p{Z}\p{Pd}\p{C}\p{M}._/\\|+*~'\u00b7\u2022\u2043\u2212\u30fb]+$/u;

/** All groups of a UUID may be digits. */
const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

/**
 * Finds what could be a PAN: neighbouring groups of digits that have 13 to 19 digits together and pass the
 * Luhn check. Other numbers, such as the expiry, may come before or after it, so every row of neighbouring
 * groups is checked; rows that overlap become one range. Takes time proportional to the length of the text.
 */
export function findPans(text: string): Range[] {
  const found: Range[] = [];
  if (text.length < shortestRun || !/\d/.test(text)) return found;
  let groups: Range[] = [];
  const uuids = text.matchAll(uuid);
  let skipped = uuids.next();
  const endRun = () => {
    if (groups.length > 0) found.push(...rowsIn(text, groups));
    groups = [];
  };
  for (const { 0: digits, index } of text.matchAll(/\d+/g)) {
    while (!skipped.done && skipped.value.index + skipped.value[0].length <= index) skipped = uuids.next();
    if (!skipped.done && skipped.value.index <= index) {
      endRun();
      continue;
    }
    const last = groups.at(-1)?.end ?? index;
    if (index - last > widestGap || (index > last && !gap.test(text.slice(last, index)))) endRun();
    groups.push({ start: index, end: index + digits.length });
  }
  endRun();
  return found;
}

function rowsIn(text: string, groups: readonly Range[]): Range[] {
  const rows: Range[] = [];
  for (const [order, { start }] of groups.entries()) {
    const end = endOfRow(text, groups, order);
    if (end === undefined) continue;
    const before = rows.at(-1);
    if (before === undefined || start >= before.end) rows.push({ start, end });
    else if (end > before.end) rows[rows.length - 1] = { start: before.start, end };
  }
  return rows;
}

/** The end of the longest PAN that begins with a group; undefined if there is none. */
function endOfRow(text: string, groups: readonly Range[], first: number): number | undefined {
  let end: number | undefined;
  let length = 0;
  // The Luhn check doubles every second digit from the right, and the last digit is not known yet: keep both
  // sums.
  const sums: [number, number] = [0, 0];
  for (let order = first; order < groups.length; order++) {
    const { start, end: behind } = groups[order] ?? { start: 0, end: 0 };
    if (length + behind - start > longestPan) break;
    for (let index = start; index < behind; index++) {
      const digit = text.charCodeAt(index) - 0x30;
      const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
      sums[0] += length % 2 === 0 ? digit : doubled;
      sums[1] += length % 2 === 0 ? doubled : digit;
      length += 1;
    }
    if (length >= shortestRun && sums[length % 2 === 0 ? 1 : 0] % 10 === 0) end = behind;
  }
  return end;
}
