import { readFileSync } from 'node:fs';
import { createSandbox } from 'payment-platform/sandbox';
import { expect, test } from 'vitest';
import { operations } from '../../src/contract/index.js';
import { postmanCollection } from '../../tools/docs/postman.js';
import { printJson } from '../../tools/docs/print.js';

const committed = readFileSync(new URL('../../docs/postman.json', import.meta.url), 'utf8');

interface Body {
  readonly mode: string;
  readonly raw?: string;
  readonly urlencoded?: readonly { readonly key: string; readonly value: string }[];
}

interface Item {
  name: string;
  request: { method: string; url: { raw: string }; body?: Body };
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

/** Fills in the variables of a body as Postman does: it encodes the values of a form, and changes no other text. */
function fillIn({ mode, raw = '', urlencoded = [] }: Body, values: Readonly<Record<string, string>>) {
  const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  if (mode === 'urlencoded')
    return new URLSearchParams(urlencoded.map(({ key, value }): [string, string] => [key, filled(value)]));
  return filled(raw);
}

test.each(['with "quotes"', 'with \\ and \\n', 'with & + %41 = é'])(
  'the Postman request for a token works with a client secret %s',
  async (clientSecret) => {
    const clientId = 'shop "1"';
    await using sandbox = createSandbox({ clientId, clientSecret });
    const { url } = await sandbox.listen();
    const { request } = requests.find(({ request }) => request.url.raw.endsWith('/oauth/token')) ?? {};
    const body = fillIn(request?.body ?? { mode: 'none' }, { clientId, clientSecret });
    const headers = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const response = await fetch(`${url}/oauth/token`, { method: 'POST', body, headers });
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('access_token');
  },
);
