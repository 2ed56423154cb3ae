import { exitCodes, Failure } from './failure.js';

/** A time as text; anything but ISO 8601 is read in another way by each country. */
export function timeOf(option: string, given: string): Date {
  const time = new Date(given);
  if (/^\d{4}-\d\d-\d\d/.test(given) && !Number.isNaN(time.getTime())) return time;
  throw new Failure(
    `${option} must be a time in ISO 8601, such as ${option} 2026-01-31T12:00:00Z, not '${given}'.`,
    exitCodes.usage,
  );
}
