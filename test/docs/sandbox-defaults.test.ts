import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaults } from '../../sandbox/index.js';
import translations from '../../sandbox/page/app/defaults.pt.json' with { type: 'json' };
import { portugueseDefaults } from '../../tools/docs/tables/defaults.js';

const committed = readFileSync(new URL('../../docs/sandbox-defaults.md', import.meta.url), 'utf8');

/** Lists the page's entries: the text from each behaviour's heading to the next heading. */
const entries = new Map(
  [...committed.matchAll(/^### ([^\n]+)\n\n(.*?)(?=^##|^<!--)/gms)].map(([, topic = '', text = '']) => [
    topic,
    text,
  ]),
);

test('the page of sandbox defaults has exactly one entry for every default', () => {
  expect(defaults.length).toBeGreaterThan(50);
  expect([...entries.keys()].sort()).toEqual(defaults.map(({ topic }) => topic).sort());
});

test.each(defaults.map((entry) => [entry.topic, entry] as const))(
  'the entry "%s" of the sandbox defaults contains the behaviour, the reason and the option',
  (topic, { default: behaviour, why, option, fixed }) => {
    const shown = entries.get(topic)?.replaceAll('\\*', '*').replaceAll('&lt;', '<');
    const set = option === undefined ? `none. ${fixed}` : `\`${option}\``;
    expect(shown?.trim()).toBe(`${behaviour}\n\n**Why:** ${why}\n\n**Option:** ${set}`);
  },
);

test('the sandbox’s page has the current Portuguese translation of every default', () => {
  expect(translations).toEqual(portugueseDefaults());
});
