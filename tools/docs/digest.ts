import { createHash } from 'node:crypto';

/** Identifies the English text that a translation was made from: 12 hexadecimal digits. */
export const digestOf = (english: string | Uint8Array): string =>
  createHash('sha256').update(english).digest('hex').slice(0, 12);
