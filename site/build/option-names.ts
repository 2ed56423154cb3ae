import type { MarkdownRenderer } from 'vitepress';

/** Marks the names of a command's options, such as `--charge`, which style.css keeps on one line. */
export function optionNames(md: MarkdownRenderer): void {
  md.core.ruler.push('option-names', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'code_inline' && /^--[a-z-]{1,24}$/.test(token.content))
        token.attrJoin('class', 'option-name');
  });
}
