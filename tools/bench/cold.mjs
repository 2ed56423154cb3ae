/** Measures a cold start: a new process loads one package and makes its first call. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { credentials, intentOrder, order } from './samples.mjs';

const require = createRequire(import.meta.url);
const path = (file) => fileURLToPath(new URL(file, import.meta.url));

/** Both packages by the file they resolve to, so that neither spends time on the lookup. */
export const packages = {
  esm: {
    ours: path('../../dist/index.js'),
    get stripe() {
      return fileURLToPath(import.meta.resolve('stripe'));
    },
  },
  cjs: {
    ours: path('../../dist/index.cjs'),
    get stripe() {
      return require.resolve('stripe');
    },
  },
};

const samples = JSON.stringify({ credentials, intentOrder, order });

/**
 * Measures loading alone, and loading with the first call, in one process: CPU milliseconds of all threads.
 * `planted` adds this share of the cost as wasted work, to test the comparison.
 *
 * @returns {Promise<{ load: number, total: number }>}
 */
export async function measureColdStart(format, name, file, port, planted = 0) {
  const child = fork(path('first-call.cjs'), [format, name, file, String(port), samples, String(planted)]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the first call of ${name} (${format}) ended with ${code} and no report`);
  });
  const [report] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  await once(child, 'exit');
  return report;
}
