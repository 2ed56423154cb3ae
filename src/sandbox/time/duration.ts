const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const isUnit = (text: string | undefined): text is keyof typeof units => text !== undefined && text in units;

/** A duration: a number of milliseconds, or text such as `'500ms'`, `'30s'`, `'15m'`, `'1h'`, `'2d'`. */
export type Duration = string | number;

/** Reads a duration as whole milliseconds. */
export function milliseconds(duration: Duration): number {
  if (typeof duration === 'number' && Number.isFinite(duration) && duration >= 0) return Math.round(duration);
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/.exec(String(duration).trim()) ?? [];
  if (isUnit(unit)) return Math.round(Number(amount) * units[unit]);
  throw new TypeError(
    `${JSON.stringify(duration)} is not a duration: write milliseconds as a number, or text such as '500ms', '30s', '15m', '1h' or '2d'.`,
  );
}

/** Milliseconds that setTimeout can wait; with more it fires at once. */
export const longestTimer = 2 ** 31 - 1;
