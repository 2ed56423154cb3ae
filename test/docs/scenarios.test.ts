import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scenarios } from '../../src/sandbox/index.js';

const committed = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8');

test('it has a row for every scenario, in their order', () => {
  const constants = [...committed.matchAll(/^\| `[\w.]+` +\| `[\w.]+` +\| `[^`]+` +\| `([^`]+)`/gm)];
  expect(constants.map(([, constant]) => constant)).toEqual(scenarios.map(({ constant }) => constant));
});
