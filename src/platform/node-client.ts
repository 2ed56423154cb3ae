/**
 * Runtime parts that only the client needs, for Node, Bun and Deno. `web-client.ts` exports the same names for the
 * others.
 */
import type { HttpAgent, HttpClient } from '../transport/send/http-client.js';
import { createNodeClient } from '../transport/send/node-client.js';

export { verifyWithNames } from '../webhooks/verify.js';

/** Creates the HTTP client over node:http. */
export type HttpClientLoader = (baseUrl: URL, agent: HttpAgent | undefined) => Promise<HttpClient>;

/**
 * Loads the HTTP client that beats fetch, on Node only. Bun and Deno have a node:http and Workers can too, but there it
 * is slower or less complete than their fetch, although they identify themselves as Node.
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

/** The HTTP client over fetch, loaded with the first call. */
export const loadKyClient = () => import('../transport/send/ky-client.js');
