import type { MarkdownRenderer } from 'vitepress';

/** Shows a filter for the page's entries at the comment `<!-- filter -->`. */
export function filters(md: MarkdownRenderer): void {
  md.core.ruler.push('filters', ({ tokens }) => {
    for (const token of tokens)
      if (token.type === 'html_block' && token.content.trim() === '<!-- filter -->')
        token.content = '<FilterEntries />\n';
  });
}
