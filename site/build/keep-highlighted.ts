import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MarkdownOptions, MarkdownRenderer } from 'vitepress';

/** A highlighted sample depends on these files and on the types in dist/. */
const sources = [
  'package-lock.json',
  'site/package-lock.json',
  'site/.vitepress/config.ts',
  'site/build/hovers.ts',
];

function computeDigest(root: string): string {
  const types = readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.d.cts'));
  const digest = createHash('sha256');
  for (const file of [...types.map((name) => `dist/${name}`), ...sources])
    digest.update(readFileSync(join(root, file)));
  return digest.digest('hex').slice(0, 16);
}

/** Colours every line to its end, which the highlighter does not if it takes longer than half a second. */
export const wholeLines: NonNullable<MarkdownOptions['codeTransformers']>[number] = {
  preprocess: (_, options) => {
    options.tokenizeTimeLimit = 0;
  },
};

/** Keeps highlighted samples for later builds, because compiling and highlighting them takes minutes. */
export function keepHighlighted(md: MarkdownRenderer, root: string): void {
  const { highlight } = md.options;
  if (!highlight) throw new Error('The renderer has no highlighter.');
  const folder = join(root, 'site/.cache/samples', computeDigest(root));
  mkdirSync(folder, { recursive: true });
  md.options.highlight = (code, language, attributes) => {
    const key = createHash('sha256')
      .update(JSON.stringify([code, language, attributes]))
      .digest('hex');
    const file = join(folder, `${key}.html`);
    if (existsSync(file)) return readFileSync(file, 'utf8');
    const html = highlight(code, language, attributes);
    writeFileSync(file, html);
    return html;
  };
}
