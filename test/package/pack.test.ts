import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { toPublished } from '../../tools/package/pack.mjs';

test('the published package.json has no fields for development, and no imports of other files', () => {
  const { scripts, devDependencies, overrides, imports, ...others } = manifest;
  const name = '#client-platform';
  const published = Object.values(imports[name]).map((file) => file.replace('./', ''));
  expect(toPublished(manifest, ['package.json', ...published])).toEqual({
    ...others,
    imports: { [name]: imports[name] },
  });
});
