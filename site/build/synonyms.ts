import type { Options } from 'minisearch';
import glossary from '../../docs/glossary.json' with { type: 'json' };

/** An entry of the glossary: its names, and other words that people search for. */
interface Entry {
  readonly en?: string;
  readonly pt?: string;
  readonly search?: readonly string[];
}

/** These words are not searched. */
const stopWords = [
  // Portuguese
  'a o os as e de do da dos das em no na nos nas que como um uma para por com meu minha meus minhas',
  'seu sua eu se ao ou qual quais quando onde quero posso pode devo deve preciso fazer faco tem ter',
  'ja nao mais pelo pela esse essa este esta isso ha sao foi estou acontece depois entao pra pro pras',
  'pros sem configurar queria gostaria existe algum alguma alguem ainda usar usando utilizar tambem sobre',
  // English
  'the of how to is are was my your our what an in on for from and or i we you it its this that there',
  'does did can could should would will must may be been with at by when where which why not have has',
  'had got want need make use using any some about so s t ll re ve don doesn isn didn won im dont',
  'doesnt cant isnt please just really possible way someone something if after before now happens',
  'happen me us them long later configure configuring without',
].flatMap((line) => line.split(' '));

const fold = (word: string) => word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

/** The endings of plurals, verb forms and nouns made of verbs, in both languages. */
const endings = [
  /(?:acao|acoes|icao|icoes|ations?)$/,
  /(?:amentos?|imentos?)$/,
  /(?:a|e|i)(?:ndo|ram|remos|rei|ra|va|vam|mos)$/,
  /(?:ad|id)[oa]s?$/,
  /(?:ings?|ed)$/,
  /(?:a|e|i)r(?:em)?$/,
  /(?:ou|eu|iu|am|em|ei)$/,
  /[aeo]s?$/,
  /s$/,
];

/** Two words with the same stem count as the same word. A stem has at least four letters. */
function stem(word: string): string {
  for (const ending of endings) {
    const rest = word.replace(ending, '');
    if (rest !== word && rest.length >= 4) return rest;
  }
  return word;
}

/** The terms of synonyms by word and by stem, and false for words that are not searched. */
const terms = new Map<string, string | false>();
for (const { pt, en, search = [] } of glossary as readonly Entry[]) {
  const words = [pt, en, ...search].flatMap((word) =>
    word && /^[\p{L}\d]+$/u.test(word) ? [fold(word)] : [],
  );
  for (const word of [...words.map(stem), ...words])
    if (!terms.has(word)) terms.set(word, stem(words[0] ?? word));
}
for (const word of stopWords) for (const form of [word, stem(word)]) terms.set(form, false);

/** Converts a word of a page or a search to a term of the index: the same for plurals and synonyms. */
export function processTerm(word: string): string | false {
  const folded = fold(word);
  if (folded === '') return false;
  const stemmed = stem(folded);
  return terms.get(folded) ?? terms.get(stemmed) ?? stemmed;
}

/**
 * Ranks a page's title and keywords before its sections. Ranks pages that mention everything, pages of samples, and
 * maintainers' pages after the page about the subject.
 */
export function boostDocument(id: string, _term?: string, stored?: Record<string, unknown>): number {
  const isTop = Array.isArray(stored?.titles) && stored.titles.length === 0;
  const place = isTop ? 2 : 1;
  if (
    /(fault-model|sandbox-defaults|assumptions|architecture|control-api|command|elsewhere|messages|api-document)/.test(
      id,
    )
  )
    return 0.35 * place;
  if (/(questions|methods|introduction|undocumented|upgrade|migrate)/.test(id)) return 0.5 * place;
  if (/(first-payment|sandbox-http|durable-examples|options)/.test(id)) return 0.6 * place;
  return place;
}

/** Surrounds the parts of a page that can be found, but are not shown as a result: diagrams and keywords. */
export const hide = (text: string): string => `⟦${text}⟧`;

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };

const decode = (html: string) =>
  html.replace(/&(lt|gt|quot|amp|#39);/g, (entity, name: string) => entities[name] ?? entity);

/** A section of a page, as HTML without tags. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  readonly text: string;
}

/** Reads the index's fields from a section. */
function readSection({ id, title, titles, text }: Section) {
  const excerpt = text.replace(/⟦[^⟧]*⟧/g, ' ').replace(/\s+/g, ' ');
  return {
    id,
    title: decode(title),
    titles: titles.map(decode),
    text: decode(text),
    excerpt: decode(excerpt).trim(),
  };
}

/** How the index is built and searched. */
export const indexOptions: Options<Section> = {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles', 'excerpt'],
  extractField: (section, name) => readSection(section)[name as keyof Section],
  processTerm,
  searchOptions: {
    // A typing error in a short word produces another word.
    fuzzy: (term) => (term.length < 5 ? false : 0.15),
    prefix: (term) => term.length > 1,
    boost: { title: 4, titles: 3, text: 3 },
    boostDocument,
  },
};
