import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { families } from '../../tools/environments/rows.mjs';

const page = readFileSync(new URL('../../docs/environments.md', import.meta.url), 'utf8');
const shown = [...page.matchAll(/^\| (.+?) +\| (.+?) +\| (.+?) +\| (works.*?|not run.*?) +\|$/gm)];

/** Leaves the version out of a name, because other machines run other versions of Node. */
const toStableName = (environment: string, version: string, use: string) =>
  environment === 'Node' || use.endsWith('over libsql')
    ? `${environment}: ${use}`
    : `${environment} ${version}: ${use}`;

test('the environments page has exactly one row for every environment', () => {
  const shownRows = shown.flatMap(([, environment = '', versions = '', uses = '']) =>
    versions
      .split(', ')
      .flatMap((version) => uses.split('; ').map((use) => toStableName(environment, version, use))),
  );
  // The rows of other operating systems depend on this machine’s system.
  const isHere = (name: string) => !/^Node: on \w+$/.test(name);
  const rows = Object.values(families).flatMap((listRows) => listRows({}));
  expect(rows.length).toBeGreaterThan(90);
  const runs = rows.map(({ environment, version, use }) => toStableName(environment, version, use));
  expect([...new Set(shownRows)].filter(isHere).sort()).toEqual([...new Set(runs)].filter(isHere).sort());
});
