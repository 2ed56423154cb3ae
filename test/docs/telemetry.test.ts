import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const listNames = (text: string) =>
  [...new Set(text.match(/(?<=['`])payment_platform\.[a-z_.]+(?=['`])/g))].sort();

test('the telemetry pages name every instrument and attribute of the source, and no others', () => {
  const sources = readdirSync(new URL('src/telemetry/', root)).map((name) => read(`src/telemetry/${name}`));
  const names = listNames(sources.join('\n'));
  expect(names.length).toBeGreaterThan(10);
  for (const folder of ['docs', 'docs/pt']) {
    const pages = ['telemetry', 'durable-production'].map((page) => read(`${folder}/${page}.md`));
    expect(listNames(pages.join('\n'))).toEqual(names);
  }
});
