/**
 * `npm run generate` writes everything that is derived from the sources: the compiled schemas, the generated
 * pages of docs/, and the reports of the public API in api/. With `--translated`, and optionally names of
 * pages, it also records that the Portuguese pages are up to date with the English ones.
 */
// The order matters, because the pages read the compiled schemas.
await import('./contract/main.js');
await import('./docs/main.js');
if (process.argv.includes('--translated')) await import('./docs/translated.js');
await import('./api/main.js');
