import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { valuesIn } from '../../tools/api/report.js';
import { entryPoints } from '../../tools/package/entry-points.mjs';

const readReport = (name: string) =>
  readFileSync(new URL(`../../api-reports/${name}.api.md`, import.meta.url), 'utf8');

test.each(entryPoints.exports.map(({ specifier, name }) => [specifier, name] as const))(
  '%s exports exactly the values in its API report',
  async (specifier, name) => {
    expect(Object.keys(await import(specifier)).sort()).toEqual(valuesIn(readReport(name)));
  },
);

test('installing the package installs no other package', () => {
  expect(manifest).not.toHaveProperty('dependencies');
});
