import { createHash } from 'node:crypto';

/** Hexadecimal digits of a checksum. */
const length = 16;

/** A checksum, a space, and JSON. */
export interface SealedLine {
  readonly sum: string;
  readonly line: string;
}

/**
 * A line with its checksum. The checksum covers the checksum of the line before, so that a missing, repeated or moved
 * line is found as well.
 *
 * @param before the checksum of the line before; empty for the first line.
 */
export function sealed(before: string, json: string): SealedLine {
  const sum = checksum(before, Buffer.from(json));
  return { sum, line: `${sum} ${json}\n` };
}

/** The parts of a line, whether or not they fit each other. */
export function readParts(line: Buffer): { readonly sum: string; readonly json: Buffer } {
  return { sum: line.subarray(0, length).toString('latin1'), json: line.subarray(length + 1) };
}

/** Whether a line is as it was written after the one with the checksum `before`. */
export function isIntact(before: string, line: Buffer): boolean {
  const { sum, json } = readParts(line);
  return line[length] === 32 && checksum(before, json) === sum;
}

const checksum = (before: string, json: Buffer): string =>
  createHash('sha256').update(before).update(json).digest('hex').slice(0, length);
