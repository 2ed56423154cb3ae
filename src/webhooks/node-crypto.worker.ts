/** Takes the place of `node-crypto.ts` on runtimes that have no `node:crypto`, or cannot import it at their start. */
function unavailable(): never {
  throw new TypeError('This runtime has no node:crypto: use verifyAsync, which runs on WebCrypto.');
}

export const createHash = unavailable;
export const createHmac = unavailable;
export const timingSafeEqual = unavailable;
export const hash = unavailable;
