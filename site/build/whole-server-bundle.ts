import type { Plugin } from 'vite';

/** Removes nothing from the bundle that renders the pages, because it is run once and thrown away. */
export const wholeServerBundle: Plugin = {
  name: 'whole-server-bundle',
  config: (_, { isSsrBuild }) => (isSsrBuild ? { build: { rollupOptions: { treeshake: false } } } : {}),
};
