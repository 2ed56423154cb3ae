import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../src', import.meta.url));
const variants = readdirSync(root, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.worker.ts'));

test.each(variants)('%s exports what the file exports whose place it takes', async (variant) => {
  const original = variant.replace('.worker.ts', '.ts');
  expect(existsSync(join(root, original))).toBe(true);
  const [inWorkers, elsewhere] = await Promise.all(
    [variant, original].map((file) => import(/* @vite-ignore */ join(root, file))),
  );
  expect(Object.keys(inWorkers).sort()).toEqual(Object.keys(elsewhere).sort());
});

test('there are some', () => expect(variants.length).toBeGreaterThan(3));
