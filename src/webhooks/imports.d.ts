/** `node:crypto` where there is one (see "imports" in package.json), a stand-in that says so elsewhere. */
declare module '#node-crypto' {
  export { createHmac, timingSafeEqual } from 'node:crypto';
}
