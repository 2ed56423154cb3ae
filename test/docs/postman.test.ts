import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '../../src/contract/index.js';
import { postmanCollection } from '../../tools/docs/postman.js';
import { printJson } from '../../tools/docs/print.js';

const committed = readFileSync(new URL('../../docs/postman.json', import.meta.url), 'utf8');

interface Item {
  name: string;
  request: { method: string; url: { raw: string } };
  event: { script: { exec: string[] } }[];
}
const { item: folders, variable }: { item: { item: Item[] }[]; variable: { key: string }[] } =
  JSON.parse(committed);
const requests = folders.flatMap(({ item }) => item);

test('the committed Postman collection is up to date: npm run generate changes nothing', async () => {
  expect(committed).toBe(printJson(await postmanCollection()));
});

test('the Postman collection has every operation', () => {
  const withoutNames = (path: string) => path.replace(/\{+\w+\}+/g, '*');
  const sent = requests.map(({ request: { method, url } }) =>
    withoutNames(`${method} ${url.raw.replace('{{baseUrl}}', '')}`),
  );
  const expected = operations.map(({ method, path }) => withoutNames(`${method} ${path}`));
  expect(sent).toEqual(expect.arrayContaining(expected));
});

test('every variable in a Postman request is set by the collection, or from an earlier response', () => {
  const known = new Set(variable.map(({ key }) => key));
  const unknown: string[] = [];
  for (const { name, request, event } of requests) {
    for (const [, used = ''] of JSON.stringify(request).matchAll(/\{\{(\w+)\}\}/g))
      if (!known.has(used)) unknown.push(`${name}: ${used}`);
    for (const [, set = ''] of JSON.stringify(event).matchAll(/collectionVariables\.set\('(\w+)'/g))
      known.add(set);
  }
  expect(unknown).toEqual([]);
});
