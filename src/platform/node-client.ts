/** What only the client needs of its runtime, on Node, Bun and Deno. `web-client.ts` has the same exports for others. */
import type { Engine, HttpAgent } from '../transport/send/engine.js';
import { createNodeEngine } from '../transport/send/node-engine.js';

export { verifyWithNames } from '../webhooks/verify.js';

/** Makes the engine over node:http. */
export type EngineLoader = (baseUrl: URL, agent: HttpAgent | undefined) => Promise<Engine>;

/**
 * The engine that is better than fetch, where there is one: on Node itself. Bun, Deno and Workers have a
 * node:http as well, and name themselves Node, but it is slower or less complete than their fetch.
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
