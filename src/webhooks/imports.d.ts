/** `node:crypto`, or on runtimes without it a replacement that throws (see "imports" in package.json). */
declare module '#node-crypto' {
  export { createHmac, timingSafeEqual } from 'node:crypto';
}
