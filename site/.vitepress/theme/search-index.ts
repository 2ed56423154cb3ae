import MiniSearch, { type SearchResult } from 'minisearch';
import { indexOptions } from '../../build/synonyms';

/** A section of a page that the search found. */
export interface Found extends SearchResult {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  readonly excerpt: string;
}

const countWords = ({ queryTerms }: SearchResult) => new Set(queryTerms).size;

/** Opens a language's index. */
export function openIndex(json: string): (query: string) => Found[] {
  const index = MiniSearch.loadJSON<Found>(json, indexOptions);
  return (query) => {
    // The more of the words a result contains, the higher it ranks.
    const rank = (result: SearchResult) => result.score * countWords(result);
    return (index.search(query) as Found[]).sort((one, other) => rank(other) - rank(one));
  };
}
