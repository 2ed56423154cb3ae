import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { en, type Texts } from './en.js';
import { pt } from './pt.js';

export type Language = 'en' | 'pt-BR';

const catalogues: Readonly<Record<Language, Texts>> = { en, 'pt-BR': pt };

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', 'pt-BR': 'Português' };

const storedUnder = 'sandbox-language';

/** The visitor's choice, or the browser's language. */
export function preferredLanguage(): Language {
  const stored = localStorage.getItem(storedUnder);
  if (stored === 'en' || stored === 'pt-BR') return stored;
  return navigator.language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
}

export const keepLanguage = (language: Language) => localStorage.setItem(storedUnder, language);

export const LanguageContext = createContext<Language>('en');

export const useTexts = (): Texts => catalogues[useContext(LanguageContext)];

/** Amounts and times as the language writes them. */
export function useFormats() {
  const language = useContext(LanguageContext);
  const brl = new Intl.NumberFormat(language, { style: 'currency', currency: 'BRL' });
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(language);
  return {
    money: (cents: number) => brl.format(cents / 100),
    time: (at: string | number) => full.format(new Date(at)),
    /** Formats a date without a time. */
    date: (date: string) => day.format(new Date(`${date}T00:00:00Z`)),
    number: (value: number) => number.format(value),
  };
}
