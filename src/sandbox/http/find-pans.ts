/** A part of a text: from a start to before an end. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Digits of a PAN that may stand anywhere. */
const shortestRun = 13;
const longestPan = 19;

/** Groups that are further apart are no number together. */
const widestGap = 8;

/** What stands between the groups of a number: spaces, dashes and dots of any kind, what cannot be seen. */
const gap = /^[\s\p{Z}\p{Pd}\p{C}\p{M}._/\\|+*~'\u00b7\u2022\u2043\u2212\u30fb]+$/u;

/** Its groups may all be digits. */
const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

/**
 * Finds what could be a PAN: groups of digits that have 13 to 19 together and pass the Luhn check. Other
 * numbers may stand beside it, such as its expiry, so every row of groups is looked at, and rows that
 * overlap are one. In time proportional to the length of the text.
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

/** Where the longest PAN ends that begins with a group; undefined when there is none. */
function endOfRow(text: string, groups: readonly Range[], first: number): number | undefined {
  let end: number | undefined;
  let length = 0;
  // The sum of the Luhn check doubles every second digit from the right: both ways are kept.
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
