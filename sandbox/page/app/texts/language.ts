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

const useLanguage = (): Language => useContext(LanguageContext);

export const useTexts = (): Texts => catalogues[useLanguage()];

/** The units of a duration below a day, in seconds. Their abbreviations are the same in both languages. */
const units = [
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** Amounts and times as the language writes them. */
export function useFormats() {
  const language = useLanguage();
  const t = useTexts();
  const brl = new Intl.NumberFormat(language, { style: 'currency', currency: 'BRL' });
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(language);
  /** Whole seconds, in their two largest units: `1 h 30 min`. */
  const duration = (ms: number): string => {
    if (ms < 1_000) return `${Math.max(ms, 0)} ms`;
    let rest = Math.round(ms / 1_000);
    const days = Math.floor(rest / 86_400);
    rest -= days * 86_400;
    const parts = days > 0 ? [t.clock.days(days)] : [];
    for (const [unit, seconds] of units) {
      const count = Math.floor(rest / seconds);
      rest -= count * seconds;
      if (count > 0) parts.push(`${count} ${unit}`);
    }
    return parts.slice(0, 2).join(' ');
  };
  return {
    money: (cents: number) => brl.format(cents / 100),
    time: (at: string | number) => full.format(new Date(at)),
    /** Formats a date without a time. */
    date: (date: string) => day.format(new Date(`${date}T00:00:00Z`)),
    number: (value: number) => number.format(value),
    duration,
  };
}
