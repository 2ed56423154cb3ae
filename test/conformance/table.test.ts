import { expect, test } from 'vitest';
import { statements } from '../../tools/conformance/suite.js';
import { table } from '../../tools/conformance/table.js';
import { listHeadings } from '../../tools/docs/tables/api-document.js';

const headings = listHeadings();

/** Headings without their own statements. The page lists these statements under other headings. */
const groups = [
  'Endpoints',
  'Resources and their fields',
  'States and transitions',
  'Events',
  'Certificate',
  'Payment-method domain',
  'Webhook endpoint status',
];

test('every section of the API docs has conformance statements', () => {
  const sections = new Set(table.map(({ section }) => section));
  expect(headings.size).toBeGreaterThan(25);
  expect([...headings].filter((heading) => !sections.has(heading) && !groups.includes(heading))).toEqual([]);
});

test('every conformance statement has a unique id, and a check or a reason why it has no check', () => {
  expect(new Set(table.map(({ id }) => id)).size).toBe(table.length);
  expect(new Set(table.map(({ section, text }) => `${section}: ${text}`)).size).toBe(table.length);
  for (const { triedBy = [], untried = '' } of table) expect(triedBy.length > 0).toBe(untried === '');
  expect(table.length).toBeGreaterThan(233);
  expect(table.filter(({ triedBy }) => triedBy).length).toBeGreaterThan(170);
});

test('every conformance check belongs to a statement, and every statement names existing checks', () => {
  const checks = statements.map(({ statement }) => statement);
  const named = new Set(table.flatMap(({ triedBy = [] }) => triedBy));
  expect([...named].filter((name) => !checks.includes(name))).toEqual([]);
  expect(checks.filter((name) => !named.has(name))).toEqual([]);
  expect(new Set(checks).size).toBe(checks.length);
});
