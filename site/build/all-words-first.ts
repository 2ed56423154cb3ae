import MiniSearch, { type Options, type SearchResult } from 'minisearch';

const countWords = ({ queryTerms }: SearchResult) => new Set(queryTerms).size;

/** Moves the results that contain every search term to the front. */
function allWordsFirst(results: SearchResult[]): SearchResult[] {
  const words = new Set(results.flatMap(({ queryTerms }) => queryTerms)).size;
  const hasAll = (result: SearchResult) => countWords(result) === words;
  return [...results.filter(hasAll), ...results.filter((result) => !hasAll(result))];
}

/** Replaces MiniSearch in the theme's search. */
export default {
  loadJSON<Page extends object>(json: string, options: Options<Page>): MiniSearch<Page> {
    const index = MiniSearch.loadJSON<Page>(json, options);
    const search = index.search.bind(index);
    return Object.assign(index, {
      search: (...query: Parameters<typeof search>) => allWordsFirst(search(...query)),
    });
  },
};
