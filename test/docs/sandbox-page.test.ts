import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { builtCommand, ran, startSandbox } from '../../sandbox/test/cli/support.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = ['sandbox', 'sandbox-http']
  .map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'))
  .join('\n');

let command: string;
beforeAll(async () => {
  command = await builtCommand();
});

/** Reads the runnable block, and the output that its comments promise. */
function block(language: string): { code: string; promised: string[] } {
  const code = new RegExp(`^\`\`\`${language} run\n(.*?)^\`\`\``, 'ms').exec(page)?.[1] ?? '';
  return { code, promised: [...code.matchAll(/^\S.*\S {1,2}# (\S.*)$/gm)].map(([, text = '']) => text) };
}

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;

describe('the sandbox page', () => {
  test.each([
    { language: 'sh', program: 'bash', needs: 'curl' },
    { language: 'python', program: 'python3', needs: 'python3' },
  ])(
    'has a walkthrough for $program that prints the promised output (needs $needs)',
    async ({ language, program, needs }) => {
      if (!isThere(needs) || !isThere(program)) throw new Error(`This test needs ${needs}.`);
      const env = { SANDBOX_CLIENT_ID: 'shop', SANDBOX_CLIENT_SECRET: 'shop-secret' };
      const { url } = await startSandbox(command, ['--now', '2026-01-01T00:00:00Z'], env);
      const { code, promised } = block(language);
      const folder = mkdtempSync(join(tmpdir(), 'sandbox-walk-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const path = join(folder, 'walk');
      writeFileSync(path, code.replaceAll('http://127.0.0.1:4010', url));
      const { stdout, stderr } = await promisify(execFile)(program, [path]);
      expect(stderr).toBe('');
      expect(stdout.trim().split('\n')).toEqual(promised);
      expect(promised.length).toBeGreaterThanOrEqual(8);
    },
  );
});

test('the sandbox page lists the options and commands that the CLI has', async () => {
  const help = async (...args: string[]) => (await ran([...args, '--help'])).stdout;
  const optionsIn = (text: string) => new Set(text.match(/--[a-z][a-z-]*[a-z]/g) ?? []);
  const known = optionsIn(await help('sandbox'));
  for (const option of known) if (option !== '--help') expect(page).toContain(option);
  const commands = [...(await help()).matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
  for (const name of commands.filter((name) => name !== 'help')) {
    expect(page, name).toMatch(new RegExp(`\`${name}|${name} |webhooks`));
    for (const option of optionsIn(await help(name))) known.add(option);
  }
  for (const name of ['add', 'list', 'remove', 'clear'])
    for (const option of optionsIn(await help('faults', name))) known.add(option);
  for (const name of ['list', 'create', 'show'])
    for (const option of optionsIn(await help('payments', name))) known.add(option);
  for (const name of ['listen', 'send', 'verify'])
    for (const option of optionsIn(await help('webhooks', name))) known.add(option);
  expect([...optionsIn(page)].filter((option) => !known.has(option))).toEqual([]);
});
