import { createHash } from 'node:crypto';

/** Identifies the English original of a translation: 12 hexadecimal digits. */
export const computeDigest = (english: string | Uint8Array): string =>
  createHash('sha256').update(english).digest('hex').slice(0, 12);
