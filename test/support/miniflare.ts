import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { D1Database, DedupeNamespace } from 'payment-platform/webhooks';

/** The path of miniflare's module, which needs Node 22 or later; empty if it is not installed. */
export const miniflarePath = process.env.MINIFLARE_PATH ?? '';

/** The members of miniflare that the tests use. Both bindings are proxies to workerd. */
interface Miniflare {
  getD1Database(
    binding: string,
  ): Promise<D1Database & { exec(sql: string): Promise<unknown>; batch(all: unknown[]): Promise<unknown> }>;
  getDurableObjectNamespace(binding: string): Promise<DedupeNamespace>;
  dispose(): Promise<void>;
}

/** Starts workerd with a D1 database, and with a Worker that exports the class `DedupeObject`. */
export async function startMiniflare(): Promise<Miniflare> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { DedupeObject } from './src/webhooks/index.ts';
export default { fetch: () => new Response() };`,
      resolveDir: fileURLToPath(new URL('../../', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['workerd'],
  });
  const { Miniflare } = await import(pathToFileURL(miniflarePath).href);
  return new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: outputFiles[0]?.text }],
    compatibilityDate: '2026-07-30',
    d1Databases: ['DB'],
    durableObjects: { DELIVERIES: { className: 'DedupeObject', useSQLite: true } },
  });
}
