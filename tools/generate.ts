/**
 * `npm run generate` writes everything that is derived from the sources: the compiled schemas, the generated
 * pages of docs/, and the reports of the public API in api/. With `--translated` and names of
 * pages and strings, it also records that their Portuguese is up to date with the English.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Compiles the schemas in another process, before the imports below. A module that this process had already
// imported would not change.
const contract = fileURLToPath(new URL('contract/main.ts', import.meta.url));
execFileSync(process.execPath, [...process.execArgv, contract], { stdio: 'inherit' });
await import('./docs/main.js');
if (process.argv.includes('--translated')) await import('./docs/translated.js');
await import('./api/main.js');
