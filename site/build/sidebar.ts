import { readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';
import { type Language, sections } from '../contents';

const docs = new URL('../../docs/', import.meta.url);

/** Returns a page's file, relative to docs/. */
export const toPagePath = (page: string, language: Language) => `${language === 'pt' ? 'pt/' : ''}${page}.md`;

/** Reads a page's title, its only first-level heading. */
export function readTitle(page: string, language: Language): string {
  const text = readFileSync(new URL(toPagePath(page, language), docs), 'utf8');
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`docs/${toPagePath(page, language)} has no title.`);
  return title.replaceAll('`', '');
}

export const sidebar = (language: Language): DefaultTheme.SidebarItem[] =>
  sections
    .filter(({ isForMaintainers }) => !isForMaintainers)
    .map(({ title, pages }) => ({
      text: title[language],
      // The theme opens the group of the current page.
      collapsed: true,
      items: pages.map((page) => ({
        text: readTitle(page, language),
        link: `${language === 'pt' ? '/pt' : ''}/${page}`,
      })),
    }));
