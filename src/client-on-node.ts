/**
 * Runtime-specific code that only the client needs, for Node, Bun and Deno. `client-in-workers.ts` exports the
 * same names for other runtimes.
 */
import type { Engines } from './transport/send/http-client.js';
import { createNodeClient } from './transport/send/node-client.js';

export { verifyWithNames } from './webhooks/verify.js';

/**
 * Returns the loader of the Node engine, which is faster than fetch; undefined on any runtime but Node. Bun,
 * Deno and Workers can also identify themselves as Node and provide node:http, but their node:http is slower
 * or less complete than their fetch.
 */
function nodeClientLoader(): typeof createNodeClient | undefined {
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
  return isNode ? createNodeClient : undefined;
}

export const engines: Engines = {
  nodeClientLoader,
  loadKyClient: () => import('./transport/send/ky-client.js'),
};
