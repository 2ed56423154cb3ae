import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import project from '../../tools/release/project.json' with { type: 'json' };

const page = readFileSync('SECURITY.md', 'utf8');

/** Lists the tests that the page cites: a file under test/ or sandbox/test/, and a title in that file. */
const heldBy = (text: string) =>
  [...text.matchAll(/`([\w/.-]+\.test\.ts)`: "(.+?)"/g)].map(([, file = '', title = '']) => ({
    file: file.startsWith('sandbox/') ? file.replace('sandbox/', 'sandbox/test/') : `test/${file}`,
    title: title.replaceAll('\\', ''),
  }));

const missing = (text: string) =>
  heldBy(text).filter(({ file, title }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(title));

test('every test that the threat model cites exists', () => {
  expect(missing(page)).toEqual([]);
});

test('the threat model check reports a test that does not exist', () => {
  const wrong = '| something | `webhooks/forged.test.ts`: "nobody wrote this" |';
  expect(missing(wrong)).toEqual([{ file: 'test/webhooks/forged.test.ts', title: 'nobody wrote this' }]);
});

test('every line of the threat model cites a test', () => {
  const tables = page.split('| Cannot').slice(1);
  expect(tables.length).toBe(5);
  const lines = tables.flatMap((table) => (table.split('\n\n')[0] ?? '').split('\n').slice(2));
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.filter((line) => heldBy(line).length !== 1)).toEqual([]);
});

test('the threat model gives the e-mail address for reports that tools/release/project.json contains', () => {
  const sentence =
    project.contact === null
      ? "We don't have an e-mail address for reports yet."
      : `By e-mail: ${project.contact}.`;
  expect(page).toContain(sentence);
});

test('npm runs no script when the package is installed', () => {
  const scripts = Object.keys(manifest.scripts);
  expect(scripts.filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([]);
});
