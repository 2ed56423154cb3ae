import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Assumption, assumptions } from '../../src/contract/overrides.js';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const committed = read('assumptions.md');
const entries: [string, Assumption][] = Object.entries(assumptions);

const rows = committed
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |\s*\|?$/g, '').trim()));

test('the assumptions page has a row for every assumption, in order', () => {
  expect(rows.map(([key]) => key)).toEqual(entries.map(([key]) => `\`${key}\``));
});

describe('a row of the assumptions page', () => {
  const words = {
    request: 'request body',
    query: 'query',
    response: 'response body',
    notification: 'notifications',
    'response-header': 'response header',
  };

  test.each(entries)(
    'contains the field, the places and the reason: %s',
    (key, { property, wire, in: places, reason }) => {
      const [, shownProperty, shownWire, where = '', shownReason] =
        rows.find(([cell]) => cell === `\`${key}\``) ?? [];
      expect([shownProperty, shownWire, shownReason]).toEqual([`\`${property}\``, `\`${wire}\``, reason]);
      for (const place of places) expect(where).toContain(words[place]);
      expect(where).toMatch(/ of (every operation|`\w+\.\w+`)/);
    },
  );
});

test('the assumptions page shows how to override a name with fieldNames', () => {
  expect(committed).toContain("fieldNames = { 'payment.clientIp': 'ip_address' }");
});

test('the page about operations whose path is undocumented has an example call for each of them', () => {
  const page = read('undocumented.md');
  const sections = page.split(/^## /m).slice(1);
  for (const title of [
    'Create a certificate record',
    'Validate a domain',
    "Update a sub-account's fees",
    "Update a sub-account's bank account",
  ]) {
    const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? '';
    expect(section).toMatch(/platform\.request[<(]/);
    expect(section).toContain('/path/from/your/contract');
    expect(committed).not.toContain(title);
  }
  // A realistic path would be an invention.
  const paths = [...page.matchAll(/path: ['`]([^'`]+)/g)].map(([, path]) => path);
  for (const path of paths) expect(path).toMatch(/^\/path\/from\/your\/contract/);
});
