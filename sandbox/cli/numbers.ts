import { InvalidArgumentError } from 'commander';
import { Failure } from './failure.js';

/** Only ISO 8601 is accepted, because countries read other formats differently. */
export function parseTime(option: string, value: string): Date {
  const time = new Date(value);
  if (/^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(time.getTime())) return time;
  throw new Failure(
    `${option} must be a time in ISO 8601, such as ${option} 2026-01-31T12:00:00Z, not '${value}'.`,
  );
}

export function integer(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be an integer.');
  return Number(text);
}

/** 0 selects a free port. */
export function port(text: string): number {
  const number = integer(text);
  if (number >= 0 && number < 65_536) return number;
  throw new InvalidArgumentError('A port must be a port number: an integer from 0 to 65535.');
}
