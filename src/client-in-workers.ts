/**
 * Runtime-specific code that only the client needs, for Workers, edge runtimes and browsers: see
 * `client-on-node.ts`.
 */
import type { Engines } from './transport/send/http-client.js';
import { createKyClient, runtimeFetch } from './transport/send/ky-client.js';

/** `verify` needs node:crypto and cannot run here, so the client does not include its code. */
export { isSignedBy as verifyWithNames } from './platform/web.js';

/** The client is one file on these runtimes, so nothing is left to load later. */
export const engines: Engines = {
  nodeClientLoader: () => undefined,
  loadKyClient: async () => ({ createKyClient, runtimeFetch }),
};
