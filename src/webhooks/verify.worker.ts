import type { verify as verifyOnNode, verifyWithNames as verifyWithNamesOnNode } from './verify.js';

/**
 * Takes the place of `verify.ts` on runtimes that have no `node:crypto`, or cannot import it at their start:
 * nothing there can check a signature at once.
 */
export const verify: typeof verifyOnNode = () => {
  throw new TypeError('This runtime has no node:crypto: use verifyAsync, which runs on WebCrypto.');
};

export const verifyWithNames: typeof verifyWithNamesOnNode = (delivery, options) => verify(delivery, options);
