import type { MarkdownRenderer } from 'vitepress';

/** The names of the tabs, by the language of a code block. */
const names: Readonly<Record<string, string>> = {
  sh: 'curl',
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
  go: 'Go',
  java: 'Java',
  csharp: 'C#',
};

interface Tab {
  readonly id: string;
  readonly title: string;
}

/**
 * Shows tabs, with the theme's markup. Code blocks that follow each other in different languages become tabs. So do
 * the sections between the comments `<!-- tabs -->` and `<!-- /tabs -->`, under their headings.
 */
export function tabs(md: MarkdownRenderer): void {
  md.core.ruler.push('tabs', ({ tokens, Token }) => {
    const html = (content: string) => Object.assign(new Token('html_block', '', 0), { content });

    /** Writes the row of tabs. The number tells this group from the page's other groups. */
    const openGroup = (number: number, tabs: readonly Tab[], kind = '') => {
      const labels = tabs.map(({ id, title }, index) => {
        const tab = `tab-${number}-${id}`;
        const checked = index === 0 ? ' checked' : '';
        return (
          `<input type="radio" name="tabs-${number}" id="${tab}"${checked}>` +
          `<label data-title="${title}" for="${tab}">${title}</label>`
        );
      });
      return `<div class="vp-code-group${kind} vp-adaptive-theme"><div class="tabs">${labels.join('')}</div><div class="blocks">\n`;
    };

    const language = (index: number) => {
      const token = tokens[index];
      const name = token?.type === 'fence' ? token.info.split(' ')[0] : undefined;
      return name !== undefined && name in names ? name : undefined;
    };
    for (let first = tokens.length - 1; first >= 0; first--) {
      if (language(first) === undefined || language(first - 1) !== undefined) continue;
      const group = [];
      for (let index = first; language(index) !== undefined; index++) group.push(language(index) ?? '');
      if (group.length < 2 || new Set(group).size < group.length) continue;
      const shown = tokens[first];
      if (shown !== undefined) shown.info += ' active';
      tokens.splice(first + group.length, 0, html('</div></div>\n'));
      const tabs = group.map((id) => ({ id, title: names[id] ?? id }));
      tokens.splice(first, 0, html(openGroup(first, tabs)));
    }

    const findComment = (text: string) =>
      tokens.findLastIndex(({ type, content }) => type === 'html_block' && content.trim() === text);
    for (let begin = findComment('<!-- tabs -->'); begin >= 0; begin = findComment('<!-- tabs -->')) {
      const end = tokens.findIndex(
        ({ type, content }, index) =>
          index > begin && type === 'html_block' && content.trim() === '<!-- /tabs -->',
      );
      if (end < 0)
        throw new Error('A page has <!-- tabs --> without <!-- /tabs -->. Add the second comment.');
      const panels: Tab[] = [];
      const body = tokens.slice(begin + 1, end).flatMap((token, index, section) => {
        if (token.type !== 'heading_open') return [token];
        // The heading stays in the panel, unseen, so that the search, the outline and links find it.
        token.attrJoin('class', 'visually-hidden');
        panels.push({ id: token.attrGet('id') ?? '', title: section[index + 1]?.content ?? '' });
        const opening = panels.length === 1 ? '<div class="active">\n' : '</div>\n<div>\n';
        return [html(opening), token];
      });
      const group = html(openGroup(begin, panels, ' section-tabs'));
      tokens.splice(begin, end - begin + 1, group, ...body, html('</div></div></div>\n'));
    }
  });
}
