import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { assumptionsModule, shapesModule } from '../../tools/contract/print-module.js';

const generated = (name: string) =>
  readFileSync(new URL(`../../src/contract/generated/${name}`, import.meta.url), 'utf8');

test('the generated files match the schemas', () => {
  expect(generated('shapes.ts')).toBe(shapesModule());
  expect(generated('assumptions.ts')).toBe(assumptionsModule());
});
