import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { transactionEvents } from '../../src/contract/events.js';

test.each([
  { path: 'events.md', task: 'What to do' },
  { path: 'pt/events.md', task: 'O que fazer' },
])('$path has a heading, a task and a body for every event', ({ path, task }) => {
  const page = readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
  const [, ...entries] = page.split(/^## /m);
  expect(entries.map((entry) => entry.split('\n', 1)[0])).toEqual(transactionEvents);
  for (const entry of entries) expect(entry).toContain(`\n\n**${task}:** `);
  const bodies = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, body = '']) => JSON.parse(body));
  expect(bodies.map(({ event }) => event)).toEqual(transactionEvents);
});
