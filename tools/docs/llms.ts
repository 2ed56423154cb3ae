// Writes the files for language models, with the common mistakes before the pages (https://llmstxt.org).
import { readFileSync } from 'node:fs';
import { type Language, sections } from '../../site/contents.js';
import { firstSentence } from './markdown.js';

const docs = new URL('../../docs/', import.meta.url);

/** Pages for maintainers, and long tables. They are linked, but left out of the complete text. */
const linkedOnly = new Set([
  'fault-model',
  'sandbox-defaults',
  'assumptions',
  'architecture',
  'environments',
  'command',
  'control-api',
]);

const read = (page: string, language: Language) =>
  readFileSync(new URL(`${language === 'pt' ? 'pt/' : ''}${page}.md`, docs), 'utf8');

/** Reads the list of common mistakes, which is written by hand in llms.txt before the list of pages. */
const readHead = (language: Language) =>
  readFileSync(new URL(`${language === 'pt' ? 'pt/' : ''}llms.txt`, docs), 'utf8').split('\n## ')[0];

const findTitle = (text: string) => /^# (.+)$/m.exec(text)?.[1] ?? '';

/** Returns a page's introduction, up to its first full stop. */
function findSubject(text: string): string {
  const paragraph = text
    .replaceAll(/<!--.*?-->/gs, '')
    .replace(/^# .+$/m, '')
    .trim()
    .split('\n\n')[0];
  const plain = (paragraph ?? '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ');
  return firstSentence(plain);
}

/** Lists the pages, each with its subject. */
export const llms = (language: Language): string =>
  [
    readHead(language),
    ...sections.map(({ title, pages }) => {
      const items = pages.map((page) => {
        const text = read(page, language);
        return `- [${findTitle(text)}](${page}.md): ${findSubject(text)}`;
      });
      return `## ${title[language]}\n\n${items.join('\n')}\n`;
    }),
  ].join('\n');

/** Concatenates the list of common mistakes and all pages. */
export const llmsFull = (language: Language): string =>
  [
    readHead(language),
    ...sections
      .flatMap(({ pages }) => pages)
      .filter((page) => !linkedOnly.has(page))
      .map((page) => read(page, language).replaceAll(/<!--.*?-->\n*/gs, '')),
  ].join('\n');
