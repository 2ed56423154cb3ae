import type { MarkdownRenderer } from 'vitepress';

const alerts: Readonly<Record<string, string>> = { note: 'NOTA', warning: 'ATENÇÃO' };

/** Translates labels that are not options of the theme, and names TypeScript the same in every block. */
export function labels(md: MarkdownRenderer): void {
  const isPortuguese = ({ relativePath = '' }: { relativePath?: string }) => relativePath.startsWith('pt/');
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const rendered = fence?.(tokens, index, options, env, self) ?? '';
    const block = rendered.replace('<span class="lang">typescript<', '<span class="lang">ts<');
    return isPortuguese(env) ? block.replace('title="Copy Code"', 'title="Copiar código"') : block;
  };
  md.core.ruler.push('labels', ({ tokens, env }) => {
    if (!isPortuguese(env)) return;
    for (const { type, meta } of tokens)
      if (type === 'github_alert_open') meta.title = alerts[meta.type] ?? meta.title;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const label = token.attrGet('aria-label');
      if (label !== null) token.attrSet('aria-label', label.replace('Permalink to', 'Link para'));
    }
  });
}
