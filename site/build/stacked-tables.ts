import type { MarkdownRenderer } from 'vitepress';

const defaults = ['Default', 'Padrão'];
const mostColumns = 4;

/**
 * Gives each cell its column's heading, which style.css shows in front of the cell on a phone. Options and
 * tables of five columns are entries on every screen, because the columns leave too little room for descriptions.
 */
export function stackedTables(md: MarkdownRenderer): void {
  md.core.ruler.push('stacked-tables', ({ tokens }) => {
    let headings: string[] = [];
    let column = 0;
    tokens.forEach((token, index) => {
      const content = tokens[index + 1]?.content ?? '';
      if (token.type === 'table_open') headings = [];
      if (token.type === 'th_open') headings.push(content.replaceAll('`', ''));
      if (token.type === 'tr_open') {
        column = 0;
        const isEntry = headings.length > mostColumns || headings.some((one) => defaults.includes(one));
        if (isEntry) token.attrJoin('class', 'entry');
      }
      if (token.type === 'td_open') token.attrSet('data-heading', headings[column++] ?? '');
    });
  });
}
