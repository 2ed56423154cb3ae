import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { problemsIn } from '../support/compiled.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
// The folder is inside the project, so that the blocks can import the package by name.
const folder = mkdtempSync(join(root, 'test/docs/.blocks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = promisify(execFile);
const blocks = [...readme.matchAll(/^```(\w+)( run)?\n(.*?)^```/gms)].map(
  ([, language, flag, code = '']) => ({ language, runs: flag !== undefined, code }),
);
const typescript = blocks
  .filter(({ language }) => language === 'ts')
  .map((block, index) => {
    const path = join(folder, `block-${index}.ts`);
    writeFileSync(path, block.code.includes('import ') ? block.code : `export {};\n${block.code}`);
    return {
      ...block,
      path,
      title: block.code.split('\n').find((line) => !line.startsWith('import') && line !== '') ?? '',
    };
  });

test('every code block of the README has a known language', () => {
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['ts', 'sh']));
  expect(typescript).toHaveLength(1);
});

test('every TypeScript block of the README compiles', () => {
  expect(problemsIn(typescript.map(({ path }) => path))).toEqual([]);
});

/** Runs a file with tsx, and returns its output. */
async function output(path: string): Promise<string[]> {
  const { stdout, stderr } = await run(
    process.execPath,
    [join(root, 'node_modules/tsx/dist/cli.mjs'), path],
    { cwd: root },
  );
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

describe('a README block that promises its output', () => {
  test.each(typescript.filter(({ runs }) => runs))('prints that output: $title', async ({ path, code }) => {
    const printed = await output(path);
    const promised = [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(
      ([, comment = '']) => comment,
    );
    expect(printed).toHaveLength(promised.length);
    promised.forEach((comment, index) => {
      const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4/;
      if (comment.startsWith('a UUID')) expect(printed[index]).toMatch(uuid);
      else expect(printed[index]).toBe(comment);
    });
  });
});

test('the README’s commands exist, and the README has at most 95 lines', () => {
  const scripts = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
  for (const name of scripts) expect(Object.keys(manifest.scripts)).toContain(name);
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code.trim());
  expect(commands.slice(-2)).toEqual(['npm install && npm run demo', 'npm install && npm test']);
  expect(readme.split('\n').length).toBeLessThanOrEqual(95);
});

test('the README has no dead links', () => {
  for (const [, target = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g))
    expect(() => readFileSync(join(root, target))).not.toThrow(/ENOENT/);
});
