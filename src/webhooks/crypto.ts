/** How a receiver checks signatures: with node:crypto, at a fraction of the time of WebCrypto. */
export { digestOf, matchingSecret } from './node-signature.js';
