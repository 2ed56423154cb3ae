import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { entryPoints } from './entry-points.mjs';

test.each(entryPoints.exports.map(({ specifier }) => specifier))('what %s exports', async (entry) => {
  expect(Object.keys(await import(entry)).sort()).toMatchSnapshot();
});

test('installing it installs nothing else', () => {
  expect(manifest).not.toHaveProperty('dependencies');
});
