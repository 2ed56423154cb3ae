/** Takes the place of `node:crypto` on runtimes that have none (see "imports" in package.json). */
function unavailable(): never {
  throw new TypeError('This runtime has no node:crypto: use verifyAsync, which runs on WebCrypto.');
}

export const createHmac = unavailable;
export const timingSafeEqual = unavailable;
