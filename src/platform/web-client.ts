/** Runtime parts that only the client needs, for Workers, edge runtimes and browsers: see `node-client.ts`. */
import { createKyClient, runtimeFetch } from '../transport/send/ky-client.js';

/** `verify` cannot run without node:crypto, so nothing of it is in the client. */
export { isSignedBy as verifyWithNames } from './web.js';

export const nodeClientLoader = (): undefined => undefined;

/** The client is one file here, so there is nothing to load later. */
export const loadKyClient = async () => ({ createKyClient, runtimeFetch });
