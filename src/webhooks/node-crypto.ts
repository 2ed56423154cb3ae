/** What `#node-crypto` is for `require` on Node (see "imports" in package.json). */
export { createHmac, timingSafeEqual } from 'node:crypto';
