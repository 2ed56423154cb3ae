/** What `verify` and `sign` need of Node. On runtimes without it `node-crypto.worker.ts` takes its place. */
export { createHmac, timingSafeEqual } from 'node:crypto';
