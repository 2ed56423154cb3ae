import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { entryPoints } from './entry-points.mjs';

test.each(entryPoints.exports.map(({ specifier }) => specifier))('what %s exports', async (entry) => {
  expect(Object.keys(await import(entry)).sort()).toMatchSnapshot();
});

test('the runtime dependencies are three', () => {
  expect(Object.keys(manifest.dependencies)).toEqual(['form-data', 'ky', 'zod']);
});
