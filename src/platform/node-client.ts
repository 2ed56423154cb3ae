/**
 * Runtime parts that only the client needs, for Node, Bun and Deno. `web-client.ts` exports the same names for the
 * others.
 */
import type { Engine, HttpAgent } from '../transport/send/engine.js';
import { createNodeEngine } from '../transport/send/node-engine.js';

export { verifyWithNames } from '../webhooks/verify.js';

/** Makes the engine over node:http. */
export type EngineLoader = (baseUrl: URL, agent: HttpAgent | undefined) => Promise<Engine>;

/**
 * Loads the engine that beats fetch, on Node only. Bun and Deno have a node:http and Workers can too, but there it
 * is slower or less complete than their fetch, although they identify themselves as Node.
 */
export function nodeEngineLoader(): EngineLoader | undefined {
  const { process, navigator } = globalThis as {
    process?: NodeJS.Process;
    navigator?: { userAgent?: string };
  };
  const isNode =
    process?.release?.name === 'node' &&
    process.versions?.bun === undefined &&
    !('Deno' in globalThis) &&
    navigator?.userAgent !== 'Cloudflare-Workers' &&
    !('EdgeRuntime' in globalThis);
  return isNode ? createNodeEngine : undefined;
}

/** The engine over fetch, loaded with the first call. */
export const kyEngine = () => import('../transport/send/ky-engine.js');
