import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const here = fileURLToPath(new URL('../contents.ts', import.meta.url));

/** The pages are in docs/, where no Vue is installed: it is looked for in this folder. */
export const pagesOutside: Plugin = {
  name: 'pages-outside',
  enforce: 'pre',
  resolveId(id, importer, options) {
    if (!/^vue(\/|$)/.test(id)) return undefined;
    // While pages are rendered, all code shares the Vue that Node loads.
    if (options.ssr === true) return { id, external: true };
    return importer?.includes('/docs/') ? this.resolve(id, here, { ...options, skipSelf: true }) : undefined;
  },
};
