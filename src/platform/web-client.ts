/**
 * Runtime-specific code that only the client needs, for Workers, edge runtimes and browsers: see
 * `node-client.ts`.
 */
import { createKyClient, runtimeFetch } from '../transport/send/ky-client.js';

/** `verify` needs node:crypto and cannot run here, so the client does not include its code. */
export { isSignedBy as verifyWithNames } from './web.js';

export const nodeClientLoader = (): undefined => undefined;

/** The client is one file on these runtimes, so nothing is left to load later. */
export const loadKyClient = async () => ({ createKyClient, runtimeFetch });
