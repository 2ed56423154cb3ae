/**
 * Runtime-specific code that only the client needs, for Node, Bun and Deno. `web-client.ts` exports the same
 * names for other runtimes.
 */
import type { HttpAgent, HttpClient } from '../transport/send/http-client.js';
import { createNodeClient } from '../transport/send/node-client.js';

export { verifyWithNames } from '../webhooks/verify.js';

export type HttpClientLoader = (baseUrl: URL, agent: HttpAgent | undefined) => Promise<HttpClient>;

/**
 * Returns the loader of the Node engine, which is faster than fetch; undefined on any runtime but Node. Bun,
 * Deno and Workers can also identify themselves as Node and provide node:http, but their node:http is slower
 * or less complete than their fetch.
 */
export function nodeClientLoader(): HttpClientLoader | undefined {
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

export const loadKyClient = () => import('../transport/send/ky-client.js');
