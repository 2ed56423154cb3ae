/**
 * `npm run generate` writes everything that is derived from the sources: the compiled schemas, the generated
 * pages of docs/, and the reports of the public API in api-reports/. With `--translated` and names of
 * pages and strings, it also records that their Portuguese is up to date with the English. It lists everything that
 * is missing before it writes a page.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const run = (program: URL, output: 'inherit' | 'pipe') =>
  execFileSync(process.execPath, [...process.execArgv, fileURLToPath(program)], {
    stdio: ['ignore', output, 'inherit'],
    encoding: 'utf8',
  });

// Other processes, which end before the imports below. A module that this process had already imported would not
// change.
const missing: readonly string[] = JSON.parse(run(new URL('contract/parts.ts', import.meta.url), 'pipe'));
if (missing.length === 0) run(new URL('contract/main.ts', import.meta.url), 'inherit');
const { writeDocs } = await import('./docs/main.js');
const lacks = await writeDocs(missing);
if (lacks.length > 0) {
  process.stderr.write(`${lacks.join('\n')}\n`);
  process.exit(1);
}
if (process.argv.includes('--translated')) await import('./docs/translated.js');
await import('./api/main.js');
