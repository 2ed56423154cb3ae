import type { Engine, HttpAgent } from './engine.js';
import { createNodeEngine } from './node-engine.js';

/** Makes the engine over node:http. */
export type EngineLoader = (baseUrl: URL, agent: HttpAgent | undefined) => Promise<Engine>;

/**
 * The engine that is better than fetch, where there is one: on Node itself. Bun, Deno and Workers have a
 * node:http, too, and name themselves Node, but it is slower or less complete than their fetch.
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
