export interface Support {
  readonly monthsAfterTheEnd: number;
  readonly node: readonly { readonly line: number; readonly tried: string; readonly end: string }[];
  readonly others: Readonly<Record<string, readonly string[]>>;
}

export function windows(support: Support): readonly { readonly line: number; readonly until: string }[];
export function toEngines(support: Support): { readonly node: string };
export function supportTable(support: Support, language: 'en' | 'pt'): string;
export function endedWindows(support: Support, today: string): readonly string[];
