import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { operations } from '../../src/contract/index.js';
import { findSection } from '../../src/contract/schemas.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

const pages = readdirSync(join(root, 'docs'))
  // The site assembles the start page.
  .filter((name) => name.endsWith('.md') && name !== 'index.md')
  .map((name) => ({ name, text: readFileSync(join(root, 'docs', name), 'utf8') }));

const blocks = pages.flatMap(({ name, text }) =>
  [...text.matchAll(/^```(\w*).*?^```/gms)].map(([, language = '']) => ({ page: name, language })),
);

/** Lists the entries of `files`, and the files that npm adds. */
const packed = ['README.md', 'LICENSE', 'package.json', ...manifest.files].map(
  (entry) => new RegExp(`^${entry.replaceAll('.', '\\.').replace('*', '[^/]+')}(/|$)`),
);
const isPacked = (path: string) => packed.some((pattern) => pattern.test(path));

test('every code block of the pages has a known language', () => {
  const known = [
    'ts',
    'typescript',
    'text',
    'sh',
    'python',
    'php',
    'ruby',
    'go',
    'java',
    'csharp',
    'json',
    'sql',
    'prisma',
    'mermaid',
  ];
  expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
  expect(blocks.filter(({ language }) => language === 'ts').length).toBeGreaterThanOrEqual(6);
});

describe.each(pages)('the page $name', ({ text }) => {
  test('has one title', () => {
    expect(text.replace(/^```.*?^```/gms, '').match(/^# /gm)).toHaveLength(1);
  });

  test('has no dead links', () => {
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      expect(() => readFileSync(join(root, 'docs', target))).not.toThrow(/ENOENT/);
      expect(dirname(target)).not.toMatch(/^\//);
    }
  });

  test('links only to files that the package contains', () => {
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) =>
      join('docs', target),
    );
    expect(targets.filter((target) => !isPacked(target))).toEqual([]);
  });

  test('names files and folders that exist', () => {
    const paths = [...text.matchAll(/`((?:src|test|docs|examples)\/[\w./-]+|\w+\.md)`/g)];
    expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('names commands that exist', () => {
    const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    for (const name of scripts) expect(Object.keys(manifest.scripts)).toContain(name);
  });
});

describe('api-document.md', () => {
  const text = pages.find(({ name }) => name === 'api-document.md')?.text ?? '';

  test('contains every heading that operations and comments in the sources refer to', () => {
    const sources = ['src', 'sandbox']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
          join(folder, name),
        ),
      )
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, name), 'utf8').replace(/\s+\*?\s*/g, ' '));
    // A heading begins with a capital letter and ends at the next punctuation mark.
    const referred = sources.flatMap((source) =>
      [...source.matchAll(/\(API docs, ([A-Z][^,);.]+)/g)].map(([, heading = '']) => heading.trim()),
    );
    expect(referred.length).toBeGreaterThan(20);
    const headings = new Set([...referred, ...operations.map(findSection)]);
    expect([...headings].filter((heading) => !text.includes(heading))).toEqual([]);
  });
});
