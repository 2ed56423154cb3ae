/** Takes the place of `crypto.ts` on runtimes that have no `node:crypto`, or cannot import it at their start. */
export { digestOf, matchingSecret } from './web-crypto.js';
