import { methodsPages } from './reference/methods-page.js';
import { optionsPages } from './reference/options-page.js';
import type { Language } from './words.js';

/** Every page without a part that is written by hand, by its name. */
export const pages: Readonly<Record<string, (language: Language) => string>> = {
  ...methodsPages,
  ...optionsPages,
};

/** Returns a page's path, relative to docs/. */
export const toPagePath = (name: string, language: Language) => (language === 'en' ? name : `pt/${name}`);
