const maxLength = 40;

/** Removes case, separators and accents, so that `payment_method` equals `paymentMethod`. */
export const plainName = (name: string): string =>
  (/^\w*$/.test(name)
    ? name.replaceAll('_', '')
    : name.normalize('NFD').replace(/[-_.\s]|\p{Mn}/gu, '')
  ).toLowerCase();

function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwapped ? (beforePrevious[column - 2] ?? 0) + 1 : replaced;
      current.push(Math.min(replaced, swapped, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}

const maxShownName = 40;

/** Returns a name that a caller may have written, but nothing that could be a secret or a number in its place. */
export const shownName = (name: string): string =>
  !/^[\w$.]*$/.test(name) || /\d{4}|\d[a-z]+\d/i.test(name) || /^(?:whsec|sk|pk)_/i.test(name)
    ? '…'
    : name.length > maxShownName
      ? `${name.slice(0, maxShownName)}…`
      : name;

export const unknownName = (noun: string, meant: string | undefined, known: readonly string[]): string =>
  meant === undefined
    ? `is an unknown ${noun}. Known: ${known.join(', ')}`
    : `is an unknown ${noun}. Did you mean ${meant}?`;

/** Of two that are equally close, a name that begins with the misspelt one comes first. */
export function closeNames(
  name: string,
  known: readonly string[],
  maxDistance: number = name.length / 3,
): string[] {
  if (name.length > maxLength) return [];
  const plain = plainName(name);
  return known
    .map((option) => ({ option, plain: plainName(option), isOther: Number(!option.startsWith(name)) }))
    .filter((one) => Math.abs(one.plain.length - plain.length) <= maxDistance)
    .map((one) => ({ ...one, distance: editDistance(plain, one.plain) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance || one.isOther - other.isOther)
    .map(({ option }) => option);
}

export const closestName = (...parameters: Parameters<typeof closeNames>): string | undefined =>
  closeNames(...parameters)[0];
