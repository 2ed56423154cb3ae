import catalogue from './portuguese.json' with { type: 'json' };
import comments from './reference/portuguese.json' with { type: 'json' };

/** The languages of the pages: English in docs/, Brazilian Portuguese in docs/pt/. */
export const languages = ['en', 'pt'] as const;
export type Language = (typeof languages)[number];

/** The fixed words of a page, in both languages side by side. */
export type Words<Fixed> = Readonly<Record<Language, Fixed>>;

const portuguese: ReadonlyMap<string, string> = new Map(Object.entries({ ...catalogue, ...comments }));
const asked = new Set<string>();

/** A text of the data in a language. Without a translation it stays English, and `untranslated` has it. */
export function inLanguage(language: Language, text: string): string {
  if (language === 'en') return text;
  asked.add(text);
  return portuguese.get(text) ?? text;
}

/** The texts that pages asked for and tools/docs/portuguese.json does not have. */
export const untranslated = () => [...asked].filter((text) => !portuguese.has(text));

/** The texts of tools/docs/portuguese.json that no page asked for, once all are written. */
export const unused = () => [...portuguese.keys()].filter((text) => !asked.has(text));
