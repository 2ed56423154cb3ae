/** What only the client needs of its runtime, on Workers, at the edge and in pages: see `node-client.ts`. */
import { createKyEngine, runtimeFetch } from '../transport/send/ky-engine.js';

/** `verify` cannot run without node:crypto, so nothing of it is in the client. */
export { isSignedBy as verifyWithNames } from './web.js';

export const nodeEngineLoader = (): undefined => undefined;

/** The client is one file here, so there is nothing to load later. */
export const kyEngine = async () => ({ createKyEngine, runtimeFetch });
