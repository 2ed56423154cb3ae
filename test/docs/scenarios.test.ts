import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scenarios } from '../../sandbox/index.js';

const committed = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8');

test('the scenarios page has a row for every scenario, under its operation and field', () => {
  const rows = [...committed.matchAll(/^## (.+)$|^\| `[^`]+` +\| .+ \| `([^`]+)` +\|$/gm)];
  let title: string | undefined;
  const shown = rows.flatMap(([, heading, constant]) => {
    title = heading ?? title;
    return constant === undefined ? [] : [`${title}, ${constant}`];
  });
  const all = scenarios.map(({ operation, field, constant }) => `${operation}: ${field}, ${constant}`);
  expect(shown.sort()).toEqual(all.sort());
});
