import { readFileSync } from 'node:fs';
import { createReceiver, type ReceiveOutcome, sign } from 'payment-platform/webhooks';
import { expect, test } from 'vitest';
import { statusRanks } from '../../src/contract/events.js';
import { createResult } from '../../src/webhooks/outcome.js';

const page = ['webhooks', 'webhook-stores']
  .map((name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n');

/** Reads the cells of the table that begins with the given header. */
const table = (head: string) => {
  const [rows = ''] = page.slice(page.indexOf(`| ${head}`)).split('\n\n');
  return rows
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
};

const names = (cell = '') => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name);

test('the webhooks page lists the statuses that a receiver returns', () => {
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (\d{3}) +\|/gm)].map(([, outcome, status]) => [
    outcome,
    Number(status),
  ]);
  expect(rows.length).toBeGreaterThan(10);
  expect(rows).toEqual(rows.map(([outcome]) => [outcome, createResult(outcome as ReceiveOutcome).status]));
});

test('the webhooks page lists for each payment status the statuses that are older', () => {
  const older = Object.fromEntries(
    table('after').flatMap(([after, than]) => names(after).map((status) => [status, names(than).sort()])),
  );
  const ranks = Object.entries(statusRanks);
  const below = (rank: number) => ranks.flatMap(([status, other]) => (other < rank ? [status] : [])).sort();
  expect(older).toEqual(Object.fromEntries(ranks.map(([status, rank]) => [status, below(rank)])));
});

test('the webhooks page states the defaults of a receiver', async () => {
  expect(page).toMatch(/ 15(<!--[^>]*>)? seconds \(`lease`\)/);
  expect(page).toContain('seven days (`keepFor`)');
  const leases: number[] = [];
  const dedupe = {
    claim: (_id: string, lease: number) => {
      leases.push(lease);
      return 'claimed' as const;
    },
    complete: (_id: string, keepFor: number) => leases.push(keepFor),
    release: () => {},
  };
  const secret = 'whsec_0123456789abcdef';
  const body = '{"event":"transaction.paid"}';
  const receiver = createReceiver({ secret, dedupe, on: { 'transaction.paid': () => {} } });
  await receiver.receive({ body, headers: sign({ body, secret }) });
  expect(leases).toEqual([15_000, 7 * 24 * 3_600_000]);
});
