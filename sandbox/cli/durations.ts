import { InvalidArgumentError } from 'commander';

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function parseAge(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit === undefined) throw new InvalidArgumentError('It must be an age such as 90s, 5m, 2h or 3d.');
  return Number(amount) * units[unit as keyof typeof units];
}

/** The largest unit that fits, such as `5m`. */
export function formatAge(milliseconds: number): string {
  const [name, size] = Object.entries(units).findLast(([, unit]) => milliseconds >= unit) ?? ['s', units.s];
  return `${Math.max(0, Math.floor(milliseconds / size))}${name}`;
}
