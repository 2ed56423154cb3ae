import { renderMermaidSVG } from 'beautiful-mermaid';
import type { MarkdownRenderer } from 'vitepress';

/** Renders a diagram as a picture. style.css styles it, so that it follows the light or dark theme. */
function renderPicture(source: string): string {
  const svg = renderMermaidSVG(source, { transparent: true });
  return svg
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replace(/^<svg ([^>]*?) style="[^"]*"/, '<svg $1')
    .replaceAll(/\n\s*/g, '');
}

/** Renders ```mermaid blocks during the build, so that pages need no script for them. */
export function diagrams(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence;
  if (fence === undefined) throw new Error('The renderer has no rule for code.');
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info.trim() !== 'mermaid') return fence(tokens, index, options, env, self);
    const heading = tokens.slice(0, index).findLastIndex(({ type }) => type === 'heading_open');
    const label = md.utils.escapeHtml(tokens[heading + 1]?.content ?? '');
    return `<div class="diagram" tabindex="0" role="img" aria-label="${label}">${renderPicture(token.content)}</div>`;
  };
}
