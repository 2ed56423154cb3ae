import { createHash } from 'node:crypto';
import catalogue from './portuguese.json' with { type: 'json' };

/** Computes the 12 hexadecimal digits that identify the English original of a translation. */
export const computeDigest = (english: string): string =>
  createHash('sha256').update(english).digest('hex').slice(0, 12);

/** The languages of the pages: English in docs/, Brazilian Portuguese in docs/pt/. */
export const languages = ['en', 'pt'] as const;
export type Language = (typeof languages)[number];

/** Writes numbers with the separators of each language. */
export const numberFormats: Words<Intl.NumberFormat> = {
  en: new Intl.NumberFormat('en-US'),
  pt: new Intl.NumberFormat('pt-BR'),
};

/** The headings and introductions of a page, in both languages. */
export type Words<Fixed> = Readonly<Record<Language, Fixed>>;

/** A translation. `translates` is the digest of its English original. */
export interface Translation {
  readonly pt: string;
  readonly translates?: string;
}

/**
 * Translations by the path of the documented item, such as `ReceiverOptions.lease`. A new wording keeps its
 * translation.
 */
const portuguese: ReadonlyMap<string, Translation> = new Map(Object.entries(catalogue));
const english = new Map<string, string>();

/**
 * Translates English from the sources. Without a translation the English is returned, and `untranslated`
 * lists it.
 *
 * @param key the path of the documented item
 */
export function inLanguage(language: Language, key: string, text: string): string {
  if (language === 'en') return text;
  if ((english.get(key) ?? text) !== text) throw new Error(`The key ${key} is used twice.`);
  english.set(key, text);
  return portuguese.get(key)?.pt ?? text;
}

/** Returns the English of every key that a page used. */
export const englishTexts = (): ReadonlyMap<string, string> => english;

/** Lists the keys of documented items that have no translation. */
export const untranslated = () => [...english.keys()].filter((key) => !portuguese.has(key));

/** Lists the keys whose English changed after its translation. */
export const outdated = () =>
  [...english].flatMap(([key, text]) => {
    const translation = portuguese.get(key);
    return translation === undefined || translation.translates === computeDigest(text) ? [] : [key];
  });

/** Lists the keys that no page used. Call it after all pages are written. */
export const unused = () => [...portuguese.keys()].filter((key) => !english.has(key));
