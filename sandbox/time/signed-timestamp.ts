/** The formats of a signed timestamp. */
export const timestampForms = ['seconds', 'milliseconds', 'iso'] as const;

export type TimestampForm = (typeof timestampForms)[number];

export const signedTimestamp: Readonly<Record<TimestampForm, (now: Date) => string>> = {
  seconds: (now) => String(Math.floor(now.getTime() / 1_000)),
  milliseconds: (now) => String(now.getTime()),
  iso: (now) => now.toISOString(),
};
