/** What `verify`, `sign` and a receiver need of Node. On runtimes without it `node-crypto.worker.ts` takes its place. */
export { createHash, createHmac, timingSafeEqual } from 'node:crypto';
