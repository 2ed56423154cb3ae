import { createKyEngine, runtimeFetch } from './ky-engine.js';

/** Takes the place of `ky-engine-loader.ts` where all of the client is one file: there is nothing to load later. */
export const kyEngine = async () => ({ createKyEngine, runtimeFetch });
