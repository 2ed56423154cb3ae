import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const examples = join(root, 'examples/at-scale');

/** Removes the differences that an excerpt can have: comments, line breaks and the commas before closing brackets. */
const normalise = (code: string) => code.replaceAll(/ *\/\/ .*$/gm, '').replaceAll(/\s+|,(?=\s*[)\]}])/g, '');

/** The programs and their tests run over PostgreSQL and Redis: `npm run verify -- --only at-scale`. */
const programs = ['webhooks', 'webhooks-pg-boss', 'outbox', 'test']
  .flatMap((folder) => readdirSync(join(examples, folder)).map((name) => join(examples, folder, name)))
  .filter((path) => path.endsWith('.ts'))
  .map((path) => normalise(readFileSync(path, 'utf8')));

describe.each(['docs/background-jobs.md', 'docs/pt/background-jobs.md'])('the samples of %s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const samples = [...text.matchAll(/^```typescript\n(.*?)^```/gms)].map(([, code = '']) => code);

  test('are parts of the tested programs', () => {
    expect(samples.length).toBeGreaterThanOrEqual(6);
    expect(samples.filter((code) => !programs.some((program) => program.includes(normalise(code))))).toEqual(
      [],
    );
  });

  test('name programs and commands that exist', () => {
    const paths = [...text.matchAll(/jobs\/([\w/-]+\.ts)/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) expect(() => readFileSync(join(examples, path))).not.toThrow();
  });
});
