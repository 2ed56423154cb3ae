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
    const results = index.search(query) as Found[];
    // Results that contain every word come first.
    const words = new Set(results.flatMap(({ queryTerms }) => queryTerms)).size;
    const hasAll = (result: SearchResult) => countWords(result) === words;
    return [...results.filter(hasAll), ...results.filter((result) => !hasAll(result))];
  };
}
