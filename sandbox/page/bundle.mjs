import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const entry = fileURLToPath(new URL('./app/main.js', import.meta.url));

/**
 * Builds the page.
 *
 * @returns {Promise<{ script: string, style: string, sources: string[] }>} its script, its style sheet, and
 * the bundled files
 */
export async function bundlePage() {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: 'page',
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    legalComments: 'inline',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const findOutput = (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { script: findOutput('.js'), style: findOutput('.css'), sources: Object.keys(metafile.inputs) };
}

/**
 * Creates an esbuild plugin that replaces `page-files.ts` with the built page.
 *
 * @param {(file: string) => void} note called with each file of the page, to include its package's licence
 */
export const builtPage = (note) => ({
  name: 'built-page',
  setup({ onLoad }) {
    onLoad({ filter: /page[\\/]page-files\.ts$/ }, async () => {
      const { sources, ...files } = await bundlePage();
      sources.forEach(note);
      return { contents: `export const pageFiles = async () => (${JSON.stringify(files)});` };
    });
  },
});
