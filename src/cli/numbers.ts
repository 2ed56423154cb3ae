import { InvalidArgumentError } from 'commander';

export function integer(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be an integer.');
  return Number(text);
}

/** The number of a port; 0 for a free one. */
export function port(text: string): number {
  const number = integer(text);
  if (number >= 0 && number < 65_536) return number;
  throw new InvalidArgumentError('A port must be a port number: an integer from 0 to 65535.');
}
