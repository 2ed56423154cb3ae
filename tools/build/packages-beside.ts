import { fileURLToPath } from 'node:url';
import type { Plugin } from './plugins.js';

const resolved = (name: string) => fileURLToPath(import.meta.resolve(name));

/**
 * Packages that are built once for all entries, separately and minified. Only some calls need them, or they
 * are large packages of the sandbox and the command. Each entry loads the file next to it, in the entry's own
 * module format.
 */
export const besides = {
  everywhere: { hono: resolved('hono') },
  onNode: {
    ky: 'src/transport/send/ky.ts',
    'form-data': resolved('form-data'),
    'hono-node-server': resolved('@hono/node-server'),
    'fastify-busboy': resolved('@fastify/busboy'),
  },
  /**
   * Built only in CommonJS, and loaded on demand from there by ES modules as well. They need no module of Node: an ES
   * bundle of a merchant cannot contain a `require` of one.
   */
  once: {
    asn1: 'sandbox/runtime/asn1.ts',
    'page-files': 'sandbox/page/page-files.ts',
  },
  /** Built only as an ES module, like the command. */
  ofCommand: { commander: resolved('commander'), 'mcp-sdk': 'sandbox/cli/mcp/mcp-sdk.ts' },
  inWorkers: { noble: 'sandbox/runtime/noble.ts' },
  /**
   * Needed only in CommonJS, which has no chunks, so that every test would load the doctor. ES modules load
   * it on demand as a chunk.
   */
  inCommonJs: { doctor: 'sandbox/doctor/diagnose.ts' },
};

const namesBeside = Object.values(besides).flatMap(Object.keys);

/** Lists the entries for building these packages. */
export const filesBeside = (...tables: Readonly<Record<string, string>>[]) =>
  Object.fromEntries(
    tables.flatMap(Object.entries).map(([name, source]) => [`package-${name}`, source as string]),
  );

/** Replaces these packages in a bundle by imports of the files next to it. */
export const packagesBeside = (extension: 'js' | 'cjs'): Plugin => ({
  name: 'packages-beside',
  setup({ onResolve }) {
    onResolve({ filter: /^@?[a-z]|\/(asn1|ky|mcp-sdk|noble|page-files)\.js$/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      const name = path.replace(/^\..*\/|\.js$|^@/g, '').replaceAll('/', '-');
      const own = Object.hasOwn(besides.once, name) ? 'cjs' : extension;
      return namesBeside.includes(name) ? { path: `./package-${name}.${own}`, external: true } : undefined;
    });
  },
});
