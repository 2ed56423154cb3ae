import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createMarkdownRenderer, type MarkdownRenderer } from 'vitepress';
import { expect, test } from 'vitest';
import { keepHighlighted, wholeLines } from '../build/keep-highlighted.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('a later build shows a sample without highlighting it again', () => {
  const highlighted: string[] = [];
  const build = () => {
    const md = {
      options: {
        highlight(code: string, language: string) {
          highlighted.push(code);
          return `<pre>${language}: ${code}</pre>`;
        },
      },
    } as unknown as MarkdownRenderer;
    keepHighlighted(md, root);
    return (code: string, language: string) => md.options.highlight?.(code, language, '');
  };
  const code = `const id = '${randomUUID()}';`;
  const first = build()(code, 'ts');
  expect(build()(code, 'ts')).toBe(first);
  expect(highlighted).toEqual([code]);
  expect(build()(code, 'js')).toBe(`<pre>js: ${code}</pre>`);
});

test('a sample is coloured to the end of its lines on a slow machine', async () => {
  const limits: unknown[] = [];
  const read = {
    preprocess: (_: string, options: { tokenizeTimeLimit?: number }) =>
      void limits.push(options.tokenizeTimeLimit),
  };
  const md = await createMarkdownRenderer(`${root}docs`, { codeTransformers: [wholeLines, read] });
  md.render('```ts\nconst a = 1;\n```\n', {});
  expect(limits).toEqual([0]);
});
