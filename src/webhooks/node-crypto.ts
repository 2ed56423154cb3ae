import * as crypto from 'node:crypto';

/** What `verify`, `sign` and a receiver need of Node. On runtimes without it `node-crypto.worker.ts` takes its place. */
export const { createHash, createHmac, timingSafeEqual } = crypto;

/** Undefined in Node before 20.12, and in some runtimes that have the rest. */
export const hash: typeof crypto.hash | undefined = crypto.hash;
