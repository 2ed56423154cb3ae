import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Formats, formatsFor, type Language } from '../formats.js';
import { en, type Texts } from './en.js';
import { pt } from './pt.js';

const catalogues: Readonly<Record<Language, Texts>> = { en, 'pt-BR': pt };

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', 'pt-BR': 'Português' };

const storedUnder = 'sandbox-language';

export function preferredLanguage(): Language {
  const stored = localStorage.getItem(storedUnder);
  if (stored === 'en' || stored === 'pt-BR') return stored;
  return navigator.language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
}

export const keepLanguage = (language: Language) => localStorage.setItem(storedUnder, language);

export const LanguageContext = createContext<Language>('en');

const useLanguage = (): Language => useContext(LanguageContext);

export const useTexts = (): Texts => catalogues[useLanguage()];

const formats: Readonly<Record<Language, Formats>> = {
  en: formatsFor('en', en.clock.days),
  'pt-BR': formatsFor('pt-BR', pt.clock.days),
};

export const useFormats = (): Formats => formats[useLanguage()];
