import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly imports: Readonly<Record<string, { readonly workerd: string; readonly default: string }>>;
};

test.each(Object.entries(imports))('%s has the same exports on Node and in a Worker', async (_, files) => {
  const [inWorkers, onNode] = await Promise.all(
    [files.workerd, files.default].map((file) => import(/* @vite-ignore */ join(root, file))),
  );
  expect(Object.keys(inWorkers).sort()).toEqual(Object.keys(onNode).sort());
});

test('at most six modules have a variant for a particular runtime', () => {
  expect(Object.keys(imports).length).toBeGreaterThan(3);
  expect(Object.keys(imports).length).toBeLessThanOrEqual(6);
});
