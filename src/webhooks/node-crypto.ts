/** `#node-crypto` for `require` on Node (see "imports" in package.json). */
export { createHmac, timingSafeEqual } from 'node:crypto';
