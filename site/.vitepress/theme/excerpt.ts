import { processTerm } from '../../build/synonyms';
import type { Found } from './search-index';

/** A word or a separator. A mark is a word that the search found. */
export interface Piece {
  readonly text: string;
  readonly isMark: boolean;
}

/** MiniSearch's words end here. */
const separators = /([\n\r\p{Z}\p{P}]+)/u;

/** Each word is followed by a separator. */
const longest = 2 * 34;
const before = 2 * 12;

/** Splits a string into words and separators, and marks the words with one of the terms. */
function markWords(text: string, terms: ReadonlySet<string>): Piece[] {
  return text.split(separators).map((piece) => {
    const term = processTerm(piece);
    return { text: piece, isMark: term !== false && terms.has(term) };
  });
}

/** Cuts the part with the most terms out of a section, at whole words. */
function cutExcerpt(text: string, terms: ReadonlySet<string>): Piece[] {
  const pieces = markWords(text, terms);
  const countTerms = (first: number) => {
    const marks = pieces.slice(first, first + longest).filter(({ isMark }) => isMark);
    return new Set(marks.map((mark) => processTerm(mark.text))).size;
  };
  let best = 0;
  let most = 0;
  pieces.forEach(({ isMark }, index) => {
    const count = isMark ? countTerms(index) : 0;
    if (count <= most) return;
    best = index;
    most = count;
  });
  const earliest = Math.max(0, best - before);
  // Begins after a full stop, if one is near.
  const sentence = pieces.slice(earliest, best).findIndex((piece) => /^[.!?:]\s/.test(piece.text));
  const first = earliest === 0 ? 0 : earliest + (sentence < 0 ? before / 2 : sentence + 1);
  const shown = pieces.slice(first, first + longest);
  const ellipsis = { text: '…', isMark: false };
  return [...(first > 0 ? [ellipsis] : []), ...shown, ...(first + longest < pieces.length ? [ellipsis] : [])];
}

/** A section as the search shows it. */
export interface Result {
  readonly id: string;
  readonly titles: readonly Piece[][];
  readonly excerpt: readonly Piece[];
}

const toPage = (id: string) => id.split('#')[0];
const toTerms = ({ match }: Found) => new Set(Object.keys(match));

/** Shows the first sections with the words that were found in them. */
export function showResults(found: readonly Found[], count: number): Result[] {
  const cut = (one: Found) => cutExcerpt(one.excerpt, toTerms(one));
  const hasMark = (excerpt: readonly Piece[]) => excerpt.some(({ isMark }) => isMark);
  return found.slice(0, count).map((one) => {
    const own = cut(one);
    // The words can be in a diagram or among the page's keywords. Another section of the page then shows them.
    const others = hasMark(own)
      ? []
      : found.filter(({ id }) => id !== one.id && toPage(id) === toPage(one.id));
    return {
      id: one.id,
      titles: [...one.titles, one.title].map((title) => markWords(title, toTerms(one))),
      excerpt: others.map(cut).find(hasMark) ?? own,
    };
  });
}
