import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isTableName } from '../../src/stores/table-names.js';

test('no table can have a name that the stores’ SQL gives to a part of a statement', () => {
  const sources = ['postgres/dedupe-sql', 'deliveries-sql', 'payments-sql', 'sqlite/libsql'];
  const names = sources.flatMap((name) => {
    const text = readFileSync(new URL(`../../src/stores/${name}.ts`, import.meta.url), 'utf8');
    return [...text.matchAll(/\b([a-z_]+) (?:\([a-z]+\) )?AS (?:MATERIALIZED )?\(|\) AS (time)\b/g)].map(
      ([, part, alias]) => part ?? alias,
    );
  });
  expect(new Set(names)).toEqual(new Set(['written', 'due', 'counted', 'full', 'times', 'time']));
  for (const name of [...names, 'excluded', 'json_each'])
    expect([name, isTableName(name)]).toEqual([name, false]);
  expect(isTableName('deliveries')).toBe(true);
});
