import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
// Inside the project, so that the samples import the package by its name.
const folder = mkdtempSync(join(root, 'test/docs/.blocks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = promisify(execFile);

/** The TypeScript samples that say `run`, of all pages. Portuguese ones differ in their comments alone. */
const samples = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap((page) =>
    [...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/^```ts run\n(.*?)^```/gms)].map(
      ([, code = ''], index) => ({ page, index: index + 1, code }),
    ),
  );

/** What the comments behind `console.log` say that it prints. */
const promisedBy = (code: string) =>
  [...code.matchAll(/console\.log\(.*\)[;,]?.*?\/\/ (.*)$/gm)].map(([, comment = '']) => comment);

test('there are samples that run', () => {
  expect(samples.length).toBeGreaterThanOrEqual(20);
});

describe('each sample that says so runs, and prints what its comments say', () => {
  test.concurrent.each(samples)('$page, $index', async ({ page, index, code }) => {
    const path = join(folder, `${page}-${index}.ts`);
    writeFileSync(path, code);
    const { stdout, stderr } = await run(
      process.execPath,
      [join(root, 'node_modules/tsx/dist/cli.mjs'), path],
      {
        cwd: root,
        timeout: 60_000,
      },
    );
    expect(stderr).toBe('');
    // Handlers print in their own time.
    const printed = stdout.trim().split('\n').sort();
    expect(printed).toEqual(promisedBy(code).sort());
  });
});
