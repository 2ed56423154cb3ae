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

/** Shows code blocks that follow each other in different languages as tabs, with the theme's markup. */
export function tabs(md: MarkdownRenderer): void {
  md.core.ruler.push('tabs', (state) => {
    const language = (index: number) => {
      const token = state.tokens[index];
      const name = token?.type === 'fence' ? token.info.split(' ')[0] : undefined;
      return name !== undefined && name in names ? name : undefined;
    };
    const html = (content: string) => Object.assign(new state.Token('html_block', '', 0), { content });
    for (let first = state.tokens.length - 1; first >= 0; first--) {
      if (language(first) === undefined || language(first - 1) !== undefined) continue;
      const group = [];
      for (let index = first; language(index) !== undefined; index++) group.push(language(index) ?? '');
      const last = first + group.length;
      if (group.length < 2 || new Set(group).size < group.length) continue;
      const label = (name: string, index: number) =>
        `<input type="radio" name="tabs-${first}" id="tab-${first}-${name}"${index === 0 ? ' checked' : ''}>` +
        `<label data-title="${names[name]}" for="tab-${first}-${name}">${names[name]}</label>`;
      const shown = state.tokens[first];
      if (shown !== undefined) shown.info += ' active';
      state.tokens.splice(last, 0, html('</div></div>\n'));
      state.tokens.splice(
        first,
        0,
        html(
          `<div class="vp-code-group vp-adaptive-theme"><div class="tabs">${group.map(label).join('')}</div><div class="blocks">\n`,
        ),
      );
    }
  });
}
