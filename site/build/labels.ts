import type { MarkdownRenderer } from 'vitepress';

/** The labels in a page that the theme has no option for, in the language of the page. */
export function labels(md: MarkdownRenderer): void {
  const isPortuguese = ({ relativePath = '' }: { relativePath?: string }) => relativePath.startsWith('pt/');
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const block = fence?.(tokens, index, options, env, self) ?? '';
    return isPortuguese(env) ? block.replace('title="Copy Code"', 'title="Copiar código"') : block;
  };
  md.core.ruler.push('labels', ({ tokens, env }) => {
    if (!isPortuguese(env)) return;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const label = token.attrGet('aria-label');
      if (label !== null) token.attrSet('aria-label', label.replace('Permalink to', 'Link para'));
    }
  });
}
