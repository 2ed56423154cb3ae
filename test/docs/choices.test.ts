import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { choicesPage } from '../../docs/build/choices-page.js';
import { choices } from '../../src/sandbox/index.js';

const committed = readFileSync(new URL('../../docs/sandbox-choices.md', import.meta.url), 'utf8');

test('the committed page is fresh: npm run openapi changes nothing', () => {
  expect(committed).toBe(choicesPage());
});

test.each(choices.map(({ topic, option }) => [topic, option]))(
  '"%s" has a row with its option',
  (topic, option) => {
    const row = committed.split('\n').find((line) => line.startsWith(`| ${topic} `));
    expect(row).toContain(option === undefined ? '| None: ' : `| \`${option}\` `);
  },
);
