import { builtPage } from '../../sandbox/page/bundle.mjs';
import { writeNotices } from '../package/bundled.mjs';
import type { Plugin } from './plugins.js';

/** The files that stand in the code and in the page: a minified file has no comment that names them. */
const bundled = new Set<string>();

/** The page of the sandbox. */
export const page: Plugin = builtPage((file) => bundled.add(file));

/** Notes the files that a build puts into its outputs. */
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

/** Called after each of so many builds, which run at once: what is said of all files is written after the last. */
export function writeNoticesAfter(builds: number): () => Promise<void> {
  let running = builds;
  return async () => {
    running--;
    if (running === 0) writeNotices([...bundled]);
  };
}
