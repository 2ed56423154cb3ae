import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const here = fileURLToPath(new URL('../contents.ts', import.meta.url));

/** Resolves Vue from this folder, because docs/, which contains the pages, has no node_modules. */
export const pagesOutside: Plugin = {
  name: 'pages-outside',
  enforce: 'pre',
  resolveId(id, importer, options) {
    if (!/^vue(\/|$)/.test(id)) return undefined;
    // During rendering, all code must share the Vue that Node loads.
    if (options.ssr === true) return { id, external: true };
    return importer?.includes('/docs/') ? this.resolve(id, here, { ...options, skipSelf: true }) : undefined;
  },
};
