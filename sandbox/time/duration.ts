import { inspect } from '#sandbox-runtime';
import { day, hour, minute } from './units.js';

const units = { ms: 1, s: 1_000, m: minute, h: hour, d: day } as const;

const isUnit = (text: string | undefined): text is keyof typeof units =>
  text !== undefined && Object.hasOwn(units, text);

/** A duration: milliseconds, or a string such as `'500ms'`, `'30s'`, `'15m'`, `'1h'`, `'2d'`. */
export type Duration = string | number;

/** For messages. */
export const durationForms =
  "a duration: milliseconds, or a string such as '500ms', '30s', '15m', '1h' or '2d'";

export const isDuration = (value: unknown): value is Duration => inMilliseconds(value) !== undefined;

/** @throws TypeError for anything but a duration */
export function milliseconds(duration: Duration): number {
  const time = inMilliseconds(duration);
  if (time === undefined) throw new TypeError(`${inspect(duration)} is not ${durationForms}.`);
  return time;
}

function inMilliseconds(value: unknown): number | undefined {
  if (typeof value === 'number') return wholeTime(value);
  if (typeof value !== 'string') return undefined;
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/.exec(value.trim()) ?? [];
  return isUnit(unit) ? wholeTime(Number(amount) * units[unit]) : undefined;
}

const wholeTime = (time: number) => (Number.isFinite(time) && time >= 0 ? Math.round(time) : undefined);
