import type { MarkdownRenderer } from 'vitepress';

const defaults = ['Default', 'Padrão'];

/**
 * Gives each cell its column's heading, which style.css shows in front of the cell on a phone. Options are
 * entries on every screen, because four columns leave too little room for their descriptions.
 */
export function stackedTables(md: MarkdownRenderer): void {
  md.core.ruler.push('stacked-tables', ({ tokens }) => {
    let headings: string[] = [];
    let column = 0;
    let table = tokens[0];
    tokens.forEach((token, index) => {
      const content = tokens[index + 1]?.content ?? '';
      if (token.type === 'table_open') {
        headings = [];
        table = token;
      }
      if (token.type === 'th_open') headings.push(content.replaceAll('`', ''));
      if (token.type === 'th_open' && defaults.includes(content)) table?.attrJoin('class', 'entries');
      if (token.type === 'tr_open') column = 0;
      if (token.type === 'td_open') token.attrSet('data-heading', headings[column++] ?? '');
    });
  });
}
