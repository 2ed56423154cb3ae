import type { MarkdownRenderer } from 'vitepress';

/** Shows `- [ ]` as a check box. Its state is not stored. */
export function checkBoxes(md: MarkdownRenderer): void {
  md.core.ruler.push('check-boxes', ({ tokens }) => {
    for (const { children } of tokens) {
      const [first] = children ?? [];
      if (first?.type !== 'text' || !first.content.startsWith('[ ] ')) continue;
      first.type = 'html_inline';
      first.content = `<span class="box" aria-hidden="true"></span>${md.utils.escapeHtml(first.content.slice(4))}`;
    }
  });
}
