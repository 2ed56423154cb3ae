import { builtPage } from '../../sandbox/page/bundle.mjs';
import { writeNotices } from '../package/bundled.mjs';
import type { Plugin } from './plugins.js';

/** The files bundled into the code and the page. A minified file does not name them in comments. */
const bundled = new Set<string>();

/** Builds the sandbox's page. */
export const page: Plugin = builtPage((file) => bundled.add(file));

/** Records the files that a build bundles into its outputs. */
export const noteBundled: Plugin = {
  name: 'note-bundled',
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(({ metafile }) => {
      for (const { inputs } of Object.values(metafile?.outputs ?? {}))
        for (const [file, { bytesInOutput }] of Object.entries(inputs))
          if (bytesInOutput > 0) bundled.add(file);
    });
  },
};

/**
 * Returns a function to call after each of the concurrent builds. The last call writes the notices of all
 * files.
 */
export function writeNoticesAfter(builds: number): () => Promise<void> {
  let running = builds;
  return async () => {
    running--;
    if (running === 0) writeNotices([...bundled]);
  };
}
