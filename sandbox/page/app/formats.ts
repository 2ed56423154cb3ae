export type Language = 'en' | 'pt-BR';

/** In seconds. The abbreviations are the same in both languages. */
const units = [
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** The same in both languages: `R$ 19,90`. */
const brl = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

const clockTime = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;

const days = {
  en: { month: 'short', day: 'numeric' },
  'pt-BR': { month: '2-digit', day: '2-digit' },
} as const;

export type Formats = ReturnType<typeof formatsFor>;

/** @param daysText formats a number of days */
export function formatsFor(language: Language, daysText: (count: number) => string) {
  const timeOnly = new Intl.DateTimeFormat(language, clockTime);
  const short = new Intl.DateTimeFormat(language, { ...days[language], ...clockTime });
  const long = new Intl.DateTimeFormat(language, { ...days[language], year: 'numeric', ...clockTime });
  const day = new Intl.DateTimeFormat(language, { ...days[language], year: 'numeric', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 3 });

  /** Below a second in milliseconds, otherwise in the two largest units: `1 h 30 min`. */
  const duration = (ms: number): string => {
    if (ms < 1_000) return `${Math.max(Math.round(ms), 0)} ms`;
    let rest = Math.round(ms / 1_000);
    const wholeDays = Math.floor(rest / 86_400);
    rest -= wholeDays * 86_400;
    const parts = wholeDays > 0 ? [daysText(wholeDays)] : [];
    for (const [unit, seconds] of units) {
      const count = Math.floor(rest / seconds);
      rest -= count * seconds;
      if (count > 0) parts.push(`${count} ${unit}`);
    }
    return parts.slice(0, 2).join(' ');
  };

  return {
    money: (cents: number) => brl.format(cents / 100),
    number: (value: number) => number.format(value),
    duration,
    /** Below a minute with milliseconds: `+120 ms`, `+1.204 s`. */
    elapsed: (ms: number) =>
      `+${ms >= 1_000 && ms < 60_000 ? `${number.format(ms / 1_000)} s` : duration(ms)}`,
    /**
     * Without the day if it is today, and without the year if it is this year.
     *
     * @param today the current day, in the format of `toDateString`
     */
    time: (at: string, today: string | undefined) => {
      const date = new Date(at);
      const written = date.toDateString();
      if (written === today) return timeOnly.format(date);
      return (written.slice(-4) === today?.slice(-4) ? short : long).format(date);
    },
    /** Without the year if it is the machine's current year. */
    dayAndTime: (at: number) =>
      (new Date(at).getFullYear() === new Date().getFullYear() ? short : long).format(at),
    date: (date: string) => day.format(new Date(`${date}T00:00:00Z`)),
  };
}
