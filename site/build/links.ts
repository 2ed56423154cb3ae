import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/**
 * Replaces links out of docs/ (to a source, a test or an example) with their path, because the site has no public
 * repository to link to. Links to JSON files lead to the copy on the site.
 */
export function linksOfTheRepository(md: MarkdownRenderer, root: string): void {
  md.core.ruler.push('links-of-the-repository', ({ tokens }) => {
    for (const { children } of tokens) {
      if (children === null) continue;
      for (const [index, token] of children.entries()) {
        if (token.type !== 'link_open') continue;
        const target = String(token.attrGet('href'));
        const readme = /^(?:\.\.\/)+README(?:\.pt-BR)?\.md/.test(target);
        if (readme) token.attrSet('href', './introduction.md');
        else if (/^(?:\.\.\/)?[\w.-]+\.json$/.test(target))
          token.attrSet('href', `/${target.replace('../', '')}`);
        else if (target.startsWith('../')) {
          const path = target.replace(/^(?:\.\.\/)+/, '');
          if (!existsSync(join(root, path.split('#')[0] ?? ''))) continue;
          const close = children.findIndex(({ type }, at) => at > index && type === 'link_close');
          token.tag = 'span';
          token.attrs = [['title', path]];
          const end = children[close];
          if (end !== undefined) end.tag = 'span';
        }
      }
    }
  });
}
