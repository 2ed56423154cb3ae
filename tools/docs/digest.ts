import { createHash } from 'node:crypto';

/** Computes the 12 hexadecimal digits that identify the English original of a translation. */
export const computeDigest = (english: string | Uint8Array): string =>
  createHash('sha256').update(english).digest('hex').slice(0, 12);
