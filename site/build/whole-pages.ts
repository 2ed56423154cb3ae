import type { Plugin } from 'vite';

/** Skips the search for unused code in pages, which have none, and in the bundle that is run once to render them. */
export const wholePages: Plugin = {
  name: 'whole-pages',
  config: (_, { isSsrBuild }) => (isSsrBuild ? { build: { rollupOptions: { treeshake: false } } } : {}),
  transform: (_, id) => (id.endsWith('.md') ? { moduleSideEffects: 'no-treeshake' } : undefined),
};
