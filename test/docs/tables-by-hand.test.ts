import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deliveryFaults } from '../../sandbox/faults/fault-names.js';
import { phases, possiblePhases } from '../../sandbox/faults/fault-phases.js';
import { limits } from '../../src/contract/limits.js';
import type { WebhookVerificationReason } from '../../src/errors/webhook.js';
import { outcomeOf, outcomeStatuses } from '../../src/webhooks/outcome.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Reads the string literals of an exported union type. */
function literalsOf(path: string, type: string): string[] {
  const [, union = ''] = new RegExp(`^export type ${type} =([^;]*);`, 'm').exec(read(path)) ?? [];
  return [...union.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
}

/** Reads a page's rows whose first cell is code: the names of the first cell, then the other cells. */
const rowsOf = (page: string) =>
  [...page.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) => {
    const [first = '', ...cells] = row.split(' | ').map((cell) => cell.trim());
    return { names: [...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name), cells };
  });

const namesOf = (page: string) => rowsOf(page).flatMap(({ names }) => names);

describe.each(['docs', 'docs/pt'])('the tables that are written by hand in %s', (folder) => {
  const section = (name: string, pattern: RegExp) => pattern.exec(read(`${folder}/${name}.md`))?.[0] ?? '';

  test('ask a question for every check of the doctor', () => {
    const checks = literalsOf('sandbox/doctor/check.ts', 'CheckName');
    expect(checks.length).toBeGreaterThan(20);
    expect(namesOf(read(`${folder}/doctor.md`)).sort()).toEqual(
      checks.filter((name) => !name.startsWith('webhook.')).sort(),
    );
  });

  test('explain every option of durable payments', () => {
    const reference = section('options-durable', /^## createDurablePayments\n.*?(?=^## )/ms);
    expect(namesOf(section('durable-production', /^(\|.*\n)+(?=\n`onError`)/m)).sort()).toEqual(
      namesOf(reference).sort(),
    );
  });

  test('explain every fault of a request, in each phase that it can have', () => {
    const rows = rowsOf(section('faults', /`mid-response` +\|\n(\|.*\n)+/));
    const beforeResponse = phases.filter((phase) => phase !== 'mid-response');
    const shown: Record<string, string> = { replacement: '{ status }', slow: '{ slow }' };
    expect(rows.map(({ names }) => names)).toEqual(
      Object.keys(possiblePhases).map((name) => [shown[name] ?? name]),
    );
    for (const [index, possible] of Object.values(possiblePhases).entries()) {
      const { cells: [before = '', middle] = [] } = rows[index] ?? {};
      expect(middle !== 'not possible' && middle !== 'não é possível').toBe(
        possible.phases.includes('mid-response'),
      );
      const named = [...before.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
      const allowed = beforeResponse.filter((phase) => possible.phases.includes(phase));
      expect(named).toEqual(allowed.length === beforeResponse.length ? [] : allowed);
    }
  });

  test('explain every fault of a delivery', () => {
    expect(namesOf(section('faults', /^\| `drop`(.*\n)+?(?=\n)/m))).toEqual([...deliveryFaults]);
  });

  test('state every outcome of a delivery with its status', () => {
    const rows = rowsOf(read(`${folder}/webhooks.md`)).filter(({ cells }) => /^\d+$/.test(cells[0] ?? ''));
    expect(Object.fromEntries(rows.map(({ names, cells }) => [names[0], Number(cells[0])]))).toEqual(
      outcomeStatuses,
    );
  });

  test('state every reason for a rejection with its status', () => {
    const reasons = literalsOf('src/errors/webhook.ts', 'WebhookVerificationReason');
    const rows = rowsOf(section('webhook-problems', /^\| `reason`.*\n(\|.*\n)+/m)).slice(1);
    expect(rows.flatMap(({ names }) => names).sort()).toEqual([...reasons].sort());
    for (const { names, cells } of rows)
      for (const name of names)
        expect(Number(cells[0])).toBe(outcomeStatuses[outcomeOf(name as WebhookVerificationReason)]);
  });

  test('state the documented rate limits, and settings that keep them', () => {
    const { submerchants, onboarding, vault } = limits.requestsPerMinute;
    const earlier = limits.earlierSubmerchantsPerMinute;
    const page = read(`${folder}/rate-limits.md`);
    const perMinute = [...page.matchAll(/\| (\d+) (?:requests per minute|requisições por minuto)/g)];
    expect(perMinute.map(([, count]) => Number(count))).toEqual([submerchants, earlier, vault]);
    for (const setting of [
      `{ submerchants: ${submerchants}, onboarding: 'submerchants' }`,
      `{ submerchants: ${submerchants}, onboarding: ${onboarding} }`,
      `{ submerchants: ${earlier}, onboarding: ${onboarding} }`,
    ])
      expect(page).toContain(`| \`${setting}\` `);
  });
});
