/** Takes the place of `crypto.ts` on runtimes that have no `node:crypto`, or cannot import it at their start. */
export { digestOf, signerOf } from './web-crypto.js';

function unavailable(): never {
  throw new TypeError('This runtime has no node:crypto. Use verifyAsync, which runs on WebCrypto.');
}

export const hmac = unavailable;
export const isSignedBy = unavailable;
