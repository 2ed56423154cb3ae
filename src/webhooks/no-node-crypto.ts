/** Replaces `node:crypto` on runtimes that do not have it (see "imports" in package.json). */
function unavailable(): never {
  throw new TypeError('This runtime has no node:crypto: use verifyAsync, which runs on WebCrypto.');
}

export const createHmac = unavailable;
export const timingSafeEqual = unavailable;
