import { createHash } from 'node:crypto';

/** In hexadecimal digits. */
const length = 16;

/** A checksum, a space and JSON. */
export interface SealedLine {
  readonly sum: string;
  readonly line: string;
}

/**
 * The checksum also covers the previous line's checksum, so that a gap, a repeated line or a moved
 * line is detected.
 *
 * @param before the previous line's checksum; empty for the first line
 */
export function sealLine(before: string, json: string): SealedLine {
  const sum = checksum(before, Buffer.from(json));
  return { sum, line: `${sum} ${json}\n` };
}

/** Does not check that the parts match. */
export function readParts(line: Buffer): { readonly sum: string; readonly json: Buffer } {
  return { sum: line.subarray(0, length).toString('latin1'), json: line.subarray(length + 1) };
}

/** @param before the previous line's checksum */
export function isIntact(before: string, line: Buffer): boolean {
  const { sum, json } = readParts(line);
  return line[length] === 32 && checksum(before, json) === sum;
}

const checksum = (before: string, json: Buffer): string =>
  createHash('sha256').update(before).update(json).digest('hex').slice(0, length);
